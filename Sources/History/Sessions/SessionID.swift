package import HeartRate

/// The unique ID of a session: 26 characters that sort by the start time of the session.
///
/// 48 bits of milliseconds since 1970 and 80 random bits, five per character in Crockford's base 32 (the ULID
/// specification), which leaves out I, L, O and U. Times before 1970 and after the year 10889 are clamped.
package struct SessionID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let text: String

  package init(started: WallTime, using generator: inout some RandomNumberGenerator) {
    let milliseconds = UInt64(clamping: started.microseconds / 1000)
    let time = UInt128(min(milliseconds, 1 << 48 - 1))
    let high = UInt128(UInt16.random(in: .min ... .max, using: &generator))
    var rest = time << 80 | high << 64 | UInt128(generator.next())
    var characters = [UInt8](repeating: 0, count: 26)
    for index in characters.indices.reversed() {
      characters[index] = Self.digits[Int(rest & 31)]
      rest >>= 5
    }
    text = String(decoding: characters, as: UTF8.self)
  }

  /// Parses ``text``, in capital or small letters. Fails for any other text.
  package init?(_ text: String) {
    let capitals = text.uppercased()
    guard capitals.utf8.count == 26, Self.couldBegin(capitals) else { return nil }
    self.text = capitals
  }

  /// The time of the first ten characters, in ms since 1970.
  package var milliseconds: Int64 {
    text.utf8.prefix(10).reduce(0) { value, character in
      value << 5 | Int64(Self.digits.firstIndex(of: character) ?? 0)
    }
  }

  /// An ID from the database, which is not checked.
  init(stored: String) { text = stored }

  /// Whether all characters belong to the alphabet.
  static func couldBegin(_ prefix: String) -> Bool { prefix.utf8.allSatisfy(digits.contains) }

  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  package var description: String { text }
  package static func < (a: SessionID, b: SessionID) -> Bool { a.text < b.text }
}
