package import HeartRate
package import History
import LiveSession
package import Stress

/// Takes readings. Each reading is a separate session, which ends when enough beats were received and releases the strap.
package struct ReadingSession: Sendable {
  package struct Result: Sendable {
    package let measurement: StressMeasurement
    package let end: RunEnd
    package let plan: SessionPlan
    package let storage: StorageOutcome
    /// The error of storing the session, if it failed.
    package let error: (any Error)?
  }

  /// Progress of a reading.
  package enum Progress: Sendable {
    case link(LinkChange)
    case sensorClass(SensorClass)
    /// The fraction of the length that has passed, 0 to 1, and the length in seconds.
    case fraction(Double, of: Double)
  }

  package typealias ReportProgress = @Sendable (Progress) -> Void

  private var setup: SessionSetup
  private let length: Duration
  private let timeLimit: Duration
  private let makeAlerts: @Sendable () -> SessionAlerts

  /// - Parameter length: length of a reading. The default is the window of the engine.
  package init(_ setup: SessionSetup, length: Duration?, alerts: @escaping @Sendable () -> SessionAlerts) {
    let length = length ?? setup.settings.window
    self.length = length
    timeLimit = length * 2 + .seconds(60)
    makeAlerts = alerts
    self.setup = setup
    self.setup.duration = timeLimit
    // The first beat arrives a few seconds after the start.
    self.setup.expectedLength = length + .seconds(5)
  }

  /// The clock of a series of readings.
  package func clock(every period: Duration, count: Int?) -> SeriesClock {
    let expected = setup.expectedLength ?? length
    return SeriesClock(setup.source, length: count.map { period * ($0 - 1) + expected })
  }

  /// - Throws: ``SessionError/readingTooLong(_:interval:)`` if a reading is not shorter than the interval between two.
  package func requireLength(below period: Duration) throws(SessionError) {
    try Self.require(length, below: period)
  }

  package static func require(_ length: Duration, below period: Duration) throws(SessionError) {
    if length >= period { throw .readingTooLong(length, interval: period) }
  }

  /// Takes one reading. If it is interrupted or exceeds its time limit, its result is the latest value.
  /// - Throws: ``SessionError``; ``Interruption`` if a signal ended the reading before it had a value.
  package func take(report: @escaping ReportProgress) async throws -> Result {
    try await take(Reading(length: length), report)
  }

  /// Takes one reading of a series. A reading that is interrupted or exceeds its time limit has no result, and a scan that
  /// finds no strap is not stored.
  package func takeComplete(_ start: SeriesClock.Start) async throws -> Result {
    var session = self
    session.setup.isStoredWithDataOnly = true
    if let time = start.simulated, case .simulated(var simulated) = setup.source {
      session.setup.started = time
      simulated.seed &+= UInt64(start.index)
      session.setup.source = .simulated(simulated)
    }
    let result = try await session.take(Reading(length: length, requiresCompletion: true)) { _ in }
    if case .signal(let signal) = result.end { throw Interruption(signal: signal) }
    try Task.checkCancellation()
    return result
  }

  private func take(_ reading: Reading, _ report: @escaping ReportProgress) async throws -> Result {
    var setup = setup
    setup.reading = reading
    let group = try SessionGroup(setup, alerts: makeAlerts()) { _ in
      ReadingSink(reading: reading, report: report)
    }
    let outcome = try await group.run()
    guard let measurement = reading.result else {
      if let failure = outcome.failures.first { throw failure.error }
      if case .signal(let signal) = outcome.end { throw Interruption(signal: signal) }
      throw SessionError.noReading(after: timeLimit, reading.sensorClass)
    }
    return Result(
      measurement: measurement, end: outcome.end, plan: group.members[0].plan,
      storage: group.members[0].storage, error: outcome.failures.first?.error)
  }
}

/// Ends the session when the reading is complete.
private struct ReadingSink: SessionSink {
  let reading: Reading
  let report: ReadingSession.ReportProgress

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    switch update {
    case .event(let event): if case .link(let change) = event.kind { report(.link(change)) }
    case .sensorClass(let found):
      reading.update(found)
      report(.sensorClass(found))
    case .measurement(let measurement):
      guard !reading.isComplete else { break }
      report(.fraction(reading.update(measurement), of: reading.seconds))
      if reading.isComplete { return .stop(.complete) }
    case .upcoming, .part, .motion, .processed: break
    }
    return .proceed
  }
}
