package import Age
internal import Glibc
package import Platform

/// A text that opens a vault.
package enum VaultSecret: Sendable {
  case passphrase(Passphrase)
  /// The identity of a key of the vault.
  case recoveryKey(X25519Identity)

  private static let identityPrefix = "age-secret-key-1"

  /// A text that begins with `AGE-SECRET-KEY-1`, in either case, is a recovery key.
  /// - Throws: ``AgeError/malformedKey(reason:)``, ``AgeError/emptyPassphrase``; without the text.
  package init(_ text: String) throws(AgeError) {
    if Self.isRecoveryKey(text) {
      self = .recoveryKey(try X25519Identity(text.filter { !$0.isWhitespace }))
    } else {
      self = .passphrase(try Passphrase(text))
    }
  }
}

extension VaultSecret {
  static func isRecoveryKey(_ text: String) -> Bool {
    text.filter { !$0.isWhitespace }.lowercased().hasPrefix(identityPrefix)
  }
}

/// A file whose first line is a passphrase or a recovery key. The output of `sync recovery` can be read, because comments
/// before a recovery key are skipped.
package struct PassphraseFile: Sendable {
  /// The first line, without its line feed and a preceding carriage return.
  package let text: String
  /// Whether other users may read the file.
  package let isExposed: Bool

  private static let sizeLimit = 1 << 16

  /// - Parameter path: `-` is standard input.
  /// - Throws: ``FileError``; with the code `empty` if the first line is empty.
  package init(_ path: String) throws(FileError) {
    guard let bytes = try ByteSource(path: path).readAll(limit: Self.sizeLimit) else {
      throw FileError(errno: EFBIG, path: path)
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
    let uncommented = lines.first { !$0.hasPrefix("#") }
    let isIdentityFile = uncommented.map(VaultSecret.isRecoveryKey) ?? false
    text = (isIdentityFile ? uncommented : lines.first) ?? ""
    guard !text.isEmpty else { throw FileError(.empty, path: path) }
    isExposed = path != "-" && Self.isReadableByOthers(path)
  }

  /// False for pipes, such as those of a shell's process substitution.
  private static func isReadableByOthers(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    return status.st_mode & 0o077 != 0
  }
}
