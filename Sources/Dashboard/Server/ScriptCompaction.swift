/// Removes comments and white space from a script, so that it is small without a change of its names.
///
/// A comment begins at the start of a line. Text in quotes and in templates is kept. Regular expressions must not contain quotes
/// or spaces.
struct ScriptCompaction {
  private var output: [UInt8] = []
  /// The white space since the last character: none, spaces, or a line feed.
  private var gap: UInt8?
  /// The quote of the text that the next character belongs to.
  private var quote: UInt8?
  private var isEscaped = false

  static func compacted(_ script: [UInt8]) -> [UInt8] {
    var compaction = ScriptCompaction()
    for line in script.split(separator: lineFeed, omittingEmptySubsequences: false) {
      let text = line.drop { $0 == space }
      guard compaction.quote != nil || !text.starts(with: Array("//".utf8)) else { continue }
      for byte in compaction.quote == nil ? text : line { compaction.append(byte) }
      compaction.append(lineFeed)
    }
    return compaction.output + [lineFeed]
  }

  private mutating func append(_ byte: UInt8) {
    if let quote {
      output.append(byte)
      if !isEscaped, byte == quote { self.quote = nil }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    } else if byte == Self.space || byte == Self.lineFeed {
      if gap != Self.lineFeed { gap = byte }
    } else {
      appendGap(before: byte)
      // A semicolon at the end of a block is optional.
      if byte == UInt8(ascii: "}"), output.last == UInt8(ascii: ";") { output.removeLast() }
      output.append(byte)
      if Self.quotes.contains(byte) { quote = byte }
    }
  }

  /// Adds the white space that separates two words or signs, or two statements.
  private mutating func appendGap(before byte: UInt8) {
    defer { gap = nil }
    guard let gap, let last = output.last else { return }
    if gap == Self.lineFeed {
      if !Self.continuing.contains(last), !Self.continued.contains(byte) { output.append(Self.lineFeed) }
    } else if Self.isWord(last) && Self.isWord(byte) || last == byte && Self.signs.contains(byte) {
      output.append(Self.space)
    }
  }

  private static let (space, lineFeed) = (UInt8(ascii: " "), UInt8(ascii: "\n"))
  private static let quotes = Array("\"'`".utf8)
  private static let signs = Array("+-".utf8)
  /// A line that ends with one of these signs, or begins with one, belongs to the same statement.
  private static let continuing = Array("{;,([=?:&|><+".utf8)
  private static let continued = Array("}?:.&|)]".utf8)

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
      true
    default: false
    }
  }
}
