import Age
import NetworkCommands
import Platform
import Sync

/// Reads passphrases and recovery keys, from files or from the terminal.
enum SecretInput {
  /// A new passphrase, typed twice.
  static func newPassphrase(_ file: String?, of what: String = "the folder") throws -> Passphrase {
    if let file { return try passphrase(VaultSecret(text(ofFile: file))) }
    let prompt = try terminal()
    guard let text = prompt.secret("New passphrase of \(what): "), !text.isEmpty else {
      throw SyncFailure.noInput
    }
    guard prompt.secret("The same passphrase again: ") == text else {
      throw SyncFailure("the two passphrases differ; nothing was changed")
    }
    return try passphrase(VaultSecret(text))
  }

  /// The passphrase or the recovery key of a vault.
  static func secret(_ options: SecretOptions, _ question: String) throws -> VaultSecret {
    if let file = options.passphraseFile { return try VaultSecret(text(ofFile: file)) }
    guard let text = try terminal().secret("\(question): "), !text.isEmpty else { throw SyncFailure.noInput }
    return try VaultSecret(text)
  }

  /// The passphrase of a vault.
  static func passphrase(_ options: SecretOptions) throws -> Passphrase {
    try passphrase(secret(options, "Passphrase of the folder"))
  }

  /// Asks to type the recovery key again, until it is right.
  static func confirm(recoveryKey: String, _ prompt: borrowing TerminalPrompt) throws {
    prompt.show(
      """
      The recovery key opens the folder if the passphrase is lost. Write it on paper; it is not stored in the folder.

      \(recoveryKey)


      """)
    while true {
      guard let text = prompt.line("Type the recovery key again: ") else { throw SyncFailure.noInput }
      if text.filter({ !$0.isWhitespace }).uppercased() == recoveryKey { return }
      prompt.show("This is another text. Compare it with the key above.\n")
    }
  }

  /// Asks for `yes`.
  static func confirm(_ question: String) throws {
    guard let prompt = TerminalPrompt() else {
      throw SyncFailure("there is no terminal to ask for confirmation; add --yes", status: 64)
    }
    guard prompt.line("\(question) Type yes to continue: ") == "yes" else {
      throw SyncFailure("not confirmed; nothing was changed")
    }
  }

  static func terminal() throws -> TerminalPrompt {
    guard let prompt = TerminalPrompt() else {
      throw SyncFailure(
        "there is no terminal to ask for the passphrase; add --passphrase-file PATH", status: 64)
    }
    return prompt
  }

  private static func text(ofFile path: String) throws -> String {
    let file = try PassphraseFile(path)
    if file.isExposed {
      printDiagnostic("stressmon: warning: other users can read \(path); type: chmod 600 \(path)")
    }
    return file.text
  }

  private static func passphrase(_ secret: VaultSecret) throws -> Passphrase {
    guard case .passphrase(let passphrase) = secret else {
      throw SyncFailure("this is a recovery key; this command needs the passphrase")
    }
    return passphrase
  }
}
