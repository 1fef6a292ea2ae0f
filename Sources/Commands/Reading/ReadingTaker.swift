import HeartRate
import Stress
import Synchronization

/// Takes readings: each a session of its own, which ends by itself once there is enough, and lets go of the strap.
struct ReadingTaker: Sendable {
  struct Taken: Sendable {
    let measurement: StressMeasurement
    let end: RunEnd
    let plan: SessionPlan
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

  /// - Throws: ``CommandFailure`` when readings of this length have no room in the distance between two.
  func expectToFit(into period: Duration) throws(CommandFailure) {
    guard length >= period else { return }
    throw CommandFailure(
      .usage,
      """
      a reading of \(length.shortText) has no room in \(period.shortText): take readings at greater distances, or shorter \
      ones with --duration
      """)
  }

  /// Takes one, and gives what there is when it is interrupted.
  /// - Throws: ``CommandFailure`` when there is nothing to give, ``Interruption`` when that is because of a signal.
  func take(progress: SystemProgress?) async throws -> Taken {
    let reading = Reading(length: length)
    let (end, plan) = try await session.run(notices: Notices(onScreen: false)) { _, _ in
      ReadingSink(reading: reading, progress: progress)
    }
    guard let measurement = reading.measurement else {
      if case .signal(let signal) = end { throw Interruption(signal: signal) }
      throw nothingCame(from: reading.sensorClass)
    }
    return Taken(measurement: measurement, end: end, plan: plan)
  }

  /// Takes one of several: what was interrupted is none, and a search that found nothing is not kept.
  func takeWhole(progress: SystemProgress?) async throws -> Taken {
    var taker = self
    taker.session.isStoredWithDataOnly = true
    let taken = try await taker.take(progress: progress)
    if case .signal(let signal) = taken.end { throw Interruption(signal: signal) }
    try Task.checkCancellation()
    return taken
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

/// One reading in the making: complete once beats have come for long enough.
final class Reading: Sendable {
  private struct State {
    var firstBeat: SessionTime?
    var measurement: StressMeasurement?
    var sensorClass: SensorClass?
  }

  private let length: Int64
  private let state = Mutex(State())

  init(length: Duration) { self.length = length.ticks }

  /// The newest measurement; nil before the first that has a score, or says why there is none.
  var measurement: StressMeasurement? { state.withLock { $0.measurement } }

  /// What kind of intervals the sensor sends, once that is known.
  var sensorClass: SensorClass? { state.withLock { $0.sensorClass } }

  func take(_ found: SensorClass) { state.withLock { $0.sensorClass = found } }

  /// Takes a measurement; returns how much of the reading is done, 0 to 1.
  func take(_ measurement: StressMeasurement) -> Double {
    state.withLock { state in
      let first = state.firstBeat ?? measurement.time
      state.firstBeat = first
      let isSmoothed = measurement.sensorClass == .smoothed
      // A score from before the sensor was seen through is none.
      if measurement.score != nil || isSmoothed { state.measurement = measurement }
      return min(1, Double(measurement.time.ticks - first.ticks) / Double(length))
    }
  }
}

/// Ends the session when the reading is complete.
private struct ReadingSink: SessionSink {
  let reading: Reading
  let progress: SystemProgress?

  mutating func take(_ event: SessionEvent) throws {
    if case .link(let change) = event.kind { progress?.tell(change) }
  }

  mutating func take(_ found: SensorClass) throws {
    reading.take(found)
    progress?.tell(found)
  }

  mutating func take(_ measurement: StressMeasurement) throws {
    let done = reading.take(measurement)
    progress?.tell(done)
    if done >= 1 { throw SessionComplete() }
  }

  mutating func finish() async throws {}
}

/// Tells on standard error how far a reading is: the link, and each quarter.
struct SystemProgress {
  private let told = Quarters()

  func tell(_ change: LinkChange) { say(change.line) }

  func tell(_ found: SensorClass) {
    if let warning = found.warning { say(warning) }
  }

  func tell(_ done: Double) {
    if let quarter = told.reached(done) { say("measuring: \(quarter * 25) %") }
  }
}

private final class Quarters: Sendable {
  private let last = Mutex(0)

  /// The quarter that was reached just now.
  func reached(_ done: Double) -> Int? {
    last.withLock { last in
      let quarter = Int(done * 4)
      guard quarter > last else { return nil }
      last = quarter
      return quarter
    }
  }
}
