import HeartRate
import History
import JSONLines
import Stress

extension TrendReport {
  /// One object for each part, and one for the whole after them.
  var json: String {
    var line = JSONLine()
    for (place, part) in trends.period.parts.enumerated() {
      line.line {
        put(part.times, step: trends.period.step.rawValue, trends.sums[place], trends.moods[place], into: &$0)
      }
    }
    line.line { line in
      put(trends.period.times, step: "whole", trends.whole, trends.moods.flatMap(\.self), into: &line)
      line.put("normal_hrv_metric", metric.rawValue)
      line.put("normal_hrv_low_ms", normal?.lowerBound)
      line.put("normal_hrv_high_ms", normal?.upperBound)
      line.put("simulated", trends.isSimulated)
      line.put("resting_hr_bpm", baseline.restingHeartRate)
    }
    return String(decoding: line.bytes, as: UTF8.self)
  }

  private func put(
    _ times: Range<WallTime>, step: String, _ sums: MeasurementSums, _ moods: [Int], into line: inout JSONLine
  ) {
    line.put("profile", profile)
    line.put("step", step)
    line.put("from", times.lowerBound.rfc3339)
    line.put("to", times.upperBound.rfc3339)
    line.put("measurements", sums.measurements)
    line.put("scored", sums.scored)
    line.put("usable", sums.usable)
    for category in StressCategory.allCases { line.put("\(category.rawValue)_percent", sums.share(category)) }
    line.put("confidence", sums.meanConfidence)
    line.put("artefact_percent", sums.artefactFraction.map { $0 * 100 })
    line.put("mood_mean", moods.mean)
    line.put("mood_entries", moods.count)
    let quantities: [(String, String, MeasurementSums.Quantity)] = [
      ("stress", "", .stress), ("rmssd", "_ms", .rmssd), ("sdnn", "_ms", .sdnn), ("hr", "_bpm", .heartRate),
      ("unpaced_rmssd", "_ms", .unpacedRMSSD), ("unpaced_sdnn", "_ms", .unpacedSDNN),
    ]
    for (name, unit, quantity) in quantities {
      let spread = sums[quantity]
      line.put("\(name)_mean\(unit)", spread?.mean)
      line.put("\(name)_min\(unit)", spread?.low)
      line.put("\(name)_max\(unit)", spread?.high)
      line.put("\(name)_sd\(unit)", spread?.deviation)
    }
  }
}
