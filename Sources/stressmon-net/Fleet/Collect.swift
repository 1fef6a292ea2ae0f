import Fleet
import Glibc
import HeartRate
import NetworkCommands
import Platform

/// Runs the commands of `stressmon collect`.
struct Collect {
  let action: CollectAction

  func run() {
    signal(SIGPIPE, SIG_IGN)
    do {
      switch action {
      case .run(let options): try collect(options)
      case .setup(let database): try setUp(database)
      case .forget(let participant, let stream, let database, let isConfirmed):
        try forget(participant, stream, database, isConfirmed: isConfirmed)
      case .expire(let database, let days):
        let expired = try Retention.expire(olderThan: days, PostgreSQLURL(database))
        for day in expired { printLine(day) }
        printDiagnostic("stressmon: removed \(expired.count) days of sessions")
      }
    } catch let error as PostgreSQLURL.Invalid {
      fail(error.description, status: 64)
    } catch let error as FleetError {
      fail(error.description, status: error.code == .usage ? 64 : 1)
    } catch {
      fail("\(error)")
    }
  }

  private func collect(_ options: CollectOptions) throws {
    let server = try FleetServer(options.stream.url)
    let database = try PostgreSQLURL(options.database.url)
    if let warning = server.warning { printDiagnostic("stressmon: warning: \(warning)") }
    let limits = StreamLimits(
      replicas: options.replicas, age: options.maxAge.map { .seconds($0.seconds) }, bytes: options.maxBytes?.bytes)
    let signals = SignalPipe([SIGINT, SIGTERM])
    let collector = try Collector(server, database, limits)
    let study = server.study.text
    let latest = Locked(collector.current)
    let metrics = try options.metrics.map { port in
      try MetricsServer(port: port) { latest.withLock(\.self).prometheus(study: study) }
    }
    if let metrics { printDiagnostic("stressmon: metrics: http://127.0.0.1:\(metrics.port)/metrics") }
    printDiagnostic("stressmon: collecting \(study) from \(server.description)")
    var reporter = CollectReporter(study: study, isJSON: options.json)
    collector.run(until: signals.descriptor) { status in
      latest.withLock { $0 = status }
      reporter.report(status)
    }
    withExtendedLifetime(metrics) {}
    if let number = signals.received { endProcess(with: number) }
  }

  private func setUp(_ database: String) throws {
    let applied = try FleetDatabase.migrate(PostgreSQLURL(database))
    let steps = applied.isEmpty ? "is up to date" : "was migrated to version \(applied.last ?? 0)"
    printDiagnostic("stressmon: the schema stressmon \(steps)")
  }

  private func forget(
    _ participant: String, _ stream: String, _ database: String, isConfirmed: Bool
  ) throws {
    guard let code = FleetCode(participant) else {
      throw FleetError(
        .usage, "'\(participant)' is not a code of a participant: 1 to 64 of the characters A-Z a-z 0-9 _ -")
    }
    let (server, url) = (try FleetServer(stream), try PostgreSQLURL(database))
    if !isConfirmed { try confirm(code, server) }
    let result = try ParticipantErasure(server, url).run(code)
    printDiagnostic(
      "stressmon: removed \(result.sessions) sessions with \(result.events) events of \(code) from PostgreSQL, and "
        + "\(result.messages) messages from the stream; backups may still contain them")
  }

  private func confirm(_ participant: FleetCode, _ server: FleetServer) throws {
    guard let prompt = TerminalPrompt() else {
      throw FleetError(.usage, "collect forget asks for confirmation, and there is no terminal; add --yes")
    }
    let answer = prompt.line(
      "Remove all data of \(participant) of the study \(server.study) for ever? Type the code of the participant: "
    )
    guard answer == participant.text else { fail("nothing was removed") }
  }
}

/// Prints the state of a collector: JSON lines to standard output, errors and recoveries to standard error.
struct CollectReporter {
  let study: String
  let isJSON: Bool
  private var error: String?

  init(study: String, isJSON: Bool) { (self.study, self.isJSON) = (study, isJSON) }

  mutating func report(_ status: CollectorStatus) {
    if isJSON {
      let line = status.json(at: SystemClock.wall.rfc3339, study: study)
      _ = unsafe line.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
    guard status.error != error else { return }
    error = status.error
    printDiagnostic("stressmon: \(status.error.map { "\($0); retrying" } ?? "everything works again")")
  }
}
