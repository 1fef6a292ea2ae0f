import JSONLines

/// Reads the armor of a stream of bytes. Accepts line feeds with and without carriage return, and whitespace before
/// the first and after the last line; rejects any other deviation from the canonical form.
package struct ArmorDecoder: Sendable {
  private enum Expected { case begin, fullLine, end, whitespace }

  /// A line of the armor, or whitespace before it, is never longer.
  private static let lineLimit = 4096

  private var expected = Expected.begin
  private var line = 1
  private var pending: [UInt8] = []

  package init() {}

  /// Whether a file with these first bytes is armored; at least 64 bytes are needed after whitespace.
  package static func isArmored(head: some Sequence<UInt8>) -> Bool {
    head.drop(while: Armor.isWhitespace).starts(with: Armor.begin.utf8)
  }

  /// - Returns: the bytes of the lines that are complete so far.
  /// - Throws: ``AgeError/malformedArmor(line:reason:)``.
  package mutating func update(_ text: ArraySlice<UInt8>) throws(AgeError) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      pending += rest[..<end]
      rest = rest[(end + 1)...]
      try endLine(into: &bytes)
    }
    pending += rest
    guard pending.count <= Self.lineLimit else { throw malformed("longer than \(Self.lineLimit) columns") }
    return bytes
  }

  /// - Returns: the bytes of the last line.
  /// - Throws: ``AgeError/malformedArmor(line:reason:)``, among others if the last line is missing.
  package mutating func finish() throws(AgeError) -> [UInt8] {
    var bytes: [UInt8] = []
    if !pending.isEmpty { try endLine(into: &bytes) }
    guard case .whitespace = expected else { throw malformed("the file ends before \(Armor.end)") }
    return bytes
  }

  private mutating func endLine(into bytes: inout [UInt8]) throws(AgeError) {
    guard pending.count <= Self.lineLimit else { throw malformed("longer than \(Self.lineLimit) columns") }
    if pending.last == UInt8(ascii: "\r") { pending.removeLast() }
    try parse(pending[...], into: &bytes)
    pending.removeAll(keepingCapacity: true)
    line += 1
  }

  private mutating func parse(_ text: ArraySlice<UInt8>, into bytes: inout [UInt8]) throws(AgeError) {
    switch expected {
    case .begin: try parseBegin(text)
    case .fullLine where text.first == UInt8(ascii: "-"): try parseEnd(text)
    case .fullLine: bytes += try decoded(text)
    case .end: try parseEnd(text)
    case .whitespace:
      guard text.allSatisfy(Armor.isWhitespace) else { throw malformed("text after the end") }
    }
  }

  private mutating func parseBegin(_ text: ArraySlice<UInt8>) throws(AgeError) {
    let trimmed = text.drop(while: Armor.isWhitespace)
    if trimmed.isEmpty { return }
    guard trimmed.elementsEqual(Armor.begin.utf8) else { throw malformed("not \(Armor.begin)") }
    expected = .fullLine
  }

  private mutating func parseEnd(_ text: ArraySlice<UInt8>) throws(AgeError) {
    // Whitespace may follow the last line, also without a line feed between.
    guard text.starts(with: Armor.end.utf8),
      text.dropFirst(Armor.end.utf8.count).allSatisfy(Armor.isWhitespace)
    else { throw malformed("not \(Armor.end)") }
    expected = .whitespace
  }

  private mutating func decoded(_ text: ArraySlice<UInt8>) throws(AgeError) -> [UInt8] {
    guard (1...Armor.columns).contains(text.count), let bytes = Base64.decode(text) else {
      throw malformed("not 1 to \(Armor.columns) columns of canonical base64")
    }
    if text.count < Armor.columns || text.last == UInt8(ascii: "=") { expected = .end }
    return bytes
  }

  private func malformed(_ reason: String) -> AgeError { .malformedArmor(line: line, reason: reason) }
}
