internal import Glibc
package import Localization
package import Platform

/// The directory beside a history that contains the keys of its vault (mode 0700, files 0600).
///
/// | file | content |
/// |---|---|
/// | `keys` | the identities, as an identity file of age |
/// | `key.age`, `key-<epoch>-<device>.age` | copies of the key files of the folder, encrypted with the passphrase |
/// | `status.json` | the result of the last sync |
/// | `lock` | ``SyncLock`` |
package struct KeyStore: Sendable {
  package let directory: String

  private static let sizeLimit = 1 << 16

  /// - Parameter database: The path of the history.
  package init(besideHistory database: String) { directory = database + ".sync" }

  package var keysPath: String { directory + "/keys" }
  package var lockPath: String { directory + "/lock" }
  package var statusPath: String { directory + "/status.json" }

  /// Creates the directory.
  package func create() throws(FileError) { try Folder.create(directory) }

  /// The keys, if there is a key file.
  /// - Throws: ``KeyStoreError``.
  package func load() throws(KeyStoreError) -> KeyRing? {
    guard let bytes = try read() else { return nil }
    return try KeyRing(bytes, path: keysPath)
  }

  /// The content of the file, if it exists.
  private func read() throws(KeyStoreError) -> [UInt8]? {
    do throws(FileError) {
      guard let bytes = try ByteSource(path: keysPath).readAll(limit: Self.sizeLimit) else {
        throw FileError(errno: EFBIG, path: keysPath)
      }
      return bytes
    } catch {
      if error.code == .notFound { return nil }
      throw .file(error)
    }
  }

  /// Replaces the keys atomically.
  package func save(_ ring: KeyRing) throws(FileError) {
    try create()
    try OutputFile(path: keysPath, replacing: true).write(ring.bytes)
  }

  /// Whether other users may read the keys, for example after a restore from a backup.
  package var isExposed: Bool {
    var status = stat()
    return unsafe stat(keysPath, &status) == 0 && status.st_mode & 0o077 != 0
  }

  /// Removes all files.
  package func remove() throws(FileError) {
    for name in Folder.names(in: directory) where unsafe unlink("\(directory)/\(name)") != 0 {
      throw FileError(errno: errno, path: "\(directory)/\(name)")
    }
    guard unsafe rmdir(directory) == 0 || errno == ENOENT else {
      throw FileError(errno: errno, path: directory)
    }
  }
}

// MARK: - Copies of key files

extension KeyStore {
  /// The encrypted key files, by name.
  package func copies() throws(FileError) -> [String: [UInt8]] {
    var copies: [String: [UInt8]] = [:]
    for name in Folder.names(in: directory) where KeyFile.isName(name) {
      copies[name] = try ByteSource(path: "\(directory)/\(name)").readAll(limit: Self.sizeLimit)
    }
    return copies
  }

  /// Replaces the copy of a key file atomically.
  package func saveCopy(_ bytes: [UInt8], name: String) throws(FileError) {
    try create()
    try OutputFile(path: "\(directory)/\(name)", replacing: true).write(bytes)
  }
}

/// The reason why the keys of a history cannot be used. The description contains no key.
package enum KeyStoreError: Error, Equatable, Sendable, Translatable {
  case invalid(path: String)
  /// The history uses a key that is not in the file, for example after a partial restore from a backup.
  case missingKey(VaultKey)
  case file(FileError)

  /// The message in English.
  package var description: String { Language.english.text(message) }

  package var message: Phrase {
    switch self {
    case .invalid(let path):
      Phrase(
        """
        \(path) is damaged; read the keys again with the passphrase or the recovery key: stressmon sync join FOLDER
        """)
    case .missingKey(let key):
      Phrase(
        """
        the key with epoch \(key.epoch) of this device is missing; read the keys again with the passphrase or the recovery key: \
        stressmon sync join FOLDER
        """)
    case .file(let error): error.message
    }
  }
}
