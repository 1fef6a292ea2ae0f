import Age
import Sync

/// A failure of a command, with its exit code.
struct SyncFailure: Error, CustomStringConvertible {
  let description: String
  let status: Int32

  init(_ description: String, status: Int32 = 1) { (self.description, self.status) = (description, status) }

  /// The error of any module. The folder is inserted in the commands that messages propose.
  init(_ error: any Error, folder: String?) {
    if let failure = error as? SyncFailure {
      self = failure
    } else {
      self.init(Self.message(error).naming(folder), status: Self.status(of: error))
    }
  }

  static let noInput = SyncFailure("the input ended before the answer; nothing was changed")
  static let notJoined = SyncFailure(
    """
    this history exchanges nothing yet; type: stressmon sync init FOLDER, or on a second machine: stressmon sync join FOLDER
    """)

  private static func message(_ error: any Error) -> String {
    switch error {
    case AgeError.wrongPassphrase:
      "wrong passphrase; try again, or type the recovery key in: stressmon sync join FOLDER"
    default: String(describing: error)
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
