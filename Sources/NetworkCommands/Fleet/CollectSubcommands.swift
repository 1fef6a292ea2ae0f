import ArgumentParser
import Localization

/// `stressmon collect run`, which is `stressmon collect`.
struct CollectRunCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", _superCommandName: CollectCommand.name,
    abstract: localized("Store the sessions of a study until Ctrl-C (default)."),
    discussion: localized(
      """
      Migrates the database, and creates the stream of the study or changes its limits and those of the study. When \
      the study accepts more sessions than before, collectors read the stream again as they start. While PostgreSQL or \
      NATS cannot be reached, nothing is acknowledged, and collect tries again. With --json, prints one health line \
      every 2 s (docs/reference/json.md).
      """) + "\n\n"
      + examples(
        "stressmon collect --from nats://n1,n2,n3/sleep --into postgresql://collector@db1,db2/lab --replicas 3",
        "stressmon collect --from nats://n1/sleep --into postgresql://collector@db1/lab --json --metrics 9464",
        "stressmon collect --from nats://n1/sleep --into postgresql://collector@db1/lab --accept-since 2025-01-01"
      ))

  @OptionGroup var options: CollectOptions

  var request: NetworkRequest { .collect(.run(options)) }
}

/// `stressmon collect setup`.
struct CollectSetupCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup", _superCommandName: CollectCommand.name,
    abstract: localized(
      """
      Create or migrate the tables, and create the roles stressmon_collector and stressmon_reader.
      """),
    discussion: localized(
      """
      The first time requires a user who may create roles and schemas. Afterwards, grant stressmon_collector to the \
      users of collectors and stressmon_reader to those who query, and insert the studies of the latter into \
      stressmon.study_member.
      """) + "\n\n"
      + examples("stressmon collect setup --into postgresql://postgres@db1/lab"))

  @OptionGroup var database: DatabaseOption

  var request: NetworkRequest { .collect(.setup(database: database.url)) }
}

/// `stressmon collect invite`.
struct CollectInviteCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite", _superCommandName: CollectCommand.name,
    abstract: localized("Create a user of nats-server for a receiver, and print a code for the receiver."),
    discussion: localized(
      """
      Adds a line with the public key of the receiver to the file of users, which can publish under its own name only. \
      The code contains the servers, the name, the secret key and the certificates of ca=FILE. It is printed once and \
      not stored. On the receiver, 'stressmon publish enroll' reads it. If the folder of the file contains an \
      executable apply-users, it runs with the file as its argument, to copy it to the other nats-servers and reload \
      them.
      """) + "\n\n"
      + examples(
        "sudo stressmon collect invite R1 --from tls://n1,n2,n3/sleep?ca=/etc/stressmon/fleet/ca.pem"))

  @OptionGroup var receiver: ReceiverOptions

  var request: NetworkRequest {
    .collect(.invite(receiver: receiver.name, stream: receiver.stream.url, users: receiver.users))
  }
}

/// `stressmon collect revoke`.
struct CollectRevokeCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", _superCommandName: CollectCommand.name,
    abstract: localized("Remove the user of a receiver from nats-server, for example after a theft."),
    discussion: localized(
      """
      The sessions of the receiver remain. nats-server ends its connection when it reads the file again, as with \
      'collect invite'. To give a receiver another key, revoke and invite it again under the same name.
      """) + "\n\n"
      + examples("sudo stressmon collect revoke R1 --from tls://n1,n2,n3/sleep"))

  @OptionGroup var receiver: ReceiverOptions

  var request: NetworkRequest {
    .collect(.revoke(receiver: receiver.name, stream: receiver.stream.url, users: receiver.users))
  }
}

/// The receiver of a study, and the file of the users of nats-server.
struct ReceiverOptions: ParsableArguments, Sendable {
  @Argument(help: .localized("The name of the receiver in the study."))
  var name: String

  @OptionGroup var stream: StreamOption

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("The users of nats-server (default: /etc/stressmon/fleet/users.conf)."), valueName: "file"),
    completion: .file())
  var users: String?
}

/// `stressmon collect admit`.
struct CollectAdmitCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "admit", _superCommandName: CollectCommand.name,
    abstract: localized(
      "Create the key and the pseudonym of a participant, and print the ticket for receivers."),
    discussion: localized(
      """
      Write the ticket in place of the code into the participants of a receiver, which then encrypts everything to the \
      key and sends the pseudonym in place of the code. Collectors read the key from the file of keys, which every \
      machine with a collector needs. 'collect forget' destroys the key. Repeating the command prints the same ticket.
      """) + "\n\n"
      + examples("stressmon collect admit P07 --from nats://n1/sleep"))

  @Argument(help: .localized("The code of the participant."))
  var participant: String

  @OptionGroup var stream: StreamOption
  @OptionGroup var keys: KeysOption

  var request: NetworkRequest {
    .collect(.admit(participant: participant, stream: stream.url, keys: keys.path))
  }
}

/// `stressmon collect forget`.
struct CollectForgetCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", _superCommandName: CollectCommand.name,
    abstract: localized(
      "Remove a participant from PostgreSQL and from the stream for ever, and destroy the key."),
    discussion: localized(
      """
      The table stressmon.erasure keeps the pseudonym, or the code of a participant without a key, and the time. \
      Messages that arrive later are discarded. The receivers still contain the data. Copies of the stream are \
      unreadable without the key; backups of PostgreSQL and its write-ahead log contain the pseudonym until they \
      expire (docs/fleet.md).
      """) + "\n\n"
      + examples(
        "stressmon collect forget P07 --from nats://n1/sleep --into postgresql://collector@db1/lab"))

  @Argument(help: .localized("The code of the participant."))
  var participant: String

  @OptionGroup var stream: StreamOption
  @OptionGroup var database: DatabaseOption
  @OptionGroup var keys: KeysOption
  @OptionGroup var confirmation: ConfirmationOption

  var request: NetworkRequest {
    .collect(
      .forget(
        participant: participant, stream: stream.url, database: database.url, keys: keys.path,
        isConfirmed: confirmation.isConfirmed))
  }
}

/// `stressmon collect expire`.
struct CollectExpireCommand: NetworkCommand {
  static let configuration = CommandConfiguration(
    commandName: "expire", _superCommandName: CollectCommand.name,
    abstract: localized("Remove old sessions of all studies from PostgreSQL, whole days at a time."),
    discussion: localized(
      """
      A day is the UTC day on which its sessions started. It is removed if the last of their data was received before \
      that age, too. Prints the removed days.
      """) + "\n\n"
      + examples(
        "stressmon collect expire --older-than 400d --into postgresql://collector@db1/lab"))

  @Option(name: .long, help: .localized("The age in days, such as 400d."))
  var olderThan: SpanArgument

  @OptionGroup var database: DatabaseOption

  func validate() throws {
    guard olderThan.seconds.isMultiple(of: 86_400) else {
      throw ValidationError(localized("'--older-than' needs a number of days. Example: --older-than 400d"))
    }
  }

  var request: NetworkRequest { .collect(.expire(database: database.url, days: olderThan.seconds / 86_400)) }
}
