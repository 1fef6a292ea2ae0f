package import HeartRate
import JSONLines
package import LiveSession
package import Localization
package import Stress

/// The latest measurement of a profile, and whether it is current.
package struct StatusReport: Equatable, Sendable {
  package enum Freshness: Equatable, Sendable {
    /// A session is running, its strap is connected, and the measurement is new.
    case live
    /// A session is running or was killed, and the measurement is not current. The reason is nil if it is unknown.
    case stale(reason: Phrase?)
    /// The session has ended.
    case ended

    /// The value of `state` in JSON.
    package var name: String {
      switch self {
      case .live: "live"
      case .stale: "stale"
      case .ended: "ended"
      }
    }
  }

  /// The direction of HRV.
  package enum Trend: String, Sendable, CaseIterable {
    case up
    case steady
    case down
  }

  /// The data of a session before its first stress value.
  package struct Collected: Equatable, Sendable {
    package let seconds: Double
    package let required: Double
  }

  package let freshness: Freshness
  package let time: WallTime
  /// Age of the measurement in s.
  package var age: Int64
  /// nil if the sensor gives no stress value, during motion, and in an irregular rhythm.
  package let stress: Double?
  /// The 90 % interval of the stress value; nil without one.
  package var interval: ClosedRange<Double>?
  /// The range of the next minute in the same state; nil like `interval`.
  package var range: ClosedRange<Double>?
  /// The range of the level that the uncertainty of the baseline implies; nil with a solid baseline.
  package var levelRange: ClosedRange<Double>?
  /// Value of `metric` in ms.
  package let hrv: Double?
  package let metric: HRVMetric
  /// Mean heart rate of the window in bpm.
  package let meanHeartRate: Double?
  /// The current heart rate in bpm, that of the latest notification; nil unless the session is live.
  package var heartRate: Double?
  /// 0 to 1.
  package let confidence: Double
  package let isSimulated: Bool
  /// nil if there are too few data to compare.
  package var trend: Trend?
  /// Mean stress of the last quarters of an hour, the newest last; nil for quarters without measurements.
  package var recent: [Double?] = []
  /// Comparison of today with the weeks before.
  package var insight: Phrase?
  /// Normal range of RMSSD; nil with too little data.
  package var normal: NormalRange?
  /// The local day of the status, in days since 1970-01-01.
  package var today = 0
  /// RMSSD of today's morning reading in ms; nil without one.
  package var morningRMSSD: Double?
  /// RMSSD of today's morning reading in ms, else that of the measurement; nil during exertion.
  package var restingRMSSD: Double?
  /// Why no stress level is stated; nil if it is, and without a stress value.
  package var suspension: ScoreSuspension?
  /// The charge of the strap's battery during a session; nil if unknown.
  package var battery: BatteryLevel?
  /// nil once the data suffice for a stress value.
  package var collected: Collected?

  init(
    freshness: Freshness, time: WallTime, age: Int64, stress: Double?, hrv: Double?, metric: HRVMetric,
    meanHeartRate: Double?, confidence: Double, isSimulated: Bool
  ) {
    (self.freshness, self.time, self.age, self.stress) = (freshness, time, age, stress)
    (self.hrv, self.metric, self.meanHeartRate) = (hrv, metric, meanHeartRate)
    (self.confidence, self.isSimulated) = (confidence, isSimulated)
  }

  /// `RMSSD 48.2 ms, within your normal 36-53 since 2026-11-10`; nil without a normal range.
  package var normalPhrase: Phrase? {
    guard let normal, let restingRMSSD else { return nil }
    return Phrase("RMSSD \(restingRMSSD.fixed(1)) ms, \(normal.phrase(restingRMSSD, today: today))")
  }

  package var isLive: Bool { freshness == .live }
  package var category: StressCategory? { stress.map(StressCategory.init(score:)) }
  package var mood: BuddyMood? { stress.map(BuddyMood.init(score:)) }

  /// One object.
  /// - Parameters:
  ///   - status: nil if nothing was measured.
  ///   - text: the status as a line of text in English.
  package static func json(_ status: StatusReport?, profile: String, text: String) -> [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("profile", profile)
      line.put("state", status?.freshness.name ?? "nothing")
      line.put("stale", status.map { !$0.isLive })
      line.put("time", status?.time.rfc3339)
      line.put("age_s", status?.age)
      line.put(.stress, status?.stress)
      line.put(.stressLow, status?.interval?.lowerBound)
      line.put(.stressHigh, status?.interval?.upperBound)
      line.put(.stressRangeLow, status?.range?.lowerBound)
      line.put(.stressRangeHigh, status?.range?.upperBound)
      if let level = status?.levelRange {
        line.put("level_low", level.lowerBound)
        line.put("level_high", level.upperBound)
      }
      line.put("category", status?.category?.rawValue)
      line.put("buddy", status?.mood?.rawValue)
      line.put(.confidence, status.flatMap { $0.collected == nil ? $0.confidence : nil })
      line.put("exertion", status.map { $0.suspension == .exertion })
      line.put("moving", status.map { $0.suspension == .moving })
      line.put("irregular_rhythm", status.map { $0.suspension == .irregularRhythm })
      line.put("collected_s", status?.collected?.seconds)
      line.put("required_s", status?.collected?.required)
      line.put("hrv_metric", status?.metric.rawValue)
      line.put(.hrv, status?.hrv)
      line.put("hrv_trend", status?.trend?.rawValue)
      line.put(.heartRate, status?.heartRate)
      line.put(.meanHeartRate, status?.meanHeartRate)
      line.put("recent_stress", (status?.recent ?? []).map { $0 ?? .nan })
      line.put("insight", status?.insight.map { Language.english.text($0) })
      line.put(normal: status?.normal, rmssd: status?.restingRMSSD)
      line.put("battery_percent", status?.battery.map { Int($0.percent) })
      line.put("battery_low", status?.battery?.isLow)
      line.put("simulated", status?.isSimulated)
      line.put("text", text)
    }
    return line.bytes
  }
}
