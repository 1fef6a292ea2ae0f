internal import Crypto
internal import History

/// The random part of the message IDs of each session.
///
/// JetStream acknowledges a message as a duplicate, and discards it, if it stored one with the same ID within the last ten minutes,
/// whichever receiver sent that one. With predictable IDs, a receiver could suppress the messages of the others.
struct MessageSecrets: Sendable {
  private let key = SymmetricKey(size: .bits256)

  /// 16 hexadecimal digits, the same ones for the same session.
  func secret(of session: SessionID) -> String {
    HMAC<SHA256>.authenticationCode(for: Array(session.text.utf8), using: key).prefix(8).hexadecimal
  }
}
