/// Overwrites the parts of an export that are not well-formed XML with spaces. This keeps all byte offsets.
///
/// - The internal subset of the document type declaration, which contains syntax errors since iOS 16
///   (https://github.com/jameno/Simple-Apple-Health-XML-to-CSV/pull/3). Without it, a document cannot define entities.
/// - Control characters, which occur in names of devices.
struct HealthExportRepair {
  private enum Position {
    /// Before the root element, with this number of bytes of `<!DOCTYPE` matched.
    case prolog(matched: Int)
    /// In the declaration, before its internal subset.
    case declaration
    /// In the internal subset, which ends with `]>`.
    case subset(afterBracket: Bool)
    case content
  }

  private static let doctype = Array("<!DOCTYPE".utf8)
  private static let space = UInt8(ascii: " ")
  private var position = Position.prolog(matched: 0)

  /// Overwrites bytes in the next chunk of the document.
  mutating func apply(_ chunk: inout ArraySlice<UInt8>) {
    for index in chunk.indices {
      if case .content = position { break }
      if isInSubset(chunk[index]) { chunk[index] = Self.space }
    }
    unsafe chunk.withUnsafeMutableBufferPointer { bytes in
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        unsafe bytes[index] = Self.isControlCharacter(byte) ? Self.space : byte
      }
    }
  }

  private static func isControlCharacter(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
  }

  /// Moves past the next byte. Returns true for bytes between `[` and `]`.
  private mutating func isInSubset(_ byte: UInt8) -> Bool {
    switch (position, byte) {
    case (.prolog(let matched), _): position = Self.prolog(matched, byte)
    case (.declaration, UInt8(ascii: "[")): position = .subset(afterBracket: false)
    case (.declaration, UInt8(ascii: ">")), (.subset(true), UInt8(ascii: ">")): position = .content
    case (.subset, UInt8(ascii: "]")): position = .subset(afterBracket: true)
    case (.subset, 0...0x20): break
    case (.subset, _):
      position = .subset(afterBracket: false)
      return true
    case (.declaration, _), (.content, _): break
    }
    return false
  }

  private static func prolog(_ matched: Int, _ byte: UInt8) -> Position {
    if byte == doctype[matched] {
      return matched + 1 == doctype.count ? .declaration : .prolog(matched: matched + 1)
    }
    // `<` and a letter start the root element.
    if matched == 1, byte != UInt8(ascii: "?") { return .content }
    return .prolog(matched: byte == doctype[0] ? 1 : 0)
  }
}
