import Age
import Localization
import NetworkCommands
import Platform
import Sync

/// A failure of a command, with its exit code.
struct SyncFailure: Error {
  /// Stored in English for `sync status`.
  let message: FolderMessage
  let status: Int32

  init(_ phrase: Phrase, status: Int32 = 1) { self.init(FolderMessage(phrase), status: status) }

  private init(_ message: FolderMessage, status: Int32) { (self.message, self.status) = (message, status) }

  /// The error of any module. The folder is inserted in the commands that messages propose.
  init(_ error: any Error, folder: String?) {
    if let failure = error as? SyncFailure {
      self = failure
    } else {
      let message = (error as? AgeError)?.message ?? Phrase(describing: error)
      self.init(FolderMessage(message, folder), status: Self.status(of: error))
    }
  }

  static let noInput = SyncFailure(Phrase("the input ended before the answer; nothing was changed"))
  static let notJoined = SyncFailure(
    Phrase(
      """
      this history exchanges nothing yet; type: stressmon sync init FOLDER, or on a second machine: stressmon sync join FOLDER
      """))

  /// 3 for content that cannot be trusted or read.
  private static func status(of error: any Error) -> Int32 {
    switch error {
    case VaultError.forgedRecipient, VaultError.invalidDescription, VaultError.newerFormat,
      VaultError.invalidKeyFile, VaultError.noLaterKey, KeyStoreError.invalid:
      3
    default: 1
    }
  }
}

extension AgeError {
  /// The description as a phrase. Faults of the format of a file are described in English.
  fileprivate var message: Phrase {
    switch self {
    case .wrongPassphrase:
      Phrase("wrong passphrase; try again, or type the recovery key in: stressmon sync join FOLDER")
    case .emptyPassphrase: Phrase("the passphrase is empty")
    case .malformedKey(let reason): Phrase("invalid key: \(reason)")
    default: Phrase(untranslated: description)
    }
  }
}

/// A sentence about a vault. In the commands that it proposes, FOLDER is replaced by the folder of the vault.
struct FolderMessage: Equatable, CustomStringConvertible {
  private let phrase: Phrase
  private let folder: String?

  init(_ phrase: Phrase, _ folder: String? = nil) { (self.phrase, self.folder) = (phrase, folder) }

  /// The sentence in English, as files and JSON contain it.
  var description: String { Language.english.text(phrase).withoutControlCharacters.naming(folder) }

  /// The sentence in the language of the process.
  var text: String { localized(phrase).withoutControlCharacters.naming(folder) }

  /// Prints the sentence to standard error.
  func printAsWarning() { printWarning(Phrase(untranslated: text)) }
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
