package import ArgumentParser
import Localization
import Platform

/// `stressmon collect`.
package struct CollectCommand: NetworkCommand {
  static let name = "\(programName) collect"

  package static let configuration = CommandConfiguration(
    commandName: "collect", _superCommandName: programName,
    abstract: localized("Store the sessions of many receivers in PostgreSQL (stressmon-net)."),
    discussion: localized(
      """
      Receivers publish their sessions with 'stressmon publish nats://...'. collect stores them, computes measurements \
      with the same engine, and acknowledges a message after its transaction is committed. Several collectors of a \
      study divide the work and take over from one another within 10 s. docs/fleet.md describes the servers.
      """) + "\n\n"
      + examples(
        "stressmon collect setup --into postgresql://postgres@db1/lab",
        "stressmon collect invite R1 --from tls://n1,n2,n3/sleep?ca=ca.pem",
        "stressmon collect admit P07 --from nats://n1/sleep",
        "stressmon collect --from nats://n1,n2,n3/sleep --into postgresql://collector@db1,db2/lab",
        "stressmon collect forget P07 --from nats://n1/sleep --into postgresql://collector@db1/lab",
        "stressmon collect export P07 --database postgresql://reader@db1/lab --study sleep --output P07.csv"
      ),
    version: programVersion,
    subcommands: [
      CollectRunCommand.self, CollectSetupCommand.self, CollectInviteCommand.self, CollectRevokeCommand.self,
      CollectAdmitCommand.self, CollectForgetCommand.self, CollectExpireCommand.self,
      CollectExportCommand.self,
    ],
    defaultSubcommand: CollectRunCommand.self)

  package init() {}

  package var request: NetworkRequest { preconditionFailure("the default subcommand is parsed instead") }
}

/// What `stressmon collect` does.
package enum CollectAction: Sendable {
  case run(CollectOptions)
  case setup(database: String)
  case invite(receiver: String, stream: String, users: String?)
  case revoke(receiver: String, stream: String, users: String?)
  case admit(participant: String, stream: String, keys: String?)
  case forget(participant: String, stream: String, database: String, keys: String?, isConfirmed: Bool)
  case expire(database: String, days: Int)
  /// The options are those of `stressmon export`.
  case export(participant: String, database: String, study: String, keys: String?, options: [String])
}

/// The options of `collect`.
package struct CollectOptions: ParsableArguments, Sendable {
  @OptionGroup package var stream: StreamOption
  @OptionGroup package var database: DatabaseOption
  @OptionGroup package var keys: KeysOption

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("Servers that store each message of the stream: 1, 3 or 5 (new stream: 1)."),
      valueName: "count"))
  package var replicas: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("Age at which the stream removes messages, such as 30d or 12h (new stream: never)."),
      valueName: "time"))
  package var maxAge: SpanArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("Size at which the stream accepts no further messages, such as 50G (new stream: unlimited)."),
      valueName: "size"))
  package var maxBytes: SizeArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        First day of sessions that the study accepts (new study: 30 days ago). Others go to stressmon.rejected.
        """),
      valueName: "date"))
  package var acceptSince: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        Days without sessions that a receiver can add per hour (new study: 100), such as 400 for a long history.
        """),
      valueName: "count"))
  package var newDays: Int?

  @Flag(name: .long, help: .localized("Print the counts of messages to standard error once a minute."))
  package var verbose = false

  @Flag(name: .long, help: .localized("Print the state as one JSON object every 2 s."))
  package var json = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("Serve metrics for Prometheus on 127.0.0.1 at this port; 0 chooses one."), valueName: "port"))
  package var metrics: Int?

  package init() {}

  package func validate() throws {
    if let maxBytes, maxBytes.bytes < 1 << 20 {
      throw ValidationError(
        localized("'--max-bytes' is too small: at least 1M is required. Example: --max-bytes 50G"))
    }
    if let replicas, ![1, 3, 5].contains(replicas) {
      throw ValidationError(
        localized("'--replicas \(replicas)' is not valid: expected 1, 3 or 5. Example: --replicas 3"))
    }
    if let newDays, !(1...100_000).contains(newDays) {
      throw ValidationError(
        localized("'--new-days \(newDays)' is out of range: expected 1 to 100000. Example: --new-days 400"))
    }
    if let metrics, !(0...65535).contains(metrics) {
      throw ValidationError(
        localized("'--metrics \(metrics)' is out of range: expected 0 to 65535. Example: --metrics 9464"))
    }
  }
}

/// The option `--from` of the stream.
package struct StreamOption: ParsableArguments, Sendable {
  @Option(
    name: .customLong("from"),
    help: ArgumentHelp(
      localized(
        """
        The study: nats://HOST[:PORT][,HOST...]/STUDY[?credentials=FILE&ca=FILE&cert=FILE&key=FILE].
        """),
      valueName: "url"))
  package var url: String

  package init() {}
}

/// The option `--into` of the database.
package struct DatabaseOption: ParsableArguments, Sendable {
  @Option(
    name: .customLong("into"),
    help: ArgumentHelp(
      localized(
        """
        The database: postgresql://USER@HOST[:PORT][,HOST...]/DATABASE; the password is in ~/.pgpass.
        """),
      valueName: "url"))
  package var url: String

  package init() {}
}

/// The option `--keys`.
package struct KeysOption: ParsableArguments, Sendable {
  @Option(
    name: .customLong("keys"),
    help: ArgumentHelp(
      localized("The keys of the participants (default: ~/.config/stressmon/participants.keys)."),
      valueName: "file"),
    completion: .file())
  package var path: String?

  package init() {}
}

/// A time span: a number with the suffix s, m, h or d.
package struct SpanArgument: ExpressibleByArgument, Equatable, Sendable {
  package let seconds: Int

  package init?(argument: String) {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = argument.last.flatMap({ units[$0] }), let count = Int(argument.dropLast()), count > 0,
      count <= 100_000_000
    else { return nil }
    seconds = count * unit
  }
}

/// A number of bytes, with the suffix K, M, G or T for multiples of 1024 as in the options of NATS.
package struct SizeArgument: ExpressibleByArgument, Equatable, Sendable {
  package let bytes: Int64

  package init?(argument: String) {
    let units: [Character: Int64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40]
    let unit = argument.last.flatMap { units[$0] }
    let digits = unit == nil ? argument : String(argument.dropLast())
    guard let count = Int64(digits), count > 0 else { return nil }
    let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: unit ?? 1)
    guard !isTooLarge else { return nil }
    self.bytes = bytes
  }
}
