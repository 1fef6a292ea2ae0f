public import HRV
public import HeartRate

/// The state of the heart at one beat: the window that ends there, its score, and how far both can be trusted.
public struct StressMeasurement: Equatable, Sendable {
  /// When the beat ended that the window ends with.
  public var time: SessionTime
  /// What the wall clock showed when that beat's notification arrived, where known.
  public var wall: WallTime?
  /// The verdict on that beat.
  public var verdict: Verdict
  /// Length of the window in seconds.
  public var window: Double
  /// The measure of HRV that the score is computed from.
  public var metric: HRVMetric
  /// Sums over the normal beats of the window; all HRV metrics follow from them.
  public var nn: NNSums
  /// Beats in the window, normal or not.
  public var beats: Int
  /// Sum of the RR intervals in the window, normal or not, in ticks of 1/80,000 ms.
  public var covered: Int64
  /// RR received over time passed, see ``ArrivalWindow/coverage``; absent for sources without arrival times.
  public var coverage: Double?
  /// What kind of intervals the sensor sends; absent while too little has come to tell.
  public var sensorClass: SensorClass?
  /// Absent until the window holds ``requiredBeats`` normal beats and covers ``requiredSeconds``, without RR intervals,
  /// and with averaged ones.
  public var score: StressScore?
  public var confidence: Confidence

  /// The fewest normal beats in a window for which a stress value is computed.
  public static let requiredBeats = 20

  /// Seconds of RR intervals in the window.
  public var coveredSeconds: Double { Double(covered) / Double(RRInterval.ticksPerSecond) }

  /// Seconds of RR intervals that a stress value requires: 30 s, or the whole window if that is shorter.
  public var requiredSeconds: Double { min(30, window) }

  /// Whether the window holds enough data for a stress value.
  var isComplete: Bool {
    nn.count >= Self.requiredBeats && coveredSeconds >= requiredSeconds
  }

  /// Share of the beats in the window that are not normal, 0 to 1.
  public var artefactShare: Double { beats > 0 ? Double(beats - nn.count) / Double(beats) : 0 }
}
