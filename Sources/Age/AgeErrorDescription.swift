import Glibc

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
