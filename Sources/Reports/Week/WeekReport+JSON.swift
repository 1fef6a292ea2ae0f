import HeartRate
import History
import JSONLines
import Stress

extension WeekReport {
  /// One object.
  package var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("profile", profile)
      line.put("from", week.first?.times.lowerBound.rfc3339)
      line.put("to", week.last?.times.upperBound.rfc3339)
      line.put("simulated", days.isSimulated)
      line.put(counts: whole)
      line.put("hrv_metric", metric.rawValue)
      for (metric, quantity) in [
        (.stress, .stress), (.hrv, metric.quantity), (.unpacedHRV, metric.unpacedQuantity),
        (.heartRate, .heartRate),
      ] as [(MetricDefinition, MeasurementSums.Quantity)] { put(metric.key, change(quantity), into: &line) }
      line.put("mornings", morningsOfWeek.count)
      put("morning_\(MetricDefinition.rmssd.key)", morningRMSSD, into: &line)
      put("morning_\(MetricDefinition.heartRate.key)", morningHeartRate, into: &line)
      let latest = morningsOfWeek.last?.assessment
      line.put(normal: latest?.normal ?? normalRange, rmssd: latest?.rmssd)
      line.put("journal_entries", journal.count)
      line.put("mood_mean", mood)
      line.put("triggers", objects: triggers.effects.filter(\.isBeyondChance)) { line, effect in
        line.put("trigger", effect.trigger)
        line.put("stress_difference", effect.difference)
        line.put("low", effect.low)
        line.put("high", effect.high)
      }
      line.put("breathing", objects: exercises) { line, exercise in
        line.put("session", exercise.session.text)
        line.put("time", exercise.time.rfc3339)
        line.put("pattern", exercise.pattern)
        line.put("changed", exercise.changed.isChange)
        line.put(ratio: exercise.ratio.map { ($0.value, $0.low, $0.high) })
      }
      put("calmest_hour", extremeHours?.calmest, into: &line)
      put("most_stressed_hour", extremeHours?.mostStressed, into: &line)
    }
    return line.bytes
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
      line.put(MetricDefinition.stress.key(of: "mean"), hour.stress)
      line.put("days", hour.days)
    }
  }
}
