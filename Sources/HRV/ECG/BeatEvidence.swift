import HeartRate

/// What the electrocardiogram shows about an RR interval.
package enum BeatEvidence: String, Sendable, CaseIterable {
  /// The interval between two successive R peaks.
  case same
  /// R peaks within the interval, which the sensor did not detect.
  case missedPeak = "missed_peak"
  /// The interval does not end at an R peak.
  case noPeak = "no_peak"
  /// It ends at an R peak, but has another length.
  case different

  /// Largest difference of equal intervals in ms: two samples of 130 Hz, and the 2 % by which their rate may differ.
  package static let tolerance = 30.0

  /// - Parameters:
  ///   - peak: the index of the peak at which the interval ends, if there is one.
  ///   - peaks: times of successive peaks in seconds.
  package init(_ beat: Beat, endingAt peak: Int?, of peaks: [Double]) {
    guard let peak else {
      self = .noPeak
      return
    }
    let isStart = { (start: Int) in
      (beat.rr.milliseconds - 1000 * (peaks[peak] - peaks[start])).magnitude <= Self.tolerance
    }
    if peak > 0, isStart(peak - 1) {
      self = .same
    } else {
      self = (0..<max(0, peak - 1)).suffix(9).contains(where: isStart) ? .missedPeak : .different
    }
  }
}

/// The result of verifying an RR interval with the electrocardiogram.
public enum BeatVerification: String, Sendable, CaseIterable {
  /// The interval between two successive R peaks, in the usual rhythm.
  case confirmed
  /// The sensor did not detect a beat within the interval.
  case missed
  /// There is no beat at the end, or at the start, of the interval.
  case extra
  /// Confirmed and premature, with a QRS complex of the usual width: a supraventricular beat.
  case earlyNarrow = "early_narrow"
  /// Confirmed and premature, with a wide QRS complex: probably a ventricular beat.
  case earlyWide = "early_wide"
  /// The electrocardiogram shows another interval.
  case unexplained
  /// There is no usable electrocardiogram of the interval.
  case unverified

  /// Whether the electrocardiogram confirms or explains the interval.
  public var isExplained: Bool { self != .unexplained && self != .unverified }
}
