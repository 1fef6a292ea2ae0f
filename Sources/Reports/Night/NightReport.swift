import HRV
import HeartRate
package import History
import JSONLines
package import Localization
package import Platform
package import Stress

/// A night, compared with the nights before it.
package struct NightReport {
  package let night: StoredNight
  package let assessment: MorningAssessment?
  /// Whether the night is in the series.
  package let counts: Bool
  let calendar: LocalCalendar

  /// - Parameter trend: the nights of the profile up to the day of `night`.
  package init(_ night: StoredNight, in trend: NightTrend, _ calendar: LocalCalendar = .system) {
    (self.night, self.calendar) = (night, calendar)
    let stored = trend.readings.last { $0.reading.day == night.day }
    counts = stored.map { $0.reading.session == night.session && $0.reading.part == night.part } ?? false
    let earlier = trend.readings.map(\.reading).filter { $0.day < night.day }
    let rmssd = night.refusal == nil ? night.rmssd : nil
    assessment = rmssd.map { MorningAssessment(rmssd: $0, on: night.day, in: MorningSeries(earlier)) }
  }

  /// Compares the night with the stored ones.
  package init(_ night: StoredNight, _ reader: HistoryReader?) throws(HistoryError) {
    let days = night.day - MorningSeries.recentDays - 6..<night.day + 1
    self.init(night, in: try NightTrend(reader, of: night.profile, in: days))
  }

  /// One object.
  package var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      var night = night
      night.counts = counts
      night.put(into: &line)
      line.put(assessment, of: .nights)
      line.put("smallest_detectable_ratio", assessment?.smallestDetectableRatio)
      line.put("sentence", sentences.map { Language.english.text($0) }.joined(separator: " "))
    }
    return line.bytes
  }
}

extension NightReport {
  /// The result in sentences.
  package var sentences: [Phrase] {
    guard let assessment else { return [refusal, window, edges].compactMap(\.self) }
    return [
      assessment.verdict?.phrase, hrv(assessment), heartRate, noRespiration, window, edges, movement,
      missing(assessment),
      notCounted,
    ].compactMap(\.self)
  }

  /// `HRV (RMSSD) of the night 43.6 ms, within your normal 36-53 at night.`
  private func hrv(_ assessment: MorningAssessment) -> Phrase {
    let value = assessment.rmssd.fixed(1)
    guard let normal = assessment.normal else { return Phrase("HRV (RMSSD) of the night \(value) ms.") }
    return Phrase(
      "HRV (RMSSD) of the night \(value) ms, \(normal.phrase(assessment.rmssd, today: night.day)).")
  }

  private var heartRate: Phrase? {
    guard let mean = night.heartRate?.fixed(0), let lowest = night.lowestHeartRate?.fixed(0),
      let time = night.lowestAt.map(clock), let after = night.secondsToLowest
    else { return nil }
    let delay = Phrase.length(Double(after))
    let rate = Phrase(
      "Mean heart rate \(mean) bpm, lowest \(lowest) bpm at \(time), \(delay) after the start")
    guard let respiration = night.respirationRate?.fixed(1) else { return Phrase("\(rate).") }
    return Phrase("\(rate); respiration \(respiration) breaths/min.")
  }

  private var noRespiration: Phrase? {
    night.respirationRate == nil
      ? Phrase("The respiration rate is unknown: its rhythm is clear in less than an hour of the night.")
      : nil
  }

  /// `Asleep or lying quietly from 23:12 to 06:58 (7 h 46 min); normal beats cover 97 %.`
  private var window: Phrase {
    let coverage = (100 * night.coverage).fixed(0)
    return Phrase(
      "Asleep or lying quietly from \(clock(night.time)) to \(clock(night.end)) (\(Phrase.length(night.seconds))); normal beats cover \(coverage) %."
    )
  }

  private var edges: Phrase? {
    let start = night.beginsWithData ? Phrase("the data begin with it") : Self.range(night.starts, clock)
    let end = night.endsWithData ? Phrase("the data end with it") : Self.range(night.ends, clock)
    return Phrase("Start: \(start). End: \(end).")
  }

  private static func range(_ times: ClosedRange<WallTime>, _ clock: (WallTime) -> String) -> Phrase {
    Phrase("between \(clock(times.lowerBound)) and \(clock(times.upperBound))")
  }

  private var movement: Phrase? {
    night.wakeMinutes.map { Phrase("Movement in \($0) minute.", "Movement in \($0) minutes.", count: $0) }
  }

  private func missing(_ assessment: MorningAssessment) -> Phrase? {
    guard assessment.missingForRange > 0 else { return nil }
    return NormalRange.Source.nights.missing(assessment.missingForRange)
  }

  private var notCounted: Phrase? {
    counts ? nil : Phrase("It is not added to the series of nights.")
  }

  private var refusal: Phrase {
    Phrase("This night has no value: \((night.refusal ?? .noWindow).phrase).")
  }

  private func clock(_ time: WallTime) -> String { String(calendar.clockText(time).prefix(5)) }
}

extension Night.Refusal {
  /// Why a session or a window has no value of a night.
  package var phrase: Phrase {
    switch self {
    case .short: Phrase("the data cover less than three hours")
    case .noWindow: Phrase("no three hours of quiet sleep are found in the heart rate")
    case .fewBeats: Phrase("normal beats cover less than 40 % of the window")
    case .artefacts: Phrase("more than a tenth of the beats are not normal")
    case .motion: Phrase("the heart rate or the movement is that of wakefulness")
    case .sensor: Phrase("the sensor averages RR intervals instead of sending each beat")
    case .lowConfidence: Phrase("the confidence in its data is too low")
    }
  }
}

extension StoredNight: FieldRecord {
  package static let fields: [Field<StoredNight>] = [
    ("session", { .text($0.session.text) }),
    ("profile", { .text($0.profile) }),
    ("time", { .text($0.time.rfc3339) }),
    ("end", { .text($0.end.rfc3339) }),
    ("day", { .text(TrendPeriod.date(Int64($0.day))) }),
    ("duration_s", { .number($0.seconds) }),
    ("start_low", { .text($0.starts.lowerBound.rfc3339) }),
    ("start_high", { .text($0.starts.upperBound.rfc3339) }),
    ("end_low", { .text($0.ends.lowerBound.rfc3339) }),
    ("end_high", { .text($0.ends.upperBound.rfc3339) }),
    ("begins_with_data", { .truth($0.beginsWithData) }),
    ("ends_with_data", { .truth($0.endsWithData) }),
    ("beats", { .integer(Int64($0.normalBeats)) }),
    (MetricDefinition.rmssd.key, { .number($0.rmssd) }),
    (MetricDefinition.lnRMSSD.key, { .number($0.lnRMSSD) }),
    (MetricDefinition.meanHeartRate.key, { .number($0.heartRate) }),
    (MetricDefinition.lowestHeartRate.key, { .number($0.lowestHeartRate) }),
    ("lowest_hr_time", { .text($0.lowestAt?.rfc3339) }),
    ("lowest_hr_after_s", { .integer($0.secondsToLowest) }),
    (MetricDefinition.respiration.key, { .number($0.respirationRate) }),
    (MetricDefinition.coverage.key, { .number($0.coverage) }),
    ("wake_min", { .integer($0.wakeMinutes.map(Int64.init)) }),
    (MetricDefinition.artefacts.key, { .number($0.artefactFraction.map { $0 * 100 }) }),
    (MetricDefinition.confidence.key, { .number($0.confidence) }),
    ("counted", { .truth($0.counts) }),
    ("refusal", { .text($0.refusal?.rawValue) }),
    ("simulated", { .truth($0.isSimulated) }),
  ]

  /// The night on one line: `night, 7 h 46 min: HRV 44 ms, 52 bpm`, with the reason if it does not count.
  package var summary: Phrase {
    let (length, rmssd, rate) = (
      Phrase.length(seconds), rmssd?.fixed(0) ?? "-", heartRate?.fixed(0) ?? "-"
    )
    let values = Phrase("night, \(length): HRV \(rmssd) ms, \(rate) bpm")
    if !counts { return Phrase("\(values) (\(absence))") }
    return isSimulated ? Phrase("\(values) (simulated)") : values
  }

  /// Why the night does not count.
  package var absence: Phrase {
    if let refusal { return refusal.phrase }
    return isSimulated
      ? Phrase("simulated, or not the longest of its day") : Phrase("not the longest of its day")
  }
}
