import HeartRate
import JSONLines
package import LiveSession
import Localization
import Stress

extension StatusReport {
  /// One object.
  /// - Parameters:
  ///   - status: nil if nothing was measured.
  ///   - text: the status as a line of text in English.
  package static func json(_ status: StatusReport?, profile: String, text: String) -> [UInt8] {
    let (measurement, suspension) = (status?.measurement, status?.measurement.suspension)
    var line = JSONLine()
    line.line { line in
      line.put("profile", profile)
      line.put("state", status?.freshness.name ?? "nothing")
      line.put("stale", status.map { !$0.isLive })
      line.put("time", status?.time.rfc3339)
      line.put("age_s", status?.age)
      line.put(.stress, status?.stress)
      line.put(.stressLow, measurement?.interval?.lowerBound)
      line.put(.stressHigh, measurement?.interval?.upperBound)
      line.put(.stressRangeLow, measurement?.range?.lowerBound)
      line.put(.stressRangeHigh, measurement?.range?.upperBound)
      if let level = measurement?.levelRange {
        line.put("level_low", level.lowerBound)
        line.put("level_high", level.upperBound)
      }
      line.put("category", status?.category?.rawValue)
      line.put("buddy", status?.mood?.rawValue)
      line.put(.confidence, status.flatMap { $0.collected == nil ? $0.confidence : nil })
      line.put("exertion", status.map { _ in suspension == .exertion })
      line.put("moving", status.map { _ in suspension == .moving })
      line.put("irregular_rhythm", status.map { _ in suspension == .irregularRhythm })
      line.put("collected_s", status?.collected?.seconds)
      line.put("required_s", status?.collected?.required)
      line.put("hrv_metric", status?.metric.rawValue)
      line.put(.hrv, status?.hrv)
      line.put("hrv_trend", status?.trend?.rawValue)
      line.put(.heartRate, status?.heartRate)
      line.put(.meanHeartRate, measurement?.meanHeartRate)
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
