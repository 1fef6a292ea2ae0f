import ArgumentParser
import Localization

/// `stressmon collect export`.
struct CollectExportCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", _superCommandName: CollectCommand.name,
    abstract: localized("Export the sessions of a participant from PostgreSQL to files."),
    discussion: localized(
      """
      Reads the sessions into a temporary private history, and runs 'stressmon export' on it with all other options.
      """) + "\n\n"
      + examples(
        "stressmon collect export P07 --database postgresql://reader@db1/lab --study sleep --output P07.csv",
        "stressmon collect export P07 --database postgresql://reader@db1/lab --study sleep --format bids --output data/"
      ))

  @Argument(help: .localized("The code of the participant."))
  var participant: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        The database: postgresql://USER@HOST[:PORT][,HOST...]/DATABASE; the password is in ~/.pgpass.
        """),
      valueName: "url"))
  var database: String

  @Option(name: .long, help: .localized("The code of the study."))
  var study: String

  @OptionGroup var keys: KeysOption

  @Argument(parsing: .allUnrecognized, help: .localized("Options of 'stressmon export'."))
  var options: [String] = []

  func validate() throws {
    for option in ["--db", "--profile", "--all"]
    where options.contains(where: { $0 == option || $0.hasPrefix(option + "=") }) {
      throw ValidationError(
        localized("\(option) selects data of this machine, and not of the participant; omit it"))
    }
  }

  var request: NetworkRequest {
    .collect(
      .export(
        participant: participant, database: database, study: study, keys: keys.path, options: options))
  }
}
