import Localization
import NetworkCommands
import Platform

/// A sentence about a vault. In the commands that it proposes, FOLDER is replaced by the folder of the vault.
struct FolderMessage: Equatable, CustomStringConvertible {
  private let phrase: Phrase
  private let folder: String?

  init(_ phrase: Phrase, _ folder: String? = nil) { (self.phrase, self.folder) = (phrase, folder) }

  /// The sentence in English, as files and JSON contain it.
  var description: String { Language.english.text(phrase).withoutControlCharacters.naming(folder) }

  /// The sentence in the language of the process.
  var text: String { localized(phrase).withoutControlCharacters.naming(folder) }
}

extension String {
  /// Replaces FOLDER in proposed commands by the folder of the vault.
  func naming(_ folder: String?) -> String {
    folder.map { replacing("sync join FOLDER", with: "sync join \($0.shellQuoted)") } ?? self
  }

  /// As a word of a shell command.
  private var shellQuoted: String {
    let plain = allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+:@".contains($0)) }
    return plain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
