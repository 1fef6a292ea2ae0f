package import ArgumentParser
import Localization
import Platform

/// `stressmon sync`.
package struct SyncCommand: NetworkCommand {
  static let name = "\(programName) sync"

  package static let configuration = CommandConfiguration(
    commandName: "sync", _superCommandName: programName,
    abstract: localized(
      "Exchange the history with your other machines through an encrypted folder (stressmon-net)."),
    discussion: localized(
      """
      The folder is copied by another program, such as Syncthing or Nextcloud, or is on a USB stick. All files in it are \
      encrypted (age, X25519). docs/guide/sync.md describes the first steps, docs/privacy.md what the encryption protects.
      """) + "\n\n"
      + examples(
        "stressmon sync init ~/Sync/stressmon     " + localized("on the first machine"),
        "stressmon sync join ~/Sync/stressmon     " + localized("on each other machine"),
        "stressmon sync                           " + localized("exchanges everything now"),
        "stressmon sync --watch                   " + localized("exchanges after each change, until Ctrl-C")),
    version: programVersion,
    subcommands: [
      SyncNowCommand.self, SyncInitCommand.self, SyncJoinCommand.self, SyncStatusCommand.self,
      SyncDevicesCommand.self, SyncForgetCommand.self, SyncPassphraseCommand.self, SyncRecoveryCommand.self,
      SyncLeaveCommand.self,
    ],
    defaultSubcommand: SyncNowCommand.self)

  package init() {}

  package var request: NetworkRequest {
    .sync(.now(watch: false, asJSON: false, isVerbose: false), SyncOptions())
  }
}

/// What `stressmon sync` does.
package enum SyncAction: Sendable {
  case initialize(folder: String, name: String?, SecretOptions, isConfirmed: Bool)
  case join(folder: String, name: String?, SecretOptions)
  case now(watch: Bool, asJSON: Bool, isVerbose: Bool)
  case status(asJSON: Bool)
  case devices(asJSON: Bool)
  case forget(device: String, SecretOptions, isConfirmed: Bool)
  case changePassphrase(newFile: String?, SecretOptions)
  case recovery(SecretOptions)
  case leave(isConfirmed: Bool)
}

/// The options that all commands of `stressmon sync` have.
package struct SyncOptions: ParsableArguments, Sendable {
  @Option(
    name: .customLong("db"), help: .localized("The database file (default: that of 'stressmon history')."),
    completion: .file())
  package var database: String?

  package init() {}
}

/// The options of commands that ask for the passphrase.
package struct SecretOptions: ParsableArguments, Sendable {
  @Option(
    name: .long,
    help: .localized(
      """
      Read the passphrase from the first line of this file, not from the terminal (-: standard input).
      """),
    completion: .file())
  package var passphraseFile: String?

  package init() {}
}

/// The option of commands that ask for confirmation.
package struct ConfirmationOption: ParsableArguments, Sendable {
  @Flag(name: .customLong("yes"), help: .localized("Do not ask for confirmation."))
  package var isConfirmed = false

  package init() {}
}
