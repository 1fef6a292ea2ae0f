internal import Crypto
package import Localization
internal import Platform

/// A study, a participant or a receiver: 1 to 64 of the characters `A-Z a-z 0-9 _ -`. This makes it one token of a subject.
package struct FleetCode: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let text: String

  /// Fails if the text is not a code.
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

extension FleetCode {
  /// The default code of this receiver: `R` and 12 hexadecimal digits.
  ///
  /// Derived from the machine ID by HMAC-SHA256 because the ID itself must not leave the machine (machine-id(5)).
  /// - Throws: ``FleetError`` with the code `usage` if the machine has no ID.
  package static func receiver(machineID path: String = "/etc/machine-id") throws(FleetError) -> FleetCode {
    let bytes = (try? ByteSource(path: path).readAll(limit: 256)).flatMap { $0 } ?? []
    let id = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard id.count == 32 else {
      throw FleetError(.usage, Phrase("\(path) contains no machine ID; append receiver=CODE to the target"))
    }
    let code = HMAC<SHA256>.authenticationCode(
      for: Array("stressmon receiver".utf8), using: SymmetricKey(data: id))
    guard let code = FleetCode("R" + code.prefix(6).hexadecimal) else {
      preconditionFailure("hexadecimal digits are a code")
    }
    return code
  }
}

extension Phrase.Template.StringInterpolation {
  package mutating func appendInterpolation(_ code: FleetCode) { appendInterpolation(code.text) }
}

extension Sequence<UInt8> {
  /// Two digits for each byte, in lower case.
  var hexadecimal: String {
    let digits = Array("0123456789abcdef")
    return map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
  }
}
