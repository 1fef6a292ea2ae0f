/// Splits chunks of text into lines. Memory grows with the longest line.
struct LineSplitter {
  private var rest: [UInt8] = []
  private var number = 0

  /// Calls `body` with each complete line: its number, starting at 1, and its content without surrounding white space.
  /// Empty lines and comments, which begin with `#`, are skipped.
  mutating func append(_ chunk: [UInt8], _ body: (Int, ArraySlice<UInt8>) -> Void) {
    var start = chunk.startIndex
    while let feed = chunk[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if rest.isEmpty {
        handOn(chunk[start..<feed], body)
      } else {
        rest += chunk[start..<feed]
        handOn(rest[...], body)
        rest.removeAll(keepingCapacity: true)
      }
      start = feed + 1
    }
    rest += chunk[start...]
  }

  /// Calls `body` with the last line if it has no line feed.
  mutating func finish(_ body: (Int, ArraySlice<UInt8>) -> Void) {
    if !rest.isEmpty { handOn(rest[...], body) }
    rest = []
  }

  private mutating func handOn(_ line: ArraySlice<UInt8>, _ body: (Int, ArraySlice<UInt8>) -> Void) {
    number += 1
    let hasMark = number == 1 && line.starts(with: [0xEF, 0xBB, 0xBF])
    let content = line.dropFirst(hasMark ? 3 : 0).withoutSpaceAround
    if !content.isEmpty, content.first != UInt8(ascii: "#") { body(number, content) }
  }
}
