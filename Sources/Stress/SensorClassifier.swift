public import HRV
public import HeartRate

/// Finds from the stream alone what kind of intervals a sensor sends: within a minute, but for averages, of which some take
/// two (docs/confidence.md).
///
/// - `no-rr`: 20 notifications in a row with a heart rate, and no interval in any.
/// - `smoothed`: intervals repeat more often than a heart can (``RepeatStatistics``), or their spectrum is that of
///   an average (``SmoothingStatistics``).
/// - `beat-to-beat`: neither, over 40 differences.
///
/// Unknown before there is enough to tell; a class that was found can change as more comes.
///
/// - Complexity: O(1) per beat; allocates nothing.
public struct SensorClassifier: Sendable {
  /// What was found; nil while too little has come.
  public private(set) var sensorClass: SensorClass?
  private var repeats = RepeatStatistics()
  private var smoothing = SmoothingStatistics()
  /// What the newest verdict was: each holds on for reasons of its own.
  private var isRepeated = false
  private var isAveraged = false
  private var notificationsWithoutRR = 0
  private var previous: Int64?

  private static let patience = 20

  public init() {}

  /// Takes the next notification; its beats come after it.
  public mutating func append(_ notification: HeartRateMeasurement) {
    if !notification.rrIntervals.isEmpty {
      notificationsWithoutRR = 0
    } else if notification.plausibleHeartRate != nil, notification.contact != .notDetected {
      notificationsWithoutRR += 1
      if notificationsWithoutRR >= Self.patience { sensorClass = .noRR }
    }
  }

  /// Takes the next beat, whatever the verdict on it: a sensor is judged by all that it sends.
  public mutating func append(_ beat: Beat) {
    if sensorClass == .noRR { sensorClass = smoothing.isComplete ? .beatToBeat : nil }
    let rr = beat.rr.ticks
    let before = beat.followsBreak || beat.verdict == .gap ? nil : previous
    previous = beat.verdict == .gap ? nil : rr
    if let before {
      repeats.append(rr - before)
      smoothing.append(rr, after: before)
      if isVerdictDue { judge() }
    }
  }

  /// Every fourth difference in the first minutes, every 32nd after that.
  private var isVerdictDue: Bool { smoothing.count & (smoothing.count <= 256 ? 3 : 31) == 0 }

  private mutating func judge() {
    isRepeated = repeats.areUnnatural(before: isRepeated)
    isAveraged = smoothing.isSmoothed(before: isAveraged)
    if isRepeated || isAveraged {
      sensorClass = .smoothed
    } else if smoothing.isComplete {
      sensorClass = .beatToBeat
    }
  }
}

/// How often an interval is exactly the one before it, among the last 64 differences.
///
/// A heart whose differences spread over many steps of the sensor's resolution seldom repeats an interval: no more often
/// than it moves by one step. Where the resolution is coarse and HRV is low, repeats are natural: up to half of all at
/// the 7.8 ms of a Holter.
struct RepeatStatistics: Sendable {
  /// One bit for each difference, the newest lowest: whether it was nothing, and whether it was one or two steps.
  private var repeated: UInt64 = 0
  private var near: UInt64 = 0
  private var count = 0
  /// The resolution: the smallest difference that was seen, in ticks; a day before there is one.
  private var step = UInt64(86_400 * RRInterval.ticksPerSecond)

  private static let fewest = 20
  /// The resolution of Holters, at which 60 % of repeats may be natural, in ticks. Where the smallest difference is
  /// larger still, that is no resolution but a step of the heart rate by 1 bpm.
  private static let coarse =
    UInt64(4 * RRInterval.ticksPerMillisecond)...UInt64(8 * RRInterval.ticksPerMillisecond)

  mutating func append(_ difference: Int64) {
    let size = difference.magnitude
    step = size > 0 ? min(step, size) : step
    repeated = repeated << 1 | (size == 0 ? 1 : 0)
    near = near << 1 | (size > 0 && size <= 2 * step ? 1 : 0)
    count = min(count + 1, UInt64.bitWidth)
  }

  /// Whether intervals are filled in (nearly all repeat, or most do at a fine resolution), or sent several times
  /// (many repeat while the others move by many steps). What was found before holds on until the opposite is plain.
  func areUnnatural(before: Bool) -> Bool {
    guard count >= Self.fewest else { return false }
    let repeated = repeated.nonzeroBitCount
    let near = near.nonzeroBitCount
    let far = count - repeated - near
    let natural = (Self.coarse.contains(step) ? 90 : 60) - (before ? 20 : 0)
    if 100 * repeated >= natural * count { return true }
    return 100 * repeated >= 35 * count && 4 * far >= count && 2 * near < repeated
  }
}
