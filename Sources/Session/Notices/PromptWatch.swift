import Dispatch
import HeartRate
package import History
package import Platform
package import Stress

/// Asks during one session: evaluates the rule, and stores a due prompt before it is shown.
///
/// A prompt is shown once ``PromptDesk`` has stored it, usually with the next measurement, and within 30 s: a question about values
/// that are not live any more is not shown.
package struct PromptWatch: Sendable {
  private var rule: PromptRule
  private let quiet: QuietHours?
  let desk: PromptDesk
  private let calendar: LocalCalendar
  /// The next proposal, in session time: after one that was not permitted, 15 minutes later.
  private var next = SessionTime.zero
  private var proposed = SessionTime.zero
  /// In ns of the boot clock, because the disk is not faster in a session of the simulator that is.
  private var proposedAt: Int64 = 0
  private var isBreathing = false

  private static let retryTicks = 900 * RRInterval.ticksPerSecond
  /// In ns.
  private static let longestDelay: Int64 = 30_000_000_000
  private static let distanceTicks = PromptLimits.leastDistance * RRInterval.ticksPerSecond

  /// - Parameter quiet: The hours without prompts, if there are any.
  package init(
    _ rule: PromptRule, quiet: QuietHours?, desk: PromptDesk, calendar: LocalCalendar = .system
  ) {
    (self.rule, self.quiet, self.desk, self.calendar) = (rule, quiet, desk, calendar)
  }

  /// The values are not live.
  mutating func interrupt() { rule.interrupt() }

  /// Paced breathing changes HRV itself, so nothing is asked during an exercise.
  mutating func follow(_ mark: BreathingMark) {
    isBreathing = mark == .begins
    rule.interrupt()
  }

  /// Processes a measurement. Returns a prompt that was stored since the last one.
  mutating func update(_ measurement: StressMeasurement) -> StoredPrompt? {
    let isDue = !isBreathing && rule.update(PromptInput(measurement))
    if let stored = desk.takeStored() {
      next = SessionTime(ticks: proposed.ticks + Self.distanceTicks)
      return SystemClock.boot - proposedAt <= Self.longestDelay ? stored : nil
    }
    if isDue, measurement.time >= next, let prompt = prompt(measurement) {
      (proposed, proposedAt) = (measurement.time, SystemClock.boot)
      next = SessionTime(ticks: measurement.time.ticks + Self.retryTicks)
      desk.propose(prompt, dayStart: calendar.start(ofDay: calendar.day(of: prompt.time)))
    }
    return nil
  }

  /// The prompt about a measurement with a wall-clock time outside of the quiet hours.
  private func prompt(_ measurement: StressMeasurement) -> StressPrompt? {
    guard let time = measurement.wall, let score = measurement.score, let rmssd = measurement.rmssd,
      !isQuiet(time)
    else { return nil }
    return StressPrompt(
      time: time, stress: score.value, confidence: measurement.confidence.value, rmssd: rmssd,
      normal: rule.usual)
  }

  private func isQuiet(_ time: WallTime) -> Bool {
    let clock = calendar.clockText(time).split(separator: ":").compactMap { Int($0) }
    return quiet?.contains(minute: 60 * clock[0] + clock[1]) ?? false
  }
}

/// Stores the prompts of a session on its own queue: the thread of the events never waits for the disk.
///
/// The history decides whether a prompt is permitted, because its limits apply to all sessions of a person and other programs
/// store answers. A prompt that cannot be written in three attempts, such as while other programs write, is discarded.
package final class PromptDesk: Sendable {
  private let session: SessionID
  private let profile: String
  private let location: StoreLocation
  private let stored = Locked<StoredPrompt?>(nil)
  private static let attempts = 3
  let queue = DispatchQueue(label: "stressmon.prompts")

  package init(session: SessionID, profile: String, location: StoreLocation) {
    (self.session, self.profile, self.location) = (session, profile, location)
  }

  convenience init(_ plan: SessionPlan, at location: StoreLocation) {
    self.init(session: plan.id, profile: plan.profile, location: location)
  }

  /// Stores a prompt if it is permitted. Returns at once.
  func propose(_ prompt: StressPrompt, dayStart: WallTime) {
    queue.async { [self] in
      for _ in 0..<Self.attempts {
        do {
          let result = try HistoryWriter(location).add(prompt, to: session, of: profile, dayStart: dayStart)
          return stored.withLock { $0 = result }
        } catch {
          continue
        }
      }
    }
  }

  /// The prompt that was stored since the last call.
  func takeStored() -> StoredPrompt? { stored.withLock { $0.take() } }
}
