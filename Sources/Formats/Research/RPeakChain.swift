import HRV
import HeartRate

/// The R peaks of a session, for formats that state times of beats instead of intervals.
///
/// The end times of beats are corrected by their arrivals, so their differences are not always the RR intervals. Here a run
/// of beats without a break has the exact running sum of its intervals as its times. The run is placed so that the mean
/// difference to the end times of its beats is zero, but not before the end of the previous run.
struct RPeakChain: Sendable {
  struct Peak: Equatable, Sendable {
    var at: SessionTime
    /// The verdict on the interval that the peak ends. Absent for the peak that begins the first interval of a run.
    var verdict: Verdict?
  }

  /// In the order of their times.
  private(set) var peaks: [Peak] = []
  /// The time between two runs, without data.
  private(set) var gaps: [Range<SessionTime>] = []

  /// - Parameters:
  ///   - beats: the beats with their final verdicts.
  ///   - breaks: the indices of the beats that begin a run, in ascending order.
  init(_ beats: [Beat], breaks: [Int]) {
    peaks.reserveCapacity(beats.count + breaks.count)
    for (place, start) in breaks.enumerated() {
      append(beats[start..<(place + 1 < breaks.count ? breaks[place + 1] : beats.count)])
    }
  }

  private mutating func append(_ run: ArraySlice<Beat>) {
    guard let first = run.first else { return }
    var at = first.end - first.rr
    at = SessionTime(ticks: at.ticks + Self.meanDeviation(of: run))
    if let last = peaks.last?.at {
      at = max(at, last)
      gaps.append(last..<at)
    }
    peaks.append(Peak(at: at, verdict: nil))
    for beat in run {
      at = at + beat.rr
      peaks.append(Peak(at: at, verdict: beat.verdict))
    }
  }

  /// The mean difference, in ticks, of the end times from the running sum that begins with the first beat.
  private static func meanDeviation(of run: ArraySlice<Beat>) -> Int64 {
    guard let first = run.first else { return 0 }
    var sum = first.end
    var total = 0.0
    for beat in run.dropFirst() {
      sum = sum + beat.rr
      total += Double(beat.end.ticks - sum.ticks)
    }
    return Int64((total / Double(run.count)).rounded())
  }

  /// The times with beats, in order: runs without their intervals above 3 s.
  var spans: [ClosedRange<SessionTime>] {
    var spans: [ClosedRange<SessionTime>] = []
    for peak in peaks {
      if let last = spans.last, let verdict = peak.verdict, verdict != .gap {
        spans[spans.count - 1] = last.lowerBound...max(last.upperBound, peak.at)
      } else {
        spans.append(peak.at...peak.at)
      }
    }
    return spans
  }
}
