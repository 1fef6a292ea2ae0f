import Age
import Localization
import NetworkCommands
import Sync

/// A failure of a command, with its exit code.
struct SyncFailure: Error, CustomStringConvertible {
  private let phrase: Phrase
  private let folder: String?
  let status: Int32

  init(_ phrase: Phrase, status: Int32 = 1) { self.init(phrase, folder: nil, status: status) }

  private init(_ phrase: Phrase, folder: String?, status: Int32) {
    (self.phrase, self.folder, self.status) = (phrase, folder, status)
  }

  /// The message in English, as it is stored for `sync status`.
  var description: String { Language.english.text(phrase).naming(folder) }

  /// The message in the language of the process.
  var text: String { localized(phrase).naming(folder) }

  /// The error of any module. The folder is inserted in the commands that messages propose.
  init(_ error: any Error, folder: String?) {
    if let failure = error as? SyncFailure {
      self = failure
    } else {
      self.init(Self.message(error), folder: folder, status: Self.status(of: error))
    }
  }

  static let noInput = SyncFailure(Phrase("the input ended before the answer; nothing was changed"))
  static let notJoined = SyncFailure(
    Phrase(
      """
      this history exchanges nothing yet; type: stressmon sync init FOLDER, or on a second machine: stressmon sync join FOLDER
      """))

  private static func message(_ error: any Error) -> Phrase {
    switch error {
    case AgeError.wrongPassphrase:
      Phrase("wrong passphrase; try again, or type the recovery key in: stressmon sync join FOLDER")
    default: Phrase(untranslated: String(describing: error))
    }
  }

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
