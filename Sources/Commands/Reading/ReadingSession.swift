import HeartRate
import Stress

/// Takes readings: each a session of its own, which ends by itself once there is enough, and lets go of the strap.
struct ReadingSession: Sendable {
  struct Taken: Sendable {
    let measurement: StressMeasurement
    let end: RunEnd
    let plan: SessionPlan
    /// What could not be stored; nil if nothing failed.
    let failure: CommandFailure?
  }

  private var session: LiveSession
  private let length: Duration
  private let patience: Duration

  /// Readings of `length`, or of the configured window.
  init(_ session: LiveSession, length: Duration?) {
    let length = length ?? session.engine.settings(session.configuration).window
    self.session = session
    self.length = length
    patience = length * 2 + .seconds(60)
    self.session.duration = patience
    // The first beat comes a little after the beginning.
    self.session.expectedLength = length + .seconds(5)
  }

  /// The clock of a series of these readings.
  func clock(every period: Duration, count: Int?) -> SeriesClock {
    let expected = session.expectedLength ?? length
    return SeriesClock(session.source, length: count.map { period * ($0 - 1) + expected })
  }

  /// - Parameter advice: what to type next.
  /// - Throws: ``CommandFailure`` when readings of this length do not fit into the interval between two.
  func expectToFit(into period: Duration, advice: String) throws(CommandFailure) {
    try Self.expect(length, toFitInto: period, advice: advice)
  }

  static func expect(
    _ length: Duration, toFitInto period: Duration, advice: String
  ) throws(CommandFailure) {
    guard length >= period else { return }
    throw CommandFailure(
      .usage,
      "a reading of \(length.shortText) does not fit into an interval of \(period.shortText). \(advice)")
  }

  /// Takes one reading. An interrupted reading, or one whose time limit is over, has the latest value.
  /// - Throws: ``CommandFailure`` if there is no value, ``Interruption`` if that is because of a signal.
  func take(progress: ReadingProgress?) async throws -> Taken {
    try await take(Reading(length: length), progress)
  }

  /// Takes one reading of a series. An interrupted reading, or one that is not complete within its time limit, has no
  /// result, and a search that found no strap is not stored.
  /// - Parameter start: The place of the reading in the series.
  func takeWhole(_ start: SeriesClock.Start, progress: ReadingProgress?) async throws -> Taken {
    var taker = self
    taker.session.isStoredWithDataOnly = true
    if let simulated = start.simulated {
      taker.session.started = simulated
      taker.session.source.seed = (session.source.seed ?? 1) &+ UInt64(start.place)
    }
    let taken = try await taker.take(Reading(length: length, isWhole: true), progress)
    if case .signal(let signal) = taken.end { throw Interruption(signal: signal) }
    try Task.checkCancellation()
    return taken
  }

  private func take(_ reading: Reading, _ progress: ReadingProgress?) async throws -> Taken {
    var session = session
    session.reading = reading
    let outcome = try await session.outcome(notices: SessionAlerts(onScreen: false)) { _, _ in
      ReadingSink(reading: reading, progress: progress)
    }
    guard let result = reading.result else {
      if let failure = outcome.failure { throw failure }
      if case .signal(let signal) = outcome.end { throw Interruption(signal: signal) }
      throw nothingCame(from: reading.sensorClass)
    }
    return Taken(measurement: result, end: outcome.end, plan: outcome.plan, failure: outcome.failure)
  }

  private func nothingCame(from sensorClass: SensorClass?) -> CommandFailure {
    if sensorClass == .noRR, let warning = SensorClass.noRR.warning {
      return CommandFailure(.badData, "nothing was measured within \(patience.shortText). \(warning)")
    }
    return CommandFailure(
      .noStrap,
      """
      no RR intervals came within \(patience.shortText), so nothing was measured. \
      Moisten the strap's electrodes, and see what is wrong with: stressmon doctor
      """)
  }
}

/// Ends the session when the reading is complete.
private struct ReadingSink: SessionSink {
  let reading: Reading
  let progress: ReadingProgress?

  mutating func take(_ event: SessionEvent) throws {
    if case .link(let change) = event.kind { progress?.tell(change) }
  }

  mutating func take(_ found: SensorClass) throws {
    reading.take(found)
    progress?.tell(found)
  }

  mutating func take(_ measurement: StressMeasurement) throws {
    let passed = reading.take(measurement)
    progress?.tell(passed, of: reading.seconds)
    if reading.isComplete { throw SessionComplete() }
  }

  mutating func finish() async throws {}
}
