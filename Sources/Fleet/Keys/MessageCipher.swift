internal import Crypto
internal import JSONLines
internal import Platform

/// The encryption of the messages of a participant (format 3).
///
/// A receiver draws an X25519 key at its start and derives the data key from the agreement with the public key of the
/// participant (HKDF-SHA256 with both public keys as the salt, as in the X25519 recipients of age). ChaCha20-Poly1305 (RFC
/// 8439) encrypts each body with a random nonce; subject, message ID and all other headers are associated data. Collectors
/// need no state, because each message contains the public key of the receiver. Without the private key of the participant,
/// no message can be read.
enum MessageCipher {
  fileprivate static func dataKey(
    _ agreement: SharedSecret, sender: [UInt8], participant: [UInt8]
  ) -> SymmetricKey {
    agreement.hkdfDerivedSymmetricKey(
      using: SHA256.self, salt: sender + participant, sharedInfo: Array("stressmon fleet message".utf8),
      outputByteCount: 32)
  }

  /// nats-server appends the partition to subjects, so ``FleetSubject/description`` is used, which omits it.
  fileprivate static func associatedData(_ subject: FleetSubject, _ header: (String) -> String?) -> [UInt8] {
    let values = FleetMessage.HeaderName.authenticated.map { header($0) ?? "" }
    return Array(([subject.description] + values).joined(separator: "\n").utf8)
  }
}

/// Encrypts messages to a participant, as a receiver.
struct MessageSealer: Sendable {
  let ticket: ParticipantTicket
  private let sender: [UInt8]
  private let key: SymmetricKey

  init(_ ticket: ParticipantTicket) {
    let own = Curve25519.KeyAgreement.PrivateKey()
    guard let agreement = try? own.sharedSecretFromKeyAgreement(with: ticket.publicKey) else {
      preconditionFailure("the initialiser of the ticket checks its key")
    }
    (self.ticket, sender) = (ticket, Array(own.publicKey.rawRepresentation))
    key = MessageCipher.dataKey(
      agreement, sender: sender, participant: Array(ticket.publicKey.rawRepresentation))
  }

  /// The headers and the body of a message to send.
  func seal(
    _ message: FleetMessage, _ subject: FleetSubject
  ) -> (headers: [(name: String, value: String)], body: [UInt8]) {
    let headers =
      message.headers(format: FleetMessage.format)
      + [(name: FleetMessage.HeaderName.key, value: Base64.encode(sender))]
    let data = MessageCipher.associatedData(subject) { name in headers.first { $0.name == name }?.value }
    guard let box = try? ChaChaPoly.seal(message.body, using: key, authenticating: data) else {
      preconditionFailure("a message is shorter than the limit of the cipher")
    }
    return (headers, Array(box.combined))
  }
}

/// The private keys of the participants of a study, with which collectors read messages. Threads share it.
final class MessageOpener: Sendable {
  private struct State {
    var keys: [FleetCode: Curve25519.KeyAgreement.PrivateKey] = [:]
    /// The data keys of receivers, because the agreement takes longer than the decryption of a message.
    var dataKeys: [Sender: SymmetricKey] = [:]
    var version: ParticipantKeyFile.Version?
  }

  private struct Sender: Hashable {
    var participant: FleetCode
    var key: String
  }

  /// A hostile receiver can send any number of keys.
  private static let largestCount = 4096

  private let file: ParticipantKeyFile
  /// The file of the keys.
  var path: String { file.path }
  private let study: FleetCode
  private let state = Locked(State())

  init(_ file: ParticipantKeyFile, study: FleetCode) { (self.file, self.study) = (file, study) }

  /// Reads the keys again if the file changed. Keys that it no longer contains are dropped.
  func refresh() throws(FleetError) {
    let version = file.version
    guard version != state.withLock(\.version) else { return }
    let keys = try file.keys(of: study)
    state.withLock { $0 = State(keys: keys, version: version) }
  }

  /// The body of a message, decrypted unless the participant has no key.
  func open(
    _ message: CollectedMessage, _ subject: FleetSubject
  ) throws(FleetMessageError) -> [UInt8] {
    let own = state.withLock { $0.keys[subject.participant] }
    let format = message.headers[FleetMessage.HeaderName.format]
    guard format == "\(FleetMessage.format)" else {
      guard own == nil || format != "\(FleetMessage.plainFormat)" else {
        throw .invalid("it is not encrypted, but its participant has a key")
      }
      return message.body
    }
    guard let own else { throw .missingKey(subject.participant) }
    let data = MessageCipher.associatedData(subject) { message.headers[$0] }
    guard let key = dataKey(message.headers[FleetMessage.HeaderName.key] ?? "", own, subject.participant),
      let box = try? ChaChaPoly.SealedBox(combined: message.body),
      let body = try? ChaChaPoly.open(box, using: key, authenticating: data)
    else { throw .invalid("it was changed, or is not encrypted to the key of its participant") }
    return Array(body)
  }

  /// The data key of a sender with the public key `text`. Fails if the text is not a key.
  private func dataKey(
    _ text: String, _ own: Curve25519.KeyAgreement.PrivateKey, _ participant: FleetCode
  ) -> SymmetricKey? {
    let sender = Sender(participant: participant, key: text)
    if let known = state.withLock({ $0.dataKeys[sender] }) { return known }
    guard let bytes = Base64.decode(text.utf8),
      let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes),
      let agreement = try? own.sharedSecretFromKeyAgreement(with: other)
    else { return nil }
    let key = MessageCipher.dataKey(
      agreement, sender: bytes, participant: Array(own.publicKey.rawRepresentation))
    state.withLock { state in
      if state.dataKeys.count >= Self.largestCount { state.dataKeys = [:] }
      // A key that was dropped meanwhile is not added again.
      if state.keys[participant] != nil { state.dataKeys[sender] = key }
    }
    return key
  }
}
