import HeartRate
package import History
import JSONLines
import LiveSession
package import Localization
import Platform
package import Plot
package import Stress

/// The trends of a period with the baseline; as JSON.
///
///     let reader = try HistoryReader(location)  // without a history, the report is empty
///     let period = TrendPeriod(days: 30, step: .day, until: SystemClock.wall, .system)
///     let report = try TrendReport(reader, of: "me", period, metric: .rmssd, today: LocalZone.today)
///     print(report.trends.whole[.stress]?.mean ?? 0)
///     try output.write(report.json)
package struct TrendReport {
  package let profile: String
  package let trends: Trends
  package let metric: HRVMetric
  package let baseline: Baseline
  /// Normal range of `metric` at rest, in ms. Requires five days with rest.
  package let normal: ClosedRange<Double>?

  package init(
    profile: String, trends: Trends, metric: HRVMetric, baseline: Baseline, normal: ClosedRange<Double>?
  ) {
    (self.profile, self.trends, self.metric) = (profile, trends, metric)
    (self.baseline, self.normal) = (baseline, normal)
  }

  /// Reads the trends of a profile.
  /// - Parameter today: the local day up to which the baseline is estimated, in days since 1970-01-01.
  package init(
    _ reader: HistoryReader?, of profile: String, _ period: TrendPeriod, metric: HRVMetric, today: Int
  ) throws(HistoryError) {
    self.init(
      profile: profile, trends: try Trends(reader, of: profile, period), metric: metric,
      baseline: try reader?.baseline(of: profile) ?? .populationDefault,
      normal: try reader?.restingRange(of: profile, metric, on: today))
  }

  /// One object for each part, and one for the whole period after them.
  package var json: [UInt8] {
    var line = JSONLine()
    for (place, part) in trends.period.parts.enumerated() {
      line.line {
        put(part.times, step: trends.period.step.rawValue, trends.sums[place], trends.moods[place], into: &$0)
        $0.put(motion: trends.motion[place])
        $0.put("movement_min", trends.movement(place))
      }
    }
    line.line { line in
      put(trends.period.times, step: "whole", trends.whole, trends.moods.flatMap(\.self), into: &line)
      line.put(motion: trends.wholeMotion)
      line.put("normal_hrv_metric", metric.rawValue)
      line.put("normal_\(MetricDefinition.hrv.key(of: "low"))", normal?.lowerBound)
      line.put("normal_\(MetricDefinition.hrv.key(of: "high"))", normal?.upperBound)
      line.put("simulated", trends.isSimulated)
      line.put(.restingHeartRate, baseline.restingHeartRate)
    }
    return line.bytes
  }

  private static let quantities: [(MetricDefinition, MeasurementSums.Quantity)] = [
    (.stress, .stress), (.rmssd, .rmssd), (.sdnn, .sdnn), (.heartRate, .heartRate),
    (.unpacedRMSSD, .unpacedRMSSD), (.unpacedSDNN, .unpacedSDNN),
  ]

  private func put(
    _ times: Range<WallTime>, step: String, _ sums: MeasurementSums, _ moods: [Int], into line: inout JSONLine
  ) {
    line.put("profile", profile)
    line.put("step", step)
    line.put("from", times.lowerBound.rfc3339)
    line.put("to", times.upperBound.rfc3339)
    line.put(counts: sums)
    line.put("mood_mean", moods.mean)
    line.put("mood_entries", moods.count)
    for (metric, quantity) in Self.quantities {
      let spread = sums[quantity]
      line.put(metric.key(of: "mean"), spread?.mean)
      line.put(metric.key(of: "min"), spread?.low)
      line.put(metric.key(of: "max"), spread?.high)
      line.put(metric.key(of: "sd"), spread?.deviation)
      if metric == .stress {
        line.put(MetricDefinition.stressLow.key(of: "mean"), sums.stressBand?.lowerBound)
        line.put(MetricDefinition.stressHigh.key(of: "mean"), sums.stressBand?.upperBound)
      }
    }
  }
}

extension JSONLine {
  /// Adds the seconds of each class of movement; null without acceleration.
  mutating func put(motion seconds: MotionSeconds) {
    let known = seconds.all > 0 ? seconds : nil
    put("still_s", known?.still)
    put("fidget_s", known?.fidget)
    put("walk_s", known?.walk)
    put("run_s", known?.run)
  }

  /// Adds the numbers of measurements, the percentage of each category, confidence and artefacts.
  mutating func put(counts sums: MeasurementSums) {
    put("measurements", sums.measurements)
    put("scored", sums.scored)
    put("usable", sums.usable)
    for category in StressCategory.allCases { put("\(category.rawValue)_percent", sums.percent(category)) }
    put(.confidence, sums.meanConfidence)
    put(.artefacts, sums.artefactFraction.map { $0 * 100 })
  }
}

extension TrendReport {
  /// The charts of the period.
  package func figure(_ language: Language) -> TrendFigure {
    TrendFigure(
      title: heading(language),
      parts: zip(trends.period.parts, trends.sums).map { part, sums in
        TrendFigure.Part(
          label: label(part, language), stress: sums[.stress].mark,
          hrv: sums[metric.unpacedQuantity].mark,
          heartRate: sums[.heartRate].mark)
      }, hrvName: metric.definition.name, normal: normal, restingHeartRate: baseline.restingHeartRate,
      texts: language.figureTexts)
  }
}

extension TrendReport {
  /// The name of a part on the time axis. Days of more than a week have their month: `5 Nov`.
  private func label(_ part: TrendPeriod.Part, _ language: Language) -> String {
    guard trends.period.step == .day, trends.period.parts.count > 8 else { return language.date(part.short) }
    return language.dayOfMonth(LocalCalendar.system.day(of: part.times.lowerBound))
  }

  /// The profile and the period.
  package func heading(_ language: Language) -> String {
    let profile = "'\(profile)'"
    let name = trends.isSimulated ? language.localized("\(profile) (simulated)") : profile
    guard let (first, last) = trends.period.ends else { return name + ", " }
    return "\(name), " + language.localized("\(language.date(first)) to \(language.date(last))")
  }
}

extension TrendReport {
  /// The category of most of the time with the mean stress, and the means of HRV and heart rate.
  package var sentences: [Phrase] {
    let whole = trends.whole
    guard let stress = whole[.stress], let main = whole.mainCategory else { return [] }
    let (mean, space) = (stress.mean.fixed(0), " ")
    let average = Phrase("Your stress was \(mean) of 100 on average.")
    let level = Phrase(joining: [main.category.sentence(percent: main.percent), average], separator: space)
    guard let hrv = whole[metric.unpacedQuantity]?.mean.fixed(0), let rate = whole[.heartRate]?.mean.fixed(0)
    else { return [level] }
    return [level, .averages(hrv: hrv, heartRate: rate)]
  }

  /// The time of each class of movement, if acceleration was recorded.
  package var motion: Phrase? {
    let motion = trends.wholeMotion
    guard motion.all > 0 else { return nil }
    func minutes(_ seconds: Int) -> String { (Double(seconds) / 60).fixed(0) }
    let (still, other) = (minutes(motion.still), minutes(motion.fidget))
    let (walking, running) = (minutes(motion.walk), minutes(motion.run))
    return Phrase(
      "Time with acceleration: \(still) min still, \(other) min other movement, \(walking) min walking, \(running) min running"
    )
  }

  /// The extremes of stress, the number of measurements and their confidence.
  package func statistics(_ stress: Spread) -> Phrase {
    let (low, high, count) = (stress.low.fixed(0), stress.high.fixed(0), trends.whole.usable)
    let confidence = trends.whole.meanConfidence.map { ($0 * 100).fixed(0) } ?? "-"
    return Phrase(
      "Stress \(low) to \(high); \(count) measurement, confidence \(confidence) %",
      "Stress \(low) to \(high); \(count) measurements, confidence \(confidence) %", count: count)
  }
}

extension Optional where Wrapped == Spread {
  fileprivate var mark: TrendFigure.Mark? {
    flatMap { TrendFigure.Mark(mean: $0.mean, deviation: $0.deviation) }
  }
}
