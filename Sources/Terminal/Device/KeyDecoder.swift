/// Decodes the bytes that a terminal sends into keys. Escape sequences, which arrow and function keys send, and non-ASCII
/// characters are ignored.
struct KeyDecoder {
  private enum State {
    case plain
    /// After ESC.
    case escape
    /// After ESC [ or ESC O, until the final byte.
    case sequence
  }

  private static let escape: Character = "\u{1B}"
  private var state = State.plain

  /// Decodes the result of one read. ESC as the last byte is the Escape key; other sequences may continue in the next read.
  mutating func keys(_ bytes: some Sequence<UInt8>) -> [Character] {
    var keys = bytes.compactMap { key($0) }
    if case .escape = state {
      keys.append(Self.escape)
      state = .plain
    }
    return keys
  }

  private mutating func key(_ byte: UInt8) -> Character? {
    switch state {
    case .plain where byte == 0x1B: state = .escape
    case .plain where byte < 0x80: return Character(Unicode.Scalar(byte))
    case .plain: break
    case .escape: state = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .plain
    case .sequence: if 0x40...0x7E ~= byte { state = .plain }
    }
    return nil
  }
}
