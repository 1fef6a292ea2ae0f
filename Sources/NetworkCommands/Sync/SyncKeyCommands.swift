import ArgumentParser
import Localization

/// `stressmon sync forget`.
struct SyncForgetCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", _superCommandName: SyncCommand.name,
    abstract: localized("Exclude a lost or sold device: it cannot read data that are written from now on."),
    discussion: localized(
      """
      Prints which data the device could read before. Then creates a new key, and asks for the passphrase to encrypt \
      it. Each other device asks for the passphrase once, in 'stressmon sync join FOLDER'. The recovery key changes.
      """) + "\n\n"
      + examples("stressmon sync forget phone"))

  @Argument(
    help: .localized("The name of the device, or the beginning of its ID, from 'stressmon sync devices'."))
  var device: String

  @OptionGroup var secret: SecretOptions
  @OptionGroup var confirmation: ConfirmationOption
  @OptionGroup var options: SyncOptions

  var request: NetworkRequest {
    .sync(.forget(device: device, secret, isConfirmed: confirmation.isConfirmed), options)
  }
}

/// `stressmon sync passphrase`.
struct SyncPassphraseCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "passphrase", _superCommandName: SyncCommand.name,
    abstract: localized("Change the passphrase of the folder."),
    discussion: localized(
      """
      Asks for the current passphrase, or the recovery key, and twice for the new one. The keys do not change: a copy \
      of an older key file can still be opened with the previous passphrase.
      """) + "\n\n"
      + examples(
        "stressmon sync passphrase",
        "stressmon sync passphrase --passphrase-file old.txt --new-passphrase-file new.txt"))

  @Option(
    name: .long, help: .localized("Read the new passphrase from the first line of this file."),
    completion: .file())
  var newPassphraseFile: String?

  @OptionGroup var secret: SecretOptions
  @OptionGroup var options: SyncOptions

  var request: NetworkRequest {
    .sync(.changePassphrase(newFile: newPassphraseFile, secret), options)
  }
}

/// `stressmon sync recovery`.
struct SyncRecoveryCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "recovery", _superCommandName: SyncCommand.name,
    abstract: localized("Print the recovery key, after asking for the passphrase."),
    discussion: localized(
      """
      The output is an identity file of age: with it, 'age -d -i recovery-key.txt FILE' decrypts each file of the \
      folder.
      """) + "\n\n"
      + examples(
        "stressmon sync recovery",
        "stressmon sync recovery --passphrase-file passphrase.txt"))

  @OptionGroup var secret: SecretOptions
  @OptionGroup var options: SyncOptions

  var request: NetworkRequest { .sync(.recovery(secret), options) }
}
