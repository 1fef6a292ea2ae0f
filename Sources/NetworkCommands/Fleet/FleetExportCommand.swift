package import ArgumentParser
import Localization
import Platform

/// `stressmon export --from postgresql://...`. Without such a URL, `export` is a command of `stressmon`.
package struct FleetExportCommand: NetworkCommand {
  package static let configuration = CommandConfiguration(
    commandName: "\(programName) export",
    abstract: localized("Export the sessions of a participant of the fleet to files (stressmon-net)."),
    discussion: localized(
      """
      Reads the sessions from PostgreSQL into a temporary private history, and runs 'stressmon export' on it with all \
      other options.
      """) + "\n\n"
      + examples(
        "stressmon export --from postgresql://reader@db1/lab --study sleep --participant P07 --output P07.csv",
        "stressmon export --from postgresql://reader@db1/lab --study sleep --participant P07 --format bids --output data/"
      ),
    version: programVersion)

  @Option(name: .long, help: .localized("The database; a second --from is an option of 'stressmon export'."))
  var from: [String]

  @Option(name: .long, help: .localized("The code of the study."))
  var study: String

  @Option(name: .long, help: .localized("The code of the participant."))
  var participant: String

  @OptionGroup var keys: KeysOption

  @Argument(parsing: .allUnrecognized, help: .localized("Options of 'stressmon export'."))
  var options: [String] = []

  package init() {}

  /// Whether the arguments of `stressmon` request an export of the fleet: `--from` with a URL of any scheme, or an option that only
  /// this command has.
  package static func isRequested(_ arguments: [String]) -> Bool {
    guard arguments.first == "export" else { return false }
    return zip(arguments, arguments.dropFirst()).contains { $0 == "--from" && $1.contains("://") }
      || arguments.contains { argument in
        argument.hasPrefix("--from=") && argument.contains("://")
          || argument == "--study" || argument.hasPrefix("--study=")
      }
  }

  private static func isURL(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  package func validate() throws {
    guard from.count(where: Self.isURL) == 1 else {
      throw ValidationError(
        localized(
          "the export of a participant of a fleet needs one database. Example: --from postgresql://reader@db1/lab"
        )
      )
    }
    for option in ["--db", "--profile", "--all"]
    where options.contains(where: { $0 == option || $0.hasPrefix(option + "=") }) {
      throw ValidationError(
        localized("\(option) selects data of this machine; omit it with --from postgresql://..."))
    }
  }

  package var request: NetworkRequest {
    let others = from.filter { !Self.isURL($0) }.flatMap { ["--from", $0] }
    return .exportFleet(
      database: from.first(where: Self.isURL) ?? "", study: study, participant: participant, keys: keys.path,
      options: options + others)
  }
}
