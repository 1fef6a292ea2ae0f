/// The factors of ``Confidence`` as functions of their inputs. docs/design/confidence.md explains the curves and
/// the fit.
///
/// `tolerance` is ``StressScore/varianceTolerance``: the same disturbance changes a stress value more where the
/// value depends strongly on HRV.
enum ConfidenceCurves {
  /// With the population default: 0.5 below 20 ms, where errors of the sensor are as large as HRV itself.
  static func lowHRV(_ hrv: Double) -> Double { hrv < 20 ? 0.5 : 1 }

  /// With a personal baseline: 1 down to two fifths of it, as 20 of 50 ms, decreasing to 0.5 at one fifth.
  static func lowHRV(_ hrv: Double, ofUsual usual: Double) -> Double {
    0.5 + 0.5 * (1 - decreasing(hrv / usual, from: 0.2, to: 0.4))
  }

  /// With the population default: 0.6 below 40 or above 180 bpm.
  static func heartRateRange(_ heartRate: Double) -> Double { heartRate < 40 || heartRate > 180 ? 0.6 : 1 }

  /// With a personal baseline: 1 down to two thirds of the resting rate, as 40 of 60 bpm, decreasing to 0.6 at half of it; and
  /// 1 up to 180 bpm, decreasing to 0.6 where the rate exceeds the heart rate reserve by a sixth (200 bpm for 60 bpm).
  static func heartRateRange(_ heartRate: Double, resting: Double) -> Double {
    let isSlow = heartRate < resting
    let excess = isSlow ? (2.0 / 3 - heartRate / resting) * 6 : reserve(heartRate, resting) * 6
    return 1 - 0.4 * min(1, max(0, excess))
  }

  /// How far a rate is above 180 bpm, as a fraction of the reserve from the resting rate to 180 bpm.
  private static func reserve(_ heartRate: Double, _ resting: Double) -> Double {
    (heartRate - ExertionEstimator.maximum) / max(1, ExertionEstimator.maximum - resting)
  }

  /// 0 without a beat, 0.7 for one beat, 1 from ten beats.
  static func sampleCount(_ count: Int) -> Double {
    count >= 10 ? 1 : count > 0 ? 0.7 + 0.3 * (Double(count - 1) / 9) : 0
  }

  /// 1 up to 30 % of differences of more than a tenth, decreasing to 0 at 45 %, where sinus rhythm is unlikely, see
  /// ``BeatWindow/irregularity``.
  static func rhythm(_ irregularity: Double) -> Double { decreasing(irregularity, from: 0.3, to: 0.45) }

  /// `tolerance` / (`tolerance` + x) for a fraction x of abnormal beats: they are excluded, but beats like them
  /// can be undetected.
  static func abnormalBeats(_ fraction: Double, tolerance: Double) -> Double {
    fraction > 0 ? tolerance / (tolerance + fraction) : 1
  }

  /// Decreases with the square of the standard error, see ``WindowQuality/lostData``.
  static func lostData(_ error: Double, tolerance: Double) -> Double {
    error > 0 ? falling(error, 0.9, tolerance) : 1
  }

  /// 1 without lost contact, 0.71 if every notification reports it.
  static func contact(_ lostFraction: Double) -> Double { 1 / (1 + 0.4 * lostFraction) }

  /// 1 up to a tail that 9 of 10 undisturbed windows do not exceed, see ``DifferencePattern/tail``.
  static func tail(_ tail: Double, tolerance: Double) -> Double {
    let excess = tail - 0.36 * tolerance
    return excess > 0 ? falling(excess, 8, tolerance) : 1
  }

  /// 1 up to a noise that 9 of 10 undisturbed windows do not exceed, see ``DifferencePattern/randomNoise``.
  static func noise(_ noise: Double, tolerance: Double) -> Double {
    let excess = noise - 0.78 * tolerance
    return excess > 0 ? falling(excess, 3, tolerance) : 1
  }

  /// 1 / (1 + k x^2) for x relative to the tolerance, with one division: the shape of the probability that an error
  /// proportional to x stays within its limit.
  @inline(__always)
  private static func falling(_ x: Double, _ k: Double, _ tolerance: Double) -> Double {
    let square = tolerance * tolerance
    return square / (square + k * x * x)
  }

  /// Equal successive intervals are rare at a resolution of 1/1024 s. 1 up to 60 % of zero differences,
  /// decreasing to 0.1 at 90 %, where the sensor inserts values; 1 below 20 differences, which are too few.
  /// Always 0.1 for a sensor that is classified as averaging or repeating intervals, and at most 0.9 while intervals could be
  /// averages.
  static func sensor(
    _ unchangedFraction: Double?, of differences: Int, _ sensorClass: SensorClass?, couldBeAveraged: Bool
  ) -> Double {
    if sensorClass == .smoothed { return 0.1 }
    let most = couldBeAveraged ? 0.9 : 1
    guard differences >= 20, let fraction = unchangedFraction else { return most }
    return min(most, 0.1 + 0.9 * decreasing(fraction, from: 0.6, to: 0.9))
  }

  /// 1 at rest, decreasing to 0.2 if every second is walking or running, and to 0.7 if every second is other
  /// movement: during exercise, heart rate and HRV follow the work and not stress (Task Force 1996).
  static func motion(_ summary: MotionSummary) -> Double {
    let fidgeting = max(0, 1 - summary.still - summary.locomotion)
    return 1 - 0.8 * summary.locomotion - 0.3 * fidgeting
  }

  /// 0.9 for the population default, increasing to 1 with the weight of the own values.
  static func baseline(weight: Double) -> Double { 0.9 + 0.1 * min(1, max(0, weight)) }

  /// 1 up to `start`, decreasing to 0 at `end`. The common case avoids the division.
  private static func decreasing(_ x: Double, from start: Double, to end: Double) -> Double {
    x <= start ? 1 : min(1, max(0, (end - x) / (end - start)))
  }
}
