/// A study, a participant or a receiver: 1 to 64 of the characters `A-Z a-z 0-9 _ -`, so that it is one token of a subject.
package struct FleetCode: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let text: String

  /// Nil for text that is not a code.
  package init?(_ text: some StringProtocol) {
    guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
    self.text = String(text)
  }

  /// A code of this program.
  init(literal text: StaticString) { self.text = "\(text)" }

  private static func isAllowed(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  package var description: String { text }
  package static func < (a: FleetCode, b: FleetCode) -> Bool { a.text < b.text }
}
