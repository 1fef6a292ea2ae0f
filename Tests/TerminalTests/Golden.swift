import Foundation
import Terminal
import Testing

/// Compares text with the files in Golden/, for three sizes of the terminal.
///
/// After an intended change, run `STRESSMON_REWRITE_GOLDEN=1 swift test --filter Golden` and review the diff.
enum Golden {
  static let sizes = [(40, 12), (80, 24), (120, 40)]

  /// Expects the block that `lines` returns for each size to equal the file `name` and to fit the terminal.
  static func expect(_ name: String, _ lines: (_ width: Int, _ height: Int) -> [String]) throws {
    var text = ""
    for (width, height) in sizes {
      let lines = lines(width, height)
      #expect(lines.count < height && lines.allSatisfy { $0.columns <= width })
      text += "== \(width) x \(height)\n" + lines.map { $0 + "\n" }.joined()
    }
    try expect(name, text)
  }

  /// Expects `text` without trailing spaces to equal the file `name`.
  static func expect(_ name: String, _ text: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map(withoutTrailingSpaces).joined(separator: "\n")
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(name).txt")
    if ProcessInfo.processInfo.environment["STRESSMON_REWRITE_GOLDEN"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  private static func withoutTrailingSpaces(_ line: Substring) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
