import JSONLines

/// The ASCII armor: strict PEM (RFC 7468) with the label "AGE ENCRYPTED FILE".
enum Armor {
  static let begin = "-----BEGIN AGE ENCRYPTED FILE-----"
  static let end = "-----END AGE ENCRYPTED FILE-----"
  static let columns = 64
  /// The bytes in a full line.
  static let lineByteCount = 48

  /// A space, tab, line feed or carriage return.
  static func isWhitespace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }
}

/// Writes the armor of a stream of bytes.
package struct ArmorEncoder: Sendable {
  private var pending: [UInt8] = []
  private var output = Array((Armor.begin + "\n").utf8)

  package init() {}

  /// - Returns: the lines that are complete so far.
  package mutating func update(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    pending += bytes
    let complete = pending.count / Armor.lineByteCount * Armor.lineByteCount
    for start in stride(from: 0, to: complete, by: Armor.lineByteCount) {
      append(pending[start..<(start + Armor.lineByteCount)])
    }
    pending.removeFirst(complete)
    return takeOutput()
  }

  /// - Returns: the remaining lines.
  package mutating func finish() -> [UInt8] {
    if !pending.isEmpty { append(pending[...]) }
    output += Array((Armor.end + "\n").utf8)
    return takeOutput()
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    output += Array(Base64.encode(bytes).utf8)
    output.append(UInt8(ascii: "\n"))
  }

  private mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }
}
