import Fleet
import Glibc
import HeartRate
import Localization
import NetworkCommands
import Platform

/// Runs the commands of `stressmon collect`.
struct Collect {
  let action: CollectAction

  func run() {
    do {
      switch action {
      case .run(let options): try CollectRun(options).run()
      case .setup(let database): try setUp(database)
      case .invite(let receiver, let stream, let users):
        try ReceiverUsers(receiver, stream, users: users).invite()
      case .revoke(let receiver, let stream, let users):
        try ReceiverUsers(receiver, stream, users: users).revoke()
      case .admit(let participant, let stream, let keys): try admit(participant, stream, keys)
      case .forget(let participant, let stream, let database, let keys, let isConfirmed):
        try forget(participant, stream, database, keys, isConfirmed: isConfirmed)
      case .expire(let database, let days):
        let expired = try Retention.expire(olderThan: days, PostgreSQLURL(database))
        for day in expired { printLine(day) }
        printMessage(
          Phrase(
            "removed the sessions of \(expired.count) day", "removed the sessions of \(expired.count) days",
            count: expired.count))
      case .export(let participant, let database, let study, let keys, let options):
        FleetExport(
          database: database, study: study, participant: participant, keys: ParticipantKeyFile(option: keys),
          options: options
        ).run()
      }
    } catch {
      failFleet(error)
    }
  }

  private func setUp(_ database: String) throws {
    let applied = try FleetDatabase.migrate(PostgreSQLURL(database))
    printMessage(
      applied.last.map { Phrase("the schema stressmon was migrated to version \($0)") }
        ?? Phrase("the schema stressmon is up to date"))
  }

  private func code(_ participant: String) throws(FleetError) -> FleetCode {
    guard let code = FleetCode(participant) else {
      throw FleetError(
        .usage,
        Phrase(
          """
          '\(participant)' is not a code of a participant: 1 to 64 of the characters A-Z a-z 0-9 _ -
          """))
    }
    return code
  }

  /// Prints the ticket of a participant.
  private func admit(_ participant: String, _ stream: String, _ path: String?) throws {
    let (code, server, keys) = (try code(participant), try NatsURL(stream), ParticipantKeyFile(option: path))
    printLine(try keys.admit(code, to: server.study).text)
    printMessage(
      Phrase(
        """
        \(code) of the study \(server.study) has a key in \(keys.path). Copy the file to the other collectors first, then write the \
        ticket in place of the code into the participants of the receiver. Example: ann = SP1-...
        """))
  }

  private func forget(
    _ participant: String, _ stream: String, _ database: String, _ path: String?, isConfirmed: Bool
  ) throws {
    let (code, keys) = (try code(participant), ParticipantKeyFile(option: path))
    let (server, url) = (try NatsURL(stream), try PostgreSQLURL(database))
    if !isConfirmed { try confirm(code, server) }
    try server.checkFiles()
    let result = try warningIfSlow { () throws(FleetError) in
      try ParticipantErasure(server, url, keys).run(code)
    }
    let (sessions, events, messages) = (Int(result.sessions), Int(result.events), Int(result.messages))
    let removed = Phrase("\(sessions) session", "\(sessions) sessions", count: sessions)
    let contained = Phrase("\(events) event", "\(events) events", count: events)
    let purged = Phrase("\(messages) message", "\(messages) messages", count: messages)
    printMessage(
      Phrase(
        """
        removed \(removed) with \(contained) of \(code) from PostgreSQL, and \(purged) from the stream, and destroyed the key in \
        \(keys.path). Replace the copies of this file on other machines, and delete its backups (docs/fleet.md)
        """))
  }

  private func confirm(_ participant: FleetCode, _ server: NatsURL) throws {
    guard let prompt = TerminalPrompt() else {
      throw FleetError(
        .usage, Phrase("collect forget asks for confirmation, and there is no terminal; add --yes"))
    }
    let answer = prompt.line(
      localized(
        """
        Remove all data of \(participant) of the study \(server.study) for ever? Type the code of the participant:
        """) + " ")
    guard answer == participant.text else { fail(Phrase("nothing was removed")) }
  }
}

extension ParticipantKeyFile {
  /// The file of the option `--keys`.
  init(option path: String?) {
    self.init(path: path ?? Self.defaultPath(.current))
  }
}

/// Ends the program after a failed command of a fleet, with the exit code 64 for errors in its arguments.
func failFleet(_ error: any Error) -> Never {
  let isUsage = error is PostgreSQLURL.Invalid || (error as? FleetError)?.code == .usage
  fail(Phrase(describing: error), status: isUsage ? 64 : 1)
}
