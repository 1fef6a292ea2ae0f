import HeartRate
import Localization
import Stress
import Synchronization
import Terminal

/// Tells on standard error how far a reading is: the link, and each quarter.
struct ReadingProgress {
  private let told = Quarters()

  func tell(_ change: LinkChange) { say(change.line) }

  func tell(_ found: SensorClass) {
    if let warning = found.warning { say(warning) }
  }

  /// `collected: 15 of 60 s`, at each quarter.
  func tell(_ done: Double, of seconds: Double) {
    guard let quarter = told.reached(done) else { return }
    say("collected: \((seconds * Double(quarter) / 4).fixed(0)) of \(seconds.fixed(0)) s")
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
