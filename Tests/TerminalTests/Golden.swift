import Foundation
import Terminal
import Testing

/// Text as it stands in Golden/, at three sizes of the terminal.
///
/// After a change that is meant: STRESSMON_REWRITE_GOLDEN=1 swift test --filter Golden, and look at the diff.
enum Golden {
  static let sizes = [(40, 12), (80, 24), (120, 40)]

  /// Expects the block that `lines` draws at each size to be the one in the file `name`, and to fit.
  static func expect(_ name: String, _ lines: (_ width: Int, _ height: Int) -> [String]) throws {
    var text = ""
    for (width, height) in sizes {
      let lines = lines(width, height)
      #expect(lines.count < height && lines.allSatisfy { $0.columns <= width })
      text += "== \(width) x \(height)\n" + lines.map { $0 + "\n" }.joined()
    }
    try expect(name, text)
  }

  /// Expects `text`, but for spaces at the ends of lines, to be what the file `name` holds.
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
