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
  /// RR received over time passed, see ``ArrivalWindow/coverage``; absent for sources without arrival times.
  public var coverage: Double?
  /// What kind of intervals the sensor sends; absent while too little has come to tell.
  public var sensorClass: SensorClass?
  /// Absent while HRV or heart rate are: without RR intervals, and with averaged ones, there is no stress value.
  public var score: StressScore?
  public var confidence: Confidence

  /// Share of the beats in the window that are not normal, 0 to 1.
  public var artefactShare: Double { beats > 0 ? Double(beats - nn.count) / Double(beats) : 0 }
}
