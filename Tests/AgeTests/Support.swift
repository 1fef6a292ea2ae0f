import Age
import TestSupport

/// The keys of the tests.
enum Keys {
  static let identity = X25519Identity()
  static let other = X25519Identity()
  static let recipients = AgeRecipients.keys([identity.recipient])
  static let identities = AgeIdentities.keys([identity])
}

/// Decrypts in pieces of `piece` bytes.
/// - Returns: the plaintext that was released, and the error.
func decrypt(
  _ file: [UInt8], piece: Int = .max, with identities: AgeIdentities = Keys.identities
) -> (released: [UInt8], error: AgeError?) {
  var released: [UInt8] = []
  var decryptor = AgeDecryptor(with: identities)
  do throws(AgeError) {
    var rest = file[...]
    while !rest.isEmpty {
      try decryptor.update(rest.prefix(piece)) { released += $0 }
      rest = rest.dropFirst(piece)
    }
    released += try decryptor.finish()
    return (released, nil)
  } catch {
    return (released, error)
  }
}

/// The bytes that the decoder of the armor returns before its error, and the error.
func disarm(_ text: [UInt8], piece: Int = .max) -> (bytes: [UInt8], error: AgeError?) {
  var bytes: [UInt8] = []
  var decoder = ArmorDecoder()
  do throws(AgeError) {
    var rest = text[...]
    while !rest.isEmpty {
      bytes += try decoder.update(rest.prefix(piece))
      rest = rest.dropFirst(piece)
    }
    bytes += try decoder.finish()
    return (bytes, nil)
  } catch {
    return (bytes, error)
  }
}

func randomBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var random = SeededGenerator(seed: seed)
  return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
}

func passphrase(_ text: String) throws -> Passphrase { try Passphrase(text) }
