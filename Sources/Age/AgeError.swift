/// The reason why a file, key or stream of the age format was rejected. The description contains no secret.
package enum AgeError: Error, Equatable, Sendable {
  /// The first line is not the version line of an age file.
  case notAge
  /// A version other than v1.
  case unsupportedVersion(String)
  /// A line of the header does not have the form that the specification requires; lines count from 1.
  case malformedHeader(line: Int, reason: String)
  /// A recipient stanza of a supported type has a wrong number of arguments, a wrong size or a forbidden value.
  case malformedStanza(type: String, reason: String)
  /// The header does not end within this many bytes.
  case headerTooLong(limit: Int)
  /// The input ends within the header.
  case truncatedHeader
  /// The file is encrypted to other keys.
  case noMatchingIdentity
  /// The file is encrypted with a passphrase, and none was given.
  case passphraseRequired
  /// The file is encrypted to keys, and only a passphrase was given.
  case identityRequired
  case wrongPassphrase
  /// The binary logarithm of the scrypt work factor exceeds the limit; each step doubles memory and time.
  case workFactorTooHigh(found: Int, limit: Int)
  /// The system does not provide the memory that the work factor requires.
  case passphraseDerivationFailed(workFactor: Int)
  /// The header was changed after it was written.
  case headerMismatch
  /// The input ends before the final chunk. Chunks count from 0 and contain 64 KiB each.
  case truncatedPayload(chunk: Int)
  /// A chunk was changed, moved or removed.
  case damagedPayload(chunk: Int)
  /// Bytes follow the final chunk.
  case trailingBytes
  case malformedArmor(line: Int, reason: String)
  /// A recipient (`age1...`), identity (`AGE-SECRET-KEY-1...`) or identity file is invalid. The reason never quotes it.
  case malformedKey(reason: String)
  case noRecipients
  case emptyPassphrase
  /// A read or write failed.
  case file(operation: String, errno: CInt)
}
