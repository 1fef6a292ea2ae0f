import Fleet
import Glibc
import HeartRate
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
        printDiagnostic("stressmon: removed the sessions of \(counted(expired.count, "day"))")
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
    let steps = applied.isEmpty ? "is up to date" : "was migrated to version \(applied.last ?? 0)"
    printDiagnostic("stressmon: the schema stressmon \(steps)")
  }

  private func code(_ participant: String) throws(FleetError) -> FleetCode {
    guard let code = FleetCode(participant) else {
      throw FleetError(
        .usage, "'\(participant)' is not a code of a participant: 1 to 64 of the characters A-Z a-z 0-9 _ -")
    }
    return code
  }

  /// Prints the ticket of a participant.
  private func admit(_ participant: String, _ stream: String, _ path: String?) throws {
    let (code, server, keys) = (try code(participant), try NatsURL(stream), ParticipantKeyFile(option: path))
    printLine(try keys.admit(code, to: server.study).text)
    printDiagnostic(
      "stressmon: \(code) of the study \(server.study) has a key in \(keys.path). Copy the file to the other collectors first, then write "
        + "the ticket in place of the code into the participants of the receiver. Example: ann = SP1-...")
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
    printDiagnostic(
      "stressmon: removed \(counted(result.sessions, "session")) with \(counted(result.events, "event")) of \(code) from "
        + "PostgreSQL, and \(counted(result.messages, "message")) from the stream, and destroyed the key in \(keys.path). Replace the copies "
        + "of this file on other machines, and delete its backups (docs/fleet.md)")
  }

  private func confirm(_ participant: FleetCode, _ server: NatsURL) throws {
    guard let prompt = TerminalPrompt() else {
      throw FleetError(.usage, "collect forget asks for confirmation, and there is no terminal; add --yes")
    }
    let answer = prompt.line(
      "Remove all data of \(participant) of the study \(server.study) for ever? Type the code of the participant: "
    )
    guard answer == participant.text else { fail("nothing was removed") }
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
  switch error {
  case let error as PostgreSQLURL.Invalid: fail(error.description, status: 64)
  case let error as FleetError: fail(error.description, status: error.code == .usage ? 64 : 1)
  default: fail(String(describing: error))
  }
}
