import FoundationEssentials

/// The pages of the documentation.
enum Documentation {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// A page of the reference; empty if it does not exist.
  static func page(_ name: String) -> String {
    ["docs/reference/\(name)", "docs/\(name)"].lazy
      .compactMap { try? Data(contentsOf: URL(filePath: "\(root)/\($0)")) }.first
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
