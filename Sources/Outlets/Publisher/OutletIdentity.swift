import Crypto
package import Platform

/// Identifies this machine to receivers, across restarts. Contains no names of people, because receivers store it.
package struct OutletIdentity: Equatable, Sendable {
  /// Letters, digits, `_` and `-` only, as Home Assistant requires of devices.
  package let id: String

  /// Escapes all other bytes of `id`, such as `/`, `+` and `#`, as `_` and two hexadecimal digits.
  package init(id: String) { self.id = id.utf8.map(Self.escaped).joined() }

  /// The identity of this machine and a profile: a keyed digest, from which neither can be derived (machine-id(5)).
  package init(_ environment: ProcessEnvironment, profile: String?) {
    let machine = (try? ByteSource(path: "/etc/machine-id").readAll(limit: 4096)) ?? []
    let seed = machine.isEmpty ? Array((environment["HOME"] ?? "").utf8) : machine
    let text = "stressmon outlet \(profile ?? "")"
    let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: seed))
    self.init(id: code.prefix(4).map(Self.hex).joined())
  }

  private static func escaped(_ byte: UInt8) -> String {
    let character = Character(Unicode.Scalar(byte))
    let isAllowed = byte < 0x80 && (character.isLetter || character.isNumber || "_-".contains(character))
    return isAllowed ? String(character) : "_" + hex(byte)
  }

  static func hex(_ byte: UInt8) -> String {
    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
  }
}
