public import HRV
public import HeartRate

/// The measurement at one beat: the window that ends with it, its score and its confidence.
public struct StressMeasurement: Equatable, Sendable {
  /// End time of the last beat of the window.
  public var time: SessionTime
  /// Wall-clock time of arrival of that beat's notification, if known.
  public var wall: WallTime?
  /// Verdict on that beat.
  public var verdict: Verdict
  /// Length of the window in seconds.
  public var window: Double
  /// The HRV metric of the score.
  public var metric: HRVMetric
  /// Sums over the normal beats of the window, from which all HRV metrics are computed.
  public var nn: NNSums
  /// Number of beats in the window, normal or not.
  public var beats: Int
  /// Sum of the RR intervals in the window, normal or not, in ticks of 1/80,000 ms.
  public var covered: Int64
  /// Sum of received RR divided by elapsed time, see ``ArrivalWindow/coverage``; nil for sources without
  /// arrival times.
  public var coverage: Double?
  /// The type of RR intervals that the sensor sends, once it is known.
  public var sensorClass: SensorClass?
  /// Nil until the window contains ``requiredBeats`` normal beats and covers ``requiredSeconds``; always nil
  /// without RR intervals and with averaged ones.
  public var score: StressScore?
  public var confidence: Confidence
  /// What can make the score differ from that of the undisturbed beats.
  public var quality = WindowQuality()
  /// ``Baseline/weight`` of the baseline of the score.
  public var baselineWeight = 1.0
  /// The movement in the window. Requires acceleration.
  public var motion: MotionSummary?

  /// Whether the person walks or runs. The stress value then has no category.
  public var isMoving: Bool { motion?.isMoving ?? false }

  /// Minimum number of normal beats for a stress value.
  public static let requiredBeats = 20

  /// Sum of the RR intervals in the window in seconds.
  public var coveredSeconds: Double { Double(covered) / Double(RRInterval.ticksPerSecond) }

  /// Seconds of RR intervals that a stress value requires: 30 s, or the complete window if it is shorter.
  public var requiredSeconds: Double { min(30, window) }

  /// Whether the window contains enough data for a stress value and for HRV.
  public var hasRequiredData: Bool {
    nn.count >= Self.requiredBeats && coveredSeconds >= requiredSeconds
  }

  /// RMSSD of the window in ms. Requires the data of a stress value.
  public var rmssd: Double? { hasRequiredData ? nn.rmssd : nil }
  /// SDNN of the window in ms. Requires the data of a stress value.
  public var sdnn: Double? { hasRequiredData ? nn.sdnn : nil }
  /// pNN50 of the window in percent. Requires the data of a stress value.
  public var pNN50: Double? { hasRequiredData ? nn.pNN50 : nil }

  /// The category of the score. Absent without a score, during movement and exertion, and in an irregular rhythm.
  public var statedCategory: StressCategory? {
    isMoving || !confidence.statesLevel ? nil : score?.category
  }

  /// The 90 % interval of the score, if there is one. Computed on request, because few of the measurements
  /// that are computed at each beat are shown or stored.
  public var interval: StressInterval? { score.map { StressInterval($0, quality) } }

  /// The range of the next minute in the same state, if there is a score. Computed on request, like ``interval``.
  public var range: StressRange? {
    score.map { score in
      StressRange(
        score, quality, isMoving: isMoving || confidence.indicatesExertion, weight: baselineWeight)
    }
  }

  /// The range of the level that the uncertainty of the baseline implies. A solid baseline implies none.
  /// Computed on request, like ``interval``.
  public var levelRange: LevelRange? {
    score.flatMap { LevelRange($0, metric: metric, weight: baselineWeight) }
  }

  /// Fraction of the window that the normal beats cover, 0 to 1. Two beats may be missing: the first and last
  /// interval of a window are cut.
  public var fill: Double {
    guard let meanNN = nn.meanNN else { return 0 }
    return min(1, meanNN / 1000 * Double(nn.count + 2) / window)
  }

  /// Fraction of the beats in the window that are not normal, 0 to 1.
  public var artefactFraction: Double { beats > 0 ? Double(beats - nn.count) / Double(beats) : 0 }
}
