internal import Crypto
package import History
internal import JSONLines

/// What a receiver needs to send data of a participant that only the lab can read: the pseudonym and the public key.
///
/// The lab prints it with `stressmon collect admit CODE`, and the file of the participants of a receiver contains it in place
/// of the code:
///
///     let ticket = try file.admit(code, to: study)
///     let received = ParticipantTicket(ticket.text)
package struct ParticipantTicket: Equatable, Sendable {
  /// Replaces the code in subjects, messages and PostgreSQL.
  package let pseudonym: FleetCode
  let publicKey: Curve25519.KeyAgreement.PublicKey

  private static let prefix = "SP1-"
  private static let keySize = 32
  /// Bytes of the SHA-256 at the end, which detect an incomplete copy. The text needs no padding because 9 + 32 + 4 is a
  /// multiple of 3.
  private static let checksumSize = 4

  init(_ pseudonym: Pseudonym, _ publicKey: Curve25519.KeyAgreement.PublicKey) {
    (self.pseudonym, self.publicKey) = (pseudonym.code, publicKey)
    identifier = pseudonym.bytes
  }

  private let identifier: [UInt8]

  package static func == (a: ParticipantTicket, b: ParticipantTicket) -> Bool { a.text == b.text }

  /// 64 characters: a prefix, and Base64 of the pseudonym, the public key and the start of their SHA-256.
  package var text: String {
    let content = identifier + Array(publicKey.rawRepresentation)
    return Self.prefix + Base64.encode(content + SHA256.hash(data: content).prefix(Self.checksumSize))
  }

  /// Whether a text is meant to be a ticket rather than a code.
  static func isTicket(_ text: some StringProtocol) -> Bool { text.hasPrefix(prefix) }

  /// Parses ``text``. An incomplete copy is rejected like any other text.
  package init?(_ text: some StringProtocol) {
    guard Self.isTicket(text), let bytes = Base64.decode(text.utf8.dropFirst(Self.prefix.utf8.count)),
      bytes.count == Pseudonym.size + Self.keySize + Self.checksumSize
    else { return nil }
    let content = Array(bytes.dropLast(Self.checksumSize))
    guard SHA256.hash(data: content).prefix(Self.checksumSize).elementsEqual(bytes.suffix(Self.checksumSize)),
      let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: content.dropFirst(Pseudonym.size)),
      // A key of low order would give every sender the same secret.
      (try? Curve25519.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(with: key)) != nil
    else { return nil }
    self.init(Pseudonym(Array(content.prefix(Pseudonym.size))), key)
  }

  /// The ID of a session in messages and PostgreSQL: the UTC day of its start, and other bits from HMAC-SHA256 with the
  /// public key, which only the lab and the receivers of the participant have.
  package func alias(of session: SessionID) -> SessionID {
    let code = Array(authenticationCode("session \(session)"))
    let day = session.milliseconds / 86_400_000 * 86_400_000
    let time = day + code[16..<20].reduce(0) { $0 << 8 | Int64($1) } % 86_400_000
    let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    let start = (0..<10).map { digits[Int(time >> (5 * (9 - Int64($0))) & 31)] }
    guard let alias = SessionID(String(start + code.prefix(16).map { digits[Int($0 & 31)] })) else {
      preconditionFailure("26 digits are an ID")
    }
    return alias
  }

  /// Replaces the address of a strap in subjects: 12 hexadecimal digits.
  func alias(ofStrap address: String) -> String {
    authenticationCode("strap \(address)").prefix(6).hexadecimal
  }

  private func authenticationCode(_ text: String) -> HashedAuthenticationCode<SHA256> {
    HMAC<SHA256>.authenticationCode(
      for: Array(text.utf8), using: SymmetricKey(data: publicKey.rawRepresentation))
  }
}

/// A random code that nothing connects with a participant except the lab's file of keys.
struct Pseudonym {
  static let size = 9
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  init() { bytes = (0..<Self.size).map { _ in UInt8.random(in: .min ... .max) } }

  /// `p` and 18 hexadecimal digits.
  var code: FleetCode {
    guard let code = FleetCode("p" + bytes.hexadecimal) else {
      preconditionFailure("hexadecimal digits are a code")
    }
    return code
  }
}
