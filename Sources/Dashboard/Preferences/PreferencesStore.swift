import Glibc
package import Localization
package import Platform

/// The preferences of the pages: a JSON file (mode 0600) that is replaced atomically.
package final class PreferencesStore: Sendable {
  package let path: String
  /// Locked from reading to writing, because concurrent requests must not undo one another's changes.
  private let writing = Locked(())
  /// Limit of the file in bytes.
  private static let longest = 64 << 10

  package init(path: String) { self.path = path }

  /// `dashboard.json` beside the file of the tokens.
  package convenience init(beside tokens: TokenStore) {
    self.init(path: Folder.parent(of: tokens.path) + "/dashboard.json")
  }

  /// The preferences; the default values without a file, and for a file that cannot be read.
  func preferences() -> PagePreferences { (try? stored()) ?? PagePreferences() }

  /// Changes the preferences.
  /// - Throws: ``PreferencesError``. A file that is damaged or has a later version is not replaced.
  func update(_ change: (inout PagePreferences) -> Void) throws(PreferencesError) {
    try writing.withLock { _ in
      Result { () throws(PreferencesError) in
        var preferences = try stored()
        change(&preferences)
        try write(preferences)
      }
    }.get()
  }

  /// - Throws: ``PreferencesError`` for a file that cannot be read.
  func stored() throws(PreferencesError) -> PagePreferences {
    guard unsafe access(path, F_OK) == 0 else { return PagePreferences() }
    do throws(FileError) {
      guard let bytes = try ByteSource(path: path).readAll(limit: Self.longest),
        let preferences = PagePreferences(json: bytes)
      else { throw FileError(.empty, path: path) }
      return preferences
    } catch {
      throw error.code == .empty ? .damaged(path: path) : .file(error)
    }
  }

  private func write(_ preferences: PagePreferences) throws(PreferencesError) {
    do throws(FileError) {
      try Folder.create(Folder.parent(of: path))
      try OutputFile(path: path, replacing: true).write(preferences.json)
    } catch { throw .file(error) }
  }
}

/// A failure of ``PreferencesStore``. The description states what to type next.
package enum PreferencesError: Error, Translatable {
  case damaged(path: String)
  case file(FileError)

  package var description: String { Language.english.text(message) }

  package var message: Phrase {
    switch self {
    case .damaged(let path):
      Phrase(
        """
        \(path) is damaged, or was written by a later version. Nothing was changed. Reset the appearance of the pages \
        with: rm \(path)
        """)
    case .file(let error): error.message
    }
  }
}
