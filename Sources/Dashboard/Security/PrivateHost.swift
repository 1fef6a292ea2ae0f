import Glibc
package import Platform
import SystemPackage

/// The host name of the pages: 128 random bits below `.localhost`, which browsers resolve to the loopback addresses (RFC 6761).
///
/// Browsers send the cookies of a host to all of its ports, so those of 127.0.0.1 would reach every other server of the
/// machine. No other server knows this name. It is stored, because cookies and bookmarks belong to it.
package struct PrivateHost: Equatable, Sendable {
  package let name: String

  init(label: String) { name = label + ".localhost" }

  /// Reads `serve-host` in the folder of the access tokens, or creates it (mode 0600).
  package init(_ environment: ProcessEnvironment) throws(FileError) {
    try self.init(path: TokenStore.folder(environment) + "/serve-host")
  }

  init(path: String) throws(FileError) {
    if let label = Self.stored(path) {
      self.init(label: label)
      return
    }
    try Folder.create(Folder.parent(of: path))
    let label = (0..<16).map { _ in
      let digits = String(UInt8.random(in: .min ... .max), radix: 16)
      return digits.count == 2 ? digits : "0" + digits
    }.joined()
    let file = try NewFile(path: path, replacing: true, appears: .onCommit)
    defer { try? file.descriptor.close() }
    try file.write(Array((label + "\n").utf8))
    try file.sync()
    try file.commit()
    self.init(label: label)
  }

  /// The origin of the pages of the server at a port.
  package func origin(port: Int) -> String { port == 80 ? "http://\(name)" : "http://\(name):\(port)" }

  /// Nil for a missing file, and for any other content.
  private static func stored(_ path: String) -> String? {
    guard let bytes = try? ByteSource(path: path).readAll(limit: 64) else { return nil }
    let label = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    let isValid = label.utf8.count == 32 && label.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    return isValid ? label : nil
  }
}
