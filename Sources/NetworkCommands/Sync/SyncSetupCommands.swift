import ArgumentParser
import Localization
import Platform

/// `stressmon sync init`.
struct SyncInitCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", _superCommandName: SyncCommand.name,
    abstract: localized("Create an encrypted folder, and exchange the history with it."),
    discussion: localized(
      """
      Asks twice for a new passphrase, which other machines need to join. Then prints the recovery key, which opens \
      the folder if the passphrase is lost, and asks to type it again: write it on paper. With --yes, the recovery key \
      is printed, and not asked for. FOLDER is created if it does not exist; it must be empty.
      """) + "\n\n"
      + examples(
        "stressmon sync init ~/Sync/stressmon",
        "stressmon sync init /media/usb/stressmon --passphrase-file passphrase.txt --yes"))

  @Argument(help: .localized("The folder that another program copies."), completion: .directory)
  var folder: String

  @OptionGroup var name: DeviceNameOption
  @OptionGroup var secret: SecretOptions
  @OptionGroup var confirmation: ConfirmationOption
  @OptionGroup var options: SyncOptions

  var request: NetworkRequest {
    .sync(
      .initialize(folder: folder, name: name.name, secret, isConfirmed: confirmation.isConfirmed), options)
  }
}

/// `stressmon sync join`.
struct SyncJoinCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", _superCommandName: SyncCommand.name,
    abstract: localized("Exchange the history with a folder that another machine created."),
    discussion: localized(
      """
      Asks for the passphrase or the recovery key. On a machine that has joined before, reads new keys: type it again \
      after another machine forgot a device or changed the passphrase.
      """) + "\n\n"
      + examples(
        "stressmon sync join ~/Sync/stressmon",
        "stressmon sync join ~/Sync/stressmon --passphrase-file passphrase.txt"))

  @Argument(help: .localized("The folder that the synchroniser has copied."), completion: .directory)
  var folder: String

  @OptionGroup var name: DeviceNameOption
  @OptionGroup var secret: SecretOptions
  @OptionGroup var options: SyncOptions

  var request: NetworkRequest { .sync(.join(folder: folder, name: name.name, secret), options) }
}

/// The name of a device in a vault.
struct DeviceNameOption: ParsableArguments, Sendable {
  @Option(
    name: .long,
    help: .localized("The name of this machine in 'stressmon sync devices' (default: the host name)."))
  var name: String?

  func validate() throws {
    guard let name else { return }
    // Other devices would display another name, which 'sync forget' does not find.
    guard !name.isEmpty, name.utf8.count <= 64, name == name.withoutControlCharacters else {
      throw ValidationError(localized("'--name' needs 1 to 64 printable bytes. Example: --name laptop"))
    }
  }
}

/// `stressmon sync leave`.
struct SyncLeaveCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave", _superCommandName: SyncCommand.name,
    abstract: localized("Stop exchanging the history: remove the keys of the folder from this machine."),
    discussion: localized(
      """
      The history of this machine and the files in the folder remain. 'stressmon sync join FOLDER' starts again.
      """) + "\n\n"
      + examples("stressmon sync leave"))

  @OptionGroup var confirmation: ConfirmationOption
  @OptionGroup var options: SyncOptions

  var request: NetworkRequest { .sync(.leave(isConfirmed: confirmation.isConfirmed), options) }
}
