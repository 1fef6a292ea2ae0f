import HRV
import HeartRate
import History
package import JSONLines
import Localization
package import Stress

extension MorningReport {
  /// One object.
  package var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("session", result.session.id?.text)
      line.put("profile", result.session.profile)
      line.put("time", result.time.rfc3339)
      line.put("day", TrendPeriod.date(Int64(result.day)))
      line.put("simulated", result.session.sensor.source == .simulated)
      line.put(result.reading)
      line.put("counted", counts)
      line.put(assessment)
      if result.parts.count > 1 {
        line.put("standing") { $0.put(result.parts[1]) }
      } else {
        line.put("standing", nil as String?)
      }
      line.put(.heartRateRise, result.heartRateRise)
      line.put("sentence", sentences.map { Language.english.text($0) }.joined(separator: " "))
    }
    return line.bytes
  }
}

extension JSONLine {
  /// Adds the values of a part of a reading.
  fileprivate mutating func put(_ part: MorningPart) {
    put("posture", part.posture.rawValue)
    put("duration_s", part.seconds)
    put("beats", part.sums.count)
    put(.rmssd, part.sums.rmssd)
    put(.lnRMSSD, part.sums.lnRMSSD)
    put(.sdnn, part.sums.sdnn)
    put(.meanHeartRate, part.sums.meanHeartRate)
    put(.artefacts, part.artefactFraction.map { $0 * 100 })
    put(.confidence, part.confidence)
    put("refusal", part.refusal?.rawValue)
  }

  /// Adds the statistics of the mornings; null with too little history.
  mutating func put(_ assessment: MorningAssessment?) {
    put(normal: assessment?.normal, rmssd: assessment?.rmssd)
    put("seven_day_mean_ln_rmssd", assessment?.week?.mean)
    put("seven_day_mornings", assessment?.week?.count)
    put(.variation, assessment?.week?.variation)
    put("smallest_worthwhile_change_ln_rmssd", assessment?.week?.worthwhileChange)
    put("seven_day_trend", assessment?.week?.trend?.rawValue)
    put("three_mornings_low", assessment?.isLow)
    put("mornings_missing", assessment?.missingForRange)
  }

  /// Adds a normal range, and the position of RMSSD (in ms) in it.
  package mutating func put(normal range: NormalRange?, rmssd: Double?) {
    let position = range.flatMap { range in rmssd.map { range.position($0) } }
    put(.normalLow, range?.rmssd.lowerBound)
    put(.normalHigh, range?.rmssd.upperBound)
    put("normal_source", range?.source.rawValue)
    put("normal_count", range?.count)
    put("normal_position", position?.rawValue)
    put(
      "normal_since",
      position.flatMap { range?.since($0) }.map { TrendPeriod.date(Int64($0)) })
  }
}
