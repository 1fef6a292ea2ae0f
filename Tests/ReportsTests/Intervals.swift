import HRV
import HeartRate
import TestSupport

/// Synthetic series of RR intervals, whose metrics are computed by hand.
enum Intervals {
  static func ticks(milliseconds: Double) -> Int64 { Int64(milliseconds * 80_000) }

  static func rr(_ milliseconds: Double) -> RRInterval {
    RRInterval(ticks: ticks(milliseconds: milliseconds))
  }

  /// Events of consecutive intervals in ms, the first of which begins at 0.
  static func events(_ milliseconds: [Double]) -> [SessionEvent] {
    var end = SessionTime.zero
    return milliseconds.map { length in
      end = end + rr(length)
      return SessionEvent(at: end, .interval(rr(length)))
    }
  }

  /// Consecutive normal beats.
  static func beats(_ milliseconds: [Double]) -> [Beat] {
    events(milliseconds).enumerated().map { place, event in
      Beat(end: event.at, rr: rr(milliseconds[place]), verdict: .normal, followsBreak: place == 0)
    }
  }

  /// `mean` - 10, `mean` + 10 and so on: SDNN is about 10, RMSSD exactly 20.
  static func alternating(_ mean: Double, by half: Double = 10, count: Int) -> [Double] {
    (0..<count).map { $0 % 2 == 0 ? mean - half : mean + half }
  }

  /// Intervals like those of an undisturbed rest: RMSSD is exactly `step`, and the mean of 60 intervals exactly `mean`.
  static func rest(_ mean: Double, by step: Double = 20, count: Int) -> [Double] {
    (0..<count).map { SteppedIntervals.interval($0, mean: mean, step: step) }
  }
}

/// Whether two numbers differ by at most `tolerance`.
func isClose(_ value: Double?, _ expected: Double, _ tolerance: Double = 1e-9) -> Bool {
  value.map { abs($0 - expected) <= tolerance } ?? false
}
