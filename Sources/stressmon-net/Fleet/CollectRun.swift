import Dispatch
import Fleet
import Glibc
import HeartRate
import Localization
import NetworkCommands
import Platform

/// Runs a collector until a signal.
struct CollectRun {
  private let options: CollectOptions
  private let server: NatsURL
  private let database: PostgreSQLURL
  private let signals = SignalListener([SIGINT, SIGTERM])

  init(_ options: CollectOptions) throws {
    self.options = options
    (server, database) = (try NatsURL(options.stream.url), try PostgreSQLURL(options.database.url))
  }

  func run() throws {
    if let warning = server.warning { printWarning(warning) }
    let study = server.study.text
    let latest = Locked(CollectorStatus())
    let metrics = try options.metrics.map { port in
      try MetricsServer(port: port) { latest.withLock(\.self).prometheus(study: study) }
    }
    if let metrics { printMessage(Phrase("metrics: \("http://127.0.0.1:\(metrics.port)/metrics")")) }
    var reporter = CollectReporter(study: study, isJSON: options.json, isVerbose: options.verbose)
    try server.checkFiles()
    if let collector = try connected(&reporter) {
      if collector.isNewStream { printMessage(Phrase("created the stream \(server.stream)")) }
      if collector.hasEarlierStream {
        printWarning(
          Phrase(
            """
            the stream \(server.earlierStream) of an earlier version is not read; delete it when all receivers publish to \
            \(server.stream) (docs/fleet.md)
            """))
      }
      printMessage(Phrase("collecting \(study) from \(server.description)"))
      collector.run(until: signals.descriptor) { status in
        latest.withLock { $0 = status }
        reporter.report(status)
      }
    }
    withExtendedLifetime(metrics) {}
    if let number = signals.received { endProcess(with: number) }
  }

  /// Days since 1970-01-01.
  private static func day(_ text: String) throws(FleetError) -> Int64 {
    guard let time = WallTime(rfc3339: "\(text)T00:00:00Z") else {
      throw FleetError(
        .usage, Phrase("'--accept-since \(text)' is not a date. Example: --accept-since 2025-01-01"))
    }
    return time.microseconds / 86_400_000_000
  }

  /// Connects to both servers. Failures that can pass are retried after 1, 2, 4, ... and at most 30 s.
  /// - Returns: The collector, unless a signal arrived first.
  private func connected(_ reporter: inout CollectReporter) throws(FleetError) -> Collector? {
    let limits = StreamLimitChanges(
      replicas: options.replicas, age: options.maxAge.map { .seconds($0.seconds) },
      bytes: options.maxBytes?.bytes)
    let sessions = SessionLimitChanges(
      firstDay: try options.acceptSince.map(Self.day), newDaysPerHour: options.newDays)
    var backoff = Backoff()
    while true {
      do throws(FleetError) {
        return try warningIfSlow { () throws(FleetError) in
          try Collector(server, database, ParticipantKeyFile(option: options.keys.path), limits, sessions)
        }
      } catch {
        guard error.isTransient else { throw error }
        var status = CollectorStatus()
        status.error = error.message
        reporter.report(status)
      }
      let delay = backoff.failed(at: 0)
      if signals.wait(milliseconds: CInt(delay / 1_000_000)) { return nil }
    }
  }
}

/// Prints the state of a collector: JSON lines to standard output, errors and recoveries to standard error.
struct CollectReporter {
  let study: String
  let isJSON: Bool
  /// Whether the counts are printed once a minute.
  let isVerbose: Bool
  private var error: Phrase?
  private var nextCounts: Int64 = 0

  init(study: String, isJSON: Bool, isVerbose: Bool) {
    (self.study, self.isJSON, self.isVerbose) = (study, isJSON, isVerbose)
  }

  mutating func report(_ status: CollectorStatus) {
    if isJSON {
      writeOutput(status.json(at: SystemClock.wall.rfc3339, study: study))
    }
    reportCounts(status)
    guard status.error != error else { return }
    error = status.error
    printMessage(error.map { Phrase("\($0); retrying") } ?? Phrase("collecting again"))
  }

  private mutating func reportCounts(_ status: CollectorStatus) {
    guard isVerbose, SystemClock.boot >= nextCounts else { return }
    nextCounts = SystemClock.boot + 60_000_000_000
    let partitions = status.partitions.map(String.init).joined(separator: ",")
    printMessage(
      Phrase(
        """
        \(study): \(status.messages) messages, \(status.events) events, \(status.rejected) rejected, \(status.lag) waiting, \
        partitions \(partitions)
        """), .information)
  }
}

/// Runs `body`, and prints a warning if it takes more than 10 s.
func warningIfSlow<Value>(_ body: () throws(FleetError) -> Value) throws(FleetError) -> Value {
  let warning = DispatchWorkItem {
    printMessage(Phrase("still waiting for PostgreSQL; check its standby and its locks"))
  }
  DispatchQueue.global().asyncAfter(deadline: .now() + 10, execute: warning)
  defer { warning.cancel() }
  return try body()
}
