import HeartRate

/// The factors of ``Confidence``, each a function of what it looks at. docs/confidence.md argues them.
enum ConfidenceCurves {
  static func lowHRV(_ hrv: Double) -> Double { hrv < 20 ? 0.5 : 1 }

  static func heartRateRange(_ heartRate: Double) -> Double { heartRate < 40 || heartRate > 180 ? 0.6 : 1 }

  /// 0.7 for one good beat, 1 from ten on; 0 without any.
  static func sampleCount(_ count: Int) -> Double {
    count >= 10 ? 1 : count > 0 ? 0.7 + 0.3 * (Double(count - 1) / 9) : 0
  }

  /// 1 up to one beat in 50 (an ectopic a minute is usual in health), then down to 0 at one beat in four.
  static func artefacts(_ share: Double) -> Double { falling(share, from: 0.02, to: 0.25) }

  /// 1 up to one jump in twelve differences (two ectopic beats a minute, or a young heart that breathes slowly), then
  /// down to 0 at one in four, where the rhythm is hardly the sinus node's.
  static func rhythm(_ jumpShare: Double) -> Double { falling(jumpShare, from: 0.08, to: 0.25) }

  /// 1 while RR and time differ by no more than 5 % and two RR (the bundles in which a strap sends beats alone
  /// make such differences), then down to 0 when half is lost, or doubled.
  static func coverage(_ coverage: Double, span: Int64, meanNN: Double?) -> Double {
    let twoRR = 2 * (meanNN ?? 0) * Double(RRInterval.ticksPerMillisecond) / Double(span)
    return falling(abs(coverage - 1), from: max(0.05, twoRR), to: max(0.5, 2 * twoRR))
  }

  /// Grows with the time that the good beats cover, from 0.4; 1 when no more than two beats are missing.
  static func windowFill(_ count: Int, meanNN: Double?, length: Double) -> Double {
    guard let meanNN else { return 0.4 }
    let covered = meanNN / 1000 * Double(count + 2)
    return covered < length ? 0.4 + 0.6 * (covered / length) : 1
  }

  /// 1 without a report of lost contact, down to 0.2 when every notification reports it.
  static func contact(_ lostShare: Double) -> Double { 1 - 0.8 * lostShare }

  /// A heart hardly ever repeats an interval to 1/1024 s: 1 while no more than six differences in ten are
  /// nothing, down to 0.1 at nine, where the sensor fills in values. Below 20 differences chance could do it.
  /// 0.1 wherever the whole stream shows that intervals are averaged or repeated.
  static func sensor(_ unchangedShare: Double?, of differences: Int, _ sensorClass: SensorClass?) -> Double {
    if sensorClass == .smoothed { return 0.1 }
    guard differences >= 20, let share = unchangedShare else { return 1 }
    return 0.1 + 0.9 * falling(share, from: 0.6, to: 0.9)
  }

  /// 0.9 without a day of one's own, 1 from 30 days on.
  static func baseline(days: Double) -> Double { 0.9 + 0.1 * min(1, max(0, days) / Baseline.matureDays) }

  /// 1 up to `start`, then down to 0 at `end`. In most windows nothing is amiss, and nothing is divided.
  private static func falling(_ x: Double, from start: Double, to end: Double) -> Double {
    x <= start ? 1 : min(1, max(0, (end - x) / (end - start)))
  }
}
