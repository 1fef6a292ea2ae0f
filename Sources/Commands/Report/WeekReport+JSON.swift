import HeartRate
import History
import JSONLines
import Stress

extension WeekReport {
  var json: String {
    var line = JSONLine()
    line.line { line in
      line.put("profile", digest.profile)
      line.put("from", week.first?.times.lowerBound.rfc3339)
      line.put("to", week.last?.times.upperBound.rfc3339)
      line.put("simulated", digest.days.isSimulated)
      line.put("measurements", digest.whole.measurements)
      line.put("scored", digest.whole.scored)
      line.put("usable", digest.whole.usable)
      for category in StressCategory.allCases {
        line.put("\(category.rawValue)_percent", digest.whole.share(category))
      }
      line.put("confidence", digest.whole.meanConfidence)
      line.put("artefact_percent", digest.whole.artefactFraction.map { $0 * 100 })
      line.put("hrv_metric", digest.metric.rawValue)
      for (key, quantity) in [
        ("stress", MeasurementSums.Quantity.stress), ("hrv_ms", digest.metric.quantity),
        ("unpaced_hrv_ms", digest.metric.unpacedQuantity), ("hr_bpm", .heartRate),
      ] { put(key, digest.change(quantity), into: &line) }
      line.put("journal_entries", digest.journal.count)
      line.put("mood_mean", digest.mood)
      line.put("triggers", objects: digest.triggers.effects.filter(\.isBeyondChance)) { line, effect in
        line.put("trigger", effect.trigger)
        line.put("stress_difference", effect.difference)
        line.put("low", effect.low)
        line.put("high", effect.high)
      }
      digest.breathing.put("breathing", into: &line)
      put("calmest_hour", digest.extremeHours?.calmest, into: &line)
      put("most_stressed_hour", digest.extremeHours?.mostStressed, into: &line)
    }
    return String(decoding: line.bytes, as: UTF8.self)
  }

  private func put(_ key: String, _ change: WeekChange, into line: inout JSONLine) {
    line.put(key) { line in
      line.put("this_week", change.now)
      line.put("week_before", change.before)
      line.put("days", change.daysNow)
      line.put("days_before", change.daysBefore)
      line.put(change.isRatio ? "ratio" : "difference", change.change)
      line.put("low", change.interval?.lowerBound)
      line.put("high", change.interval?.upperBound)
      line.put("changed", change.isChanged)
    }
  }

  private func put(_ key: String, _ hour: HourOfDay?, into line: inout JSONLine) {
    guard let hour else { return line.put(key, nil as String?) }
    line.put(key) { line in
      line.put("hour", hour.hour)
      line.put("stress_mean", hour.stress)
      line.put("days", hour.days)
    }
  }
}
