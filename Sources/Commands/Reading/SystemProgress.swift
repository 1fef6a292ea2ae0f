import HeartRate
import Stress
import Synchronization

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
