import ArgumentParser
import Localization

/// `stressmon sync now`, which is the default.
struct SyncNowCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", _superCommandName: SyncCommand.name,
    abstract: localized("Exchange everything with the folder."),
    discussion: localized(
      """
      Faults of the folder, such as missing or damaged files, are printed to standard error; everything else is \
      exchanged.
      """) + "\n\n"
      + examples("stressmon sync", "stressmon sync --watch"))

  @Flag(
    name: .long,
    help: .localized("Exchange after each change of the folder or the history, until Ctrl-C or SIGTERM."))
  var watch = false

  @Flag(name: .long, help: .localized("With --watch: also print exchanges without changes."))
  var verbose = false

  @Flag(name: .long, help: .localized("Print one JSON object per exchange."))
  var json = false

  @OptionGroup var options: SyncOptions

  func validate() throws {
    if verbose, !watch {
      throw ValidationError(
        localized("--verbose requires --watch. Example: stressmon sync --watch --verbose"))
    }
  }

  var request: NetworkRequest { .sync(.now(watch: watch, asJSON: json, isVerbose: verbose), options) }
}

/// `stressmon sync status`.
struct SyncStatusCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", _superCommandName: SyncCommand.name,
    abstract: localized("Print the folder, the last exchange, what is pending, and faults of the folder."),
    discussion: localized("Changes neither the folder nor the history.") + "\n\n"
      + examples("stressmon sync status"))

  @Flag(name: .long, help: .localized("Print one JSON object."))
  var json = false

  @OptionGroup var options: SyncOptions

  var request: NetworkRequest { .sync(.status(asJSON: json), options) }
}

/// `stressmon sync devices`.
struct SyncDevicesCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", _superCommandName: SyncCommand.name,
    abstract: localized("List the devices of the folder: name, time of their last file, sessions."),
    discussion: localized("Lists what the last exchange read.") + "\n\n"
      + examples("stressmon sync devices"))

  @Flag(name: .long, help: .localized("Print one JSON object per device."))
  var json = false

  @OptionGroup var options: SyncOptions

  var request: NetworkRequest { .sync(.devices(asJSON: json), options) }
}
