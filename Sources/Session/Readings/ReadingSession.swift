import HeartRate
package import History
import LiveSession
package import Stress

/// Takes readings. Each reading is a separate session, which ends when enough beats were received and releases the strap.
package struct ReadingSession: Sendable {
  package struct Result: Sendable {
    package let measurement: StressMeasurement
    /// Time since the first beat, and the length of a complete reading, in seconds.
    package let collected: Double
    package let length: Double
    package let end: RunEnd
    package let plan: SessionPlan
    package let storage: StorageOutcome
    /// The error of storing the session, if it failed.
    package let error: (any Error)?
  }

  package typealias MakeDisplay = @Sendable (Reading) -> any SessionSink

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

  /// Whether the source waits for the readers of its output.
  package var waitsForReaders: Bool { setup.source.waitsForReaders }

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
  /// - Parameters:
  ///   - quit: Returns when the user ends the reading.
  ///   - display: Creates the sink that displays the reading.
  /// - Throws: ``SessionError``; ``EndedReading`` if the user ended the reading before it had a value.
  package func take(
    until quit: (@Sendable () async -> Void)? = nil, display: MakeDisplay? = nil
  ) async throws -> Result {
    try await take(Reading(length: length), until: quit, display)
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
    let result = try await session.take(Reading(length: length, requiresCompletion: true))
    if case .signal(let signal) = result.end { throw Interruption(signal: signal) }
    try Task.checkCancellation()
    return result
  }

  private func take(
    _ reading: Reading, until quit: (@Sendable () async -> Void)? = nil, _ display: MakeDisplay? = nil
  ) async throws -> Result {
    var setup = setup
    setup.reading = reading
    let group = try SessionGroup(setup, alerts: makeAlerts()) { _ in
      ReadingSink(reading: reading, display: display?(reading))
    }
    let outcome = try await group.run(until: quit)
    let member = group.members[0]
    guard let measurement = reading.result else {
      if let failure = outcome.failures.first { throw failure.error }
      throw failure(at: outcome.end, reading, member.storage)
    }
    return Result(
      measurement: measurement, collected: reading.collected ?? 0, length: reading.seconds,
      end: outcome.end, plan: member.plan, storage: member.storage, error: outcome.failures.first?.error)
  }

  /// Why a reading has no value.
  private func failure(at end: RunEnd, _ reading: Reading, _ storage: StorageOutcome) -> any Error {
    switch end {
    // A reading of a series is not the purpose of the run that the signal ends.
    case .signal(let signal) where reading.requiresCompletion: Interruption(signal: signal)
    case .signal, .quit: EndedReading(end: end, collected: reading.collected ?? 0, storage: storage)
    case .finished, .timeOver:
      if case .lines(let source) = setup.source {
        SessionError.source(.tooShort(source.name, seconds: reading.collected ?? 0))
      } else {
        SessionError.noReading(after: timeLimit, reading.sensorClass)
      }
    }
  }
}

/// The user ended a reading before it had a value.
package struct EndedReading: Error {
  package let end: RunEnd
  /// Time since the first beat in seconds; 0 without a beat.
  package let collected: Double
  package let storage: StorageOutcome
}

/// Ends the session when the reading is complete.
private struct ReadingSink: FinishingSink {
  let reading: Reading
  var display: (any SessionSink)?

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    guard !reading.isComplete else { return .proceed }
    switch update {
    case .sensorClass(let found): reading.update(found)
    case .measurement(let measurement): reading.update(measurement)
    case .event, .upcoming, .part, .motion, .ecg, .notice, .processed: break
    }
    let decision = display?.receive(update) ?? .proceed
    guard case .proceed = decision, reading.isComplete else { return decision }
    return .stop(.complete)
  }

  mutating func finish() async throws {
    if var display = display as? any FinishingSink { try await display.finish() }
  }
}
