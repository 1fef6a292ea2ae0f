import HeartRate

/// The factors of ``Confidence`` as functions of their inputs. docs/design/confidence.md explains the curves.
enum ConfidenceCurves {
  static func lowHRV(_ hrv: Double) -> Double { hrv < 20 ? 0.5 : 1 }

  static func heartRateRange(_ heartRate: Double) -> Double { heartRate < 40 || heartRate > 180 ? 0.6 : 1 }

  /// 0 without a beat, 0.7 for one beat, 1 from ten beats.
  static func sampleCount(_ count: Int) -> Double {
    count >= 10 ? 1 : count > 0 ? 0.7 + 0.3 * (Double(count - 1) / 9) : 0
  }

  /// 1 up to an artefact fraction of 1/50 (one ectopic beat per minute is common in healthy people),
  /// decreasing to 0 at 1/4.
  static func artefacts(_ fraction: Double) -> Double { decreasing(fraction, from: 0.02, to: 0.25) }

  /// 1 up to a jump fraction of 1/12 (two ectopic beats per minute, or strong respiratory sinus arrhythmia),
  /// decreasing to 0 at 1/4, where sinus rhythm is unlikely.
  static func rhythm(_ jumpFraction: Double) -> Double { decreasing(jumpFraction, from: 0.08, to: 0.25) }

  /// 1 if the sum of RR and the time differ by at most 5 % plus two RR (the effect of sending beats in
  /// batches), decreasing to 0 if half of the beats are lost or duplicated.
  static func coverage(_ coverage: Double, span: Int64, meanNN: Double?) -> Double {
    let twoRR = 2 * (meanNN ?? 0) * Double(RRInterval.ticksPerMillisecond) / Double(span)
    return decreasing(abs(coverage - 1), from: max(0.05, twoRR), to: max(0.5, 2 * twoRR))
  }

  /// Increases from 0.4 with the time that the normal beats cover; 1 if at most two beats are missing.
  static func windowFill(_ count: Int, meanNN: Double?, length: Double) -> Double {
    guard let meanNN else { return 0.4 }
    let covered = meanNN / 1000 * Double(count + 2)
    return covered < length ? 0.4 + 0.6 * (covered / length) : 1
  }

  /// 1 without lost contact, decreasing to 0.2 if every notification reports it.
  static func contact(_ lostFraction: Double) -> Double { 1 - 0.8 * lostFraction }

  /// Equal successive intervals are rare at a resolution of 1/1024 s. 1 up to 60 % of zero differences,
  /// decreasing to 0.1 at 90 %, where the sensor inserts values; 1 below 20 differences, which are too few.
  /// Always 0.1 for a sensor that is classified as averaging or repeating intervals.
  static func sensor(_ unchangedFraction: Double?, of differences: Int, _ sensorClass: SensorClass?) -> Double
  {
    if sensorClass == .smoothed { return 0.1 }
    guard differences >= 20, let fraction = unchangedFraction else { return 1 }
    return 0.1 + 0.9 * decreasing(fraction, from: 0.6, to: 0.9)
  }

  /// 1 at rest, decreasing to 0.2 if every second is walking or running, and to 0.7 if every second is other
  /// movement: during exercise, heart rate and HRV follow the work and not stress (Task Force 1996).
  static func motion(_ summary: MotionSummary) -> Double {
    let fidgeting = max(0, 1 - summary.still - summary.locomotion)
    return 1 - 0.8 * summary.locomotion - 0.3 * fidgeting
  }

  /// 0.9 without a day of own data, increasing to 1 at 30 days.
  static func baseline(days: Double) -> Double { 0.9 + 0.1 * min(1, max(0, days) / Baseline.matureDays) }

  /// 1 up to `start`, decreasing to 0 at `end`. The common case avoids the division.
  private static func decreasing(_ x: Double, from start: Double, to end: Double) -> Double {
    x <= start ? 1 : min(1, max(0, (end - x) / (end - start)))
  }
}
