import Localization
import Sync

/// A failure of a command, with its exit code.
struct SyncFailure: Error {
  /// Stored in English for `sync status`.
  let message: FolderMessage
  let status: Int32

  init(_ phrase: Phrase, status: Int32 = 1) {
    (message, self.status) = (FolderMessage(phrase), status)
  }

  /// The error of any module. The folder is inserted in the commands that messages propose.
  init(_ error: any Error, folder: String?) {
    if let failure = error as? SyncFailure {
      self = failure
    } else {
      (message, status) = (FolderMessage(Phrase(of: error), folder), Self.status(of: error))
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
