public import HRV
public import HeartRate

/// Detects the type of RR intervals from the stream. The result is available within a minute, for some
/// averages within two (docs/design/confidence.md).
///
/// - `no-rr`: 20 successive notifications with a heart rate and without intervals.
/// - `smoothed`: intervals repeat more often than is physiological (``RepeatStatistics``), equal those of a rounded
///   heart rate (``RoundedRateStatistics``), are sent at a fixed rate (``ResamplingStatistics``), or have the spectrum of a
///   moving average (``SmoothingStatistics``).
/// - `beat-to-beat`: none of these, and evidence against averages, over at least 48 differences.
///
/// The class is unknown until there is enough evidence. Then it persists until there is enough evidence for another.
///
/// - Complexity: O(1) per beat; no allocation.
public struct SensorClassifier: Sendable {
  /// The detected class, once there is enough evidence.
  public private(set) var sensorClass: SensorClass?
  private var repeats = RepeatStatistics()
  private var smoothing = SmoothingStatistics()
  private var rates = RoundedRateStatistics()
  private var resampling = ResamplingStatistics()
  /// The previous result, which provides hysteresis.
  private var isRepeated = false
  private var notificationsWithoutRR = 0
  private var previous: Int64?
  /// The kind of the latest intervals, once there are some.
  private var arePulses: Bool?

  private static let patience = 20

  public init() {}

  /// Processes a notification, before its beats. A source without arrival times omits `arrival`.
  public mutating func append(_ notification: HeartRateMeasurement, arrival: SessionTime? = nil) {
    if let arrival {
      let wasResampled = resampling.isResampled
      resampling.append(notification.rrIntervals, arrival: arrival)
      if resampling.isResampled != wasResampled { evaluate() }
    }
    if !notification.rrIntervals.isEmpty {
      notificationsWithoutRR = 0
      restartIfReplaced(by: notification.rrIntervals)
    } else if notification.plausibleHeartRate != nil, notification.contact != .notDetected {
      notificationsWithoutRR += 1
      if notificationsWithoutRR >= Self.patience { sensorClass = .noRR }
    }
  }

  /// Discards the evidence when PPI replaces smoothed intervals. The class remains until there is evidence about the new ones;
  /// meanwhile, the window loses the smoothed intervals.
  private mutating func restartIfReplaced(by intervals: RRIntervals) {
    defer { arePulses = intervals.arePulses }
    guard arePulses == false, intervals.arePulses else { return }
    let before = sensorClass
    self = SensorClassifier()
    sensorClass = before
  }

  /// Processes a beat with any verdict: artefacts also characterise the sensor.
  public mutating func append(_ beat: Beat) {
    // The beats of a PPI frame follow notifications without intervals.
    notificationsWithoutRR = 0
    if sensorClass == .noRR { sensorClass = smoothing.state == .beatToBeat ? .beatToBeat : nil }
    let rr = beat.rr.ticks
    let before = beat.followsBreak || beat.verdict == .gap ? nil : previous
    previous = beat.verdict == .gap ? nil : rr
    if before == nil { smoothing.interrupt() }
    if let before {
      repeats.append(rr - before)
      let state = smoothing.state
      smoothing.append(rr, after: before)
      let wasComputed = rates.isComputed
      rates.append(rr, after: before)
      if isEvaluationDue || rates.isComputed != wasComputed || smoothing.state != state { evaluate() }
    }
  }

  /// True at every 4th difference up to 256, then at every 32nd.
  private var isEvaluationDue: Bool { smoothing.count & (smoothing.count <= 256 ? 3 : 31) == 0 }

  private mutating func evaluate() {
    isRepeated = repeats.areUnnatural(before: isRepeated)
    if isRepeated || rates.isComputed || resampling.isResampled {
      sensorClass = .smoothed
      return
    }
    switch smoothing.state {
    case .averaged: sensorClass = .smoothed
    case .beatToBeat: sensorClass = .beatToBeat
    case .unknown, .undecided: break
    }
  }

  /// Whether the intervals could be averages: there is evidence, but not enough to confirm or to change the class.
  public var couldBeAveraged: Bool { sensorClass != .smoothed && smoothing.state == .unknown }
}

/// The frequency of exactly repeated intervals among the last 64 differences.
///
/// If the differences cover many steps of the sensor's resolution, intervals rarely repeat: no more often
/// than they change by one step. With a coarse resolution and low HRV, repeats are natural: up to half of all
/// intervals at the 7.8 ms of Holter recorders.
struct RepeatStatistics: Sendable {
  /// Bit fields of the last differences, newest in the lowest bit: zero differences, and differences of one
  /// or two steps.
  private var repeated: UInt64 = 0
  private var near: UInt64 = 0
  private var count = 0
  /// The resolution: smallest non-zero difference so far, in ticks; initially one day.
  private var step = UInt64(86_400 * RRInterval.ticksPerSecond)

  private static let fewest = 20
  /// The resolution of Holter recorders in ticks, with which 60 % of repeats can be natural. A larger
  /// smallest difference is not a resolution but a change of the heart rate by 1 bpm.
  private static let coarse =
    UInt64(4 * RRInterval.ticksPerMillisecond)...UInt64(8 * RRInterval.ticksPerMillisecond)

  mutating func append(_ difference: Int64) {
    let size = difference.magnitude
    step = size > 0 ? min(step, size) : step
    repeated = repeated << 1 | (size == 0 ? 1 : 0)
    near = near << 1 | (size > 0 && size <= 2 * step ? 1 : 0)
    count = min(count + 1, UInt64.bitWidth)
  }

  /// Whether intervals are inserted (almost all repeat, or most at a fine resolution) or sent several times
  /// (many repeat and the others change by many steps). Hysteresis: `before` persists until the opposite is
  /// clear.
  func areUnnatural(before: Bool) -> Bool {
    guard count >= Self.fewest else { return false }
    if isEverySecondRepeated { return true }
    let repeated = repeated.nonzeroBitCount
    let near = near.nonzeroBitCount
    let far = count - repeated - near
    let natural = (Self.coarse.contains(step) ? 90 : 60) - (before ? 20 : 0)
    if 100 * repeated >= natural * count { return true }
    return 100 * repeated >= 35 * count && 4 * far >= count && 2 * near < repeated
  }
}

extension RepeatStatistics {
  /// Whether every second of the last 32 differences is zero, as if each interval was sent twice. In real recordings,
  /// even at the 7.8 ms of Holter recorders, at most 8 successive pairs have this pattern.
  private var isEverySecondRepeated: Bool {
    let last = UInt32(truncatingIfNeeded: repeated)
    return count >= UInt32.bitWidth
      && (last & 0x5555_5555 == 0x5555_5555 || last & 0xAAAA_AAAA == 0xAAAA_AAAA)
  }
}

/// The type of RR intervals that a sensor sends, as detected by ``SensorClassifier``.
public enum SensorClass: String, Sendable, CaseIterable {
  /// Each interval is measured between two successive beats.
  case beatToBeat = "beat-to-beat"
  /// Intervals are averaged, repeated or derived from the heart rate: HRV cannot be computed.
  case smoothed
  /// Heart rate without RR intervals.
  case noRR = "no-rr"

  /// Short display name, such as `beat-to-beat RR`.
  public var name: String {
    switch self {
    case .beatToBeat: "beat-to-beat RR"
    case .smoothed: "smoothed RR"
    case .noRR: "no RR"
    }
  }

  /// The result of the classification as a sentence.
  public var finding: String { warning ?? "This sensor sends RR intervals from beat to beat." }

  /// The consequence for the user, if there is one.
  public var warning: String? {
    switch self {
    case .beatToBeat: nil
    case .smoothed:
      "This sensor averages or repeats RR intervals: HRV and stress cannot be computed from it."
    case .noRR: "This sensor sends heart rate but no RR intervals: HRV and stress cannot be computed from it."
    }
  }
}
