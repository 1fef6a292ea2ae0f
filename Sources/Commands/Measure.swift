import ArgumentParser
import HeartRate
import History
import Stress
import Synchronization
import Terminal

struct Measure: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Take one measurement now.",
    discussion: """
      Sit still and breathe normally. It ends by itself once there is enough, and prints one result.
      Example: stressmon measure
      Example: stressmon measure --duration 2m --json
      """)

  @Option(
    name: .long,
    help: ArgumentHelp("How long to measure once beats arrive (default: the window).", valueName: "duration"))
  var duration: DurationArgument?

  @OptionGroup var options: SessionOptions

  func validate() throws {
    if let duration, !(.seconds(10)...(.seconds(3600))).contains(duration.duration) {
      throw ValidationError(
        "'--duration \(duration.duration.shortText)' is out of range: it takes 10s to 1h.")
    }
  }

  func perform() async throws {
    var session = try options.session(duration: nil)
    let length = duration?.duration ?? session.engine.settings(session.configuration).window
    let patience = length * 2 + .seconds(60)
    session.duration = patience
    let reading = Reading(length: length)
    let notices = Notices(onScreen: false)
    let (end, plan) = try await session.run(notices: notices) { _, _ in
      ReadingSink(reading: reading, progress: options.view.json ? nil : SystemProgress())
    }
    guard let measurement = reading.measurement else {
      throw Self.noReading(end, patience, reading.sensorClass)
    }
    try show(measurement, plan)
    if case .signal(let signal) = end { throw Interruption(signal: signal) }
  }

  private static func noReading(
    _ end: RunEnd, _ patience: Duration, _ sensorClass: SensorClass?
  ) -> any Error {
    if case .signal(let signal) = end { return Interruption(signal: signal) }
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

  private func show(_ measurement: StressMeasurement, _ plan: SessionPlan) throws {
    let output = StandardOutput()
    guard options.view.json else {
      let style = options.view.style(.current)
      return try output.write(
        ReadingCard(style: style).lines(measurement, baseline: plan.baseline).map { $0 + "\n" }.joined())
    }
    var json = SessionJSON(session: plan.id.text, profile: plan.profile)
    let event = SessionEvent(at: measurement.time, wall: measurement.wall, .end)
    json.put(.measurement(measurement), of: event)
    try json.take { try output.write($0) }
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

  mutating func take(_ output: StressEngine.Event) throws {
    if case .sensor(let found) = output {
      reading.take(found)
      progress?.tell(found)
    }
    guard case .measurement(let measurement) = output else { return }
    let done = reading.take(measurement)
    progress?.tell(done)
    if done >= 1 { throw SessionComplete() }
  }

  mutating func finish() async throws {}
}

/// Tells on standard error how far a reading is: the link, and each quarter.
private struct SystemProgress {
  private let told = Quarters()

  func tell(_ change: LinkChange) {
    let strap = change.strap.map { " \($0.description.printable)" } ?? ""
    say("\(change.state.rawValue)\(strap)" + (change.reason.map { ": \($0.printable)" } ?? ""))
  }

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
