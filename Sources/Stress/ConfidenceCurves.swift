/// The factors of ``Confidence`` that depend on one input each; ``DisturbanceFactors`` contains the others.
/// docs/design/confidence.md explains the curves.
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
