import Glibc

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

extension AgeError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAge, .unsupportedVersion, .malformedHeader, .malformedStanza, .headerTooLong, .truncatedHeader,
      .headerMismatch:
      headerDescription
    case .truncatedPayload, .damagedPayload, .trailingBytes: payloadDescription
    case .malformedArmor(let line, let reason): "line \(line) of the armor: \(reason)"
    case .file(let operation, let errno): unsafe "\(operation): \(String(cString: strerror(errno)))"
    default: keyDescription
    }
  }

  private var headerDescription: String {
    switch self {
    case .unsupportedVersion(let version):
      "version \"\(version)\" of the age format is not supported, only v1"
    case .malformedHeader(let line, let reason): "line \(line) of the age header: \(reason)"
    case .malformedStanza(let type, let reason): "\(type) stanza of the age header: \(reason)"
    case .headerTooLong(let limit): "the age header does not end within \(limit) bytes"
    case .truncatedHeader: "the file ends within the age header"
    case .headerMismatch: "the age header was changed after it was written (its MAC does not match)"
    default: "not an age file: it does not start with age-encryption.org/v1"
    }
  }

  private var payloadDescription: String {
    switch self {
    case .truncatedPayload(let chunk): "the file is truncated: it ends in chunk \(chunk) of the age payload"
    case .damagedPayload(let chunk): "chunk \(chunk) of the age payload was changed after it was written"
    default: "bytes follow the end of the age payload"
    }
  }

  private var keyDescription: String {
    switch self {
    case .noMatchingIdentity: "the file is encrypted to other keys than those given"
    case .passphraseRequired: "the file is encrypted with a passphrase, not to a key"
    case .identityRequired: "the file is encrypted to a key, not with a passphrase"
    case .wrongPassphrase: "wrong passphrase"
    case .workFactorTooHigh(let found, let limit):
      "the passphrase has scrypt work factor \(found), which requires \(Self.memory(found)); the limit is \(limit)"
    case .passphraseDerivationFailed(let factor):
      "cannot derive a key with scrypt work factor \(factor), which requires \(Self.memory(factor)) of memory"
    case .malformedKey(let reason): "invalid key: \(reason)"
    case .noRecipients: "no recipient to encrypt to"
    default: "the passphrase is empty"
    }
  }

  /// The memory of scrypt with r = 8: 1 KiB times 2 to the power of `workFactor`.
  private static func memory(_ workFactor: Int) -> String {
    guard (10..<60).contains(workFactor) else {
      return workFactor < 10 ? "less than 1 MiB" : "too much memory"
    }
    return "\(1 << (workFactor - 10)) MiB"
  }
}
