import Age
import Localization
import NetworkCommands
import Platform
import Sync

/// Reads passphrases and recovery keys, from files or from the terminal.
enum SecretInput {
  /// A new passphrase, typed twice.
  static func newPassphrase(_ file: String?, of what: String? = nil) throws -> Passphrase {
    if let file {
      let text = try text(ofFile: file)
      if isShort(text) {
        printWarning(shortPassphrase)
      }
      return try passphrase(VaultSecret(text))
    }
    let prompt = try terminal()
    let question =
      what.map { localized("New passphrase of \($0): ") } ?? localized("New passphrase of the folder: ")
    guard let text = prompt.secret(question), !text.isEmpty else {
      throw SyncFailure.noInput
    }
    if isShort(text) { try confirm(localized("warning: \(shortPassphrase)")) }
    guard prompt.secret(localized("The same passphrase again: ")) == text else {
      throw SyncFailure(Phrase("the two passphrases differ; nothing was changed"))
    }
    return try passphrase(VaultSecret(text))
  }

  /// Everyone who has the folder can try passphrases without limit: scrypt makes each attempt slow, and only the length makes them
  /// many.
  private static func isShort(_ text: String) -> Bool { text.count < shortestSafe }

  private static let shortestSafe = 12

  private static var shortPassphrase: Phrase {
    Phrase(
      """
      the passphrase has fewer than \(shortestSafe) characters, and everyone who has the folder can try passphrases. Four \
      random words are safer.
      """)
  }

  /// The passphrase or the recovery key of a vault.
  static func secret(_ options: SecretOptions, _ question: String) throws -> VaultSecret {
    if let file = options.passphraseFile { return try VaultSecret(text(ofFile: file)) }
    guard let text = try terminal().secret("\(question): "), !text.isEmpty else { throw SyncFailure.noInput }
    return try VaultSecret(text)
  }

  /// The passphrase of a vault.
  static func passphrase(_ options: SecretOptions) throws -> Passphrase {
    try passphrase(secret(options, localized("Passphrase of the folder")))
  }

  /// Asks to type the recovery key again, until it is right.
  static func confirm(recoveryKey: String, _ prompt: borrowing TerminalPrompt) throws {
    prompt.show(
      localized(
        "The recovery key opens the folder if the passphrase is lost. Write it on paper; it is not stored in the folder."
      ) + "\n\n\(grouped(recoveryKey))\n\n\n")
    while true {
      guard let text = prompt.line(localized("Type the recovery key again: ")) else {
        throw SyncFailure.noInput
      }
      if text.filter({ !$0.isWhitespace }).uppercased() == recoveryKey { return }
      prompt.show(localized("This is another text. Compare it with the key above.") + "\n")
    }
  }

  /// `AGE-SECRET-KEY-1 QQQQQ ...`: groups of five characters, which are easier to copy. Where a key is typed, spaces are ignored.
  private static func grouped(_ key: String) -> String {
    let prefix = "AGE-SECRET-KEY-1"
    let characters = Array(key.dropFirst(prefix.count))
    let groups = stride(from: 0, to: characters.count, by: 5).map {
      String(characters[$0..<min($0 + 5, characters.count)])
    }
    return ([prefix] + groups).joined(separator: " ")
  }

  /// Asks for `yes`.
  static func confirm(_ question: String) throws {
    guard let prompt = TerminalPrompt() else {
      throw SyncFailure(Phrase("there is no terminal to ask for confirmation; add --yes"), status: 64)
    }
    guard isYes(prompt.line(localized("\(question) Type yes to continue: "))) else {
      throw SyncFailure(Phrase("not confirmed; nothing was changed"))
    }
  }

  /// Whether an answer is the word, in English or in the language of the process.
  private static func isYes(_ answer: String?) -> Bool { answer == "yes" || answer == localized("yes") }

  static func terminal() throws -> TerminalPrompt {
    guard let prompt = TerminalPrompt() else {
      throw SyncFailure(
        Phrase("there is no terminal to ask for the passphrase; add --passphrase-file PATH"), status: 64)
    }
    return prompt
  }

  private static func text(ofFile path: String) throws -> String {
    let file = try PassphraseFile(path)
    if file.isExposed {
      printWarning(Phrase("other users can read \(path); type: chmod 600 \(path)"))
    }
    return file.text
  }

  private static func passphrase(_ secret: VaultSecret) throws -> Passphrase {
    guard case .passphrase(let passphrase) = secret else {
      throw SyncFailure(Phrase("this is a recovery key; this command needs the passphrase"))
    }
    return passphrase
  }
}
