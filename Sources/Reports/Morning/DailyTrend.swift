package import History
import JSONLines
package import Localization
package import Plot
package import Stress

/// The readings of a range of local days, each compared with the readings before it, of mornings in the same posture.
package struct DailyTrend<Reading: DailyReading> {
  /// The counted reading of a day.
  package struct Day {
    package let reading: Reading
    package let assessment: MorningAssessment
  }

  package let profile: String
  /// In days since 1970-01-01.
  package let days: Range<Int>
  /// By day; days without a reading are missing.
  package let readings: [Day]

  package init(profile: String, days: Range<Int>, readings: [Day]) {
    (self.profile, self.days, self.readings) = (profile, days, readings)
  }

  package init(_ reader: HistoryReader?, of profile: String, in days: Range<Int>) throws(HistoryError) {
    let first = days.lowerBound - MorningSeries.recentDays - 6
    let all =
      try reader.map { reader throws(HistoryError) in
        try Reading.counted(reader, of: profile, in: first..<days.upperBound)
      } ?? []
    self.init(profile: profile, days: days, all: all)
  }

  /// - Parameter all: the counted readings of the days, and of those before them.
  package init(profile: String, days: Range<Int>, all: [Reading]) {
    (self.profile, self.days) = (profile, days)
    let postures = Set(all.map(\.seriesPosture))
    let series = Dictionary(uniqueKeysWithValues: postures.map { ($0, Reading.series(all, $0)) })
    readings = all.filter { days.contains($0.day) }.compactMap { reading in
      guard let series = series[reading.seriesPosture], let rmssd = reading.rmssd else { return nil }
      return Day(reading: reading, assessment: MorningAssessment(rmssd: rmssd, on: reading.day, in: series))
    }
  }

  /// The last `count` days that end with `today`.
  package init(
    _ reader: HistoryReader?, of profile: String, last count: Int, until today: Int
  ) throws(HistoryError) {
    try self.init(reader, of: profile, in: today - count + 1..<today + 1)
  }

  package var isSimulated: Bool { readings.last?.reading.isSimulated ?? false }

  /// The posture of the latest reading, which charts show. Nights have none.
  package var posture: MorningPosture? { readings.last?.reading.seriesPosture }

  /// The latest normal range in ``posture``.
  package var normal: NormalRange? { readings.last?.assessment.normal }

  /// The readings in ``posture`` within `days`.
  package func shown(in days: Range<Int>) -> [Day] {
    readings.filter { $0.reading.seriesPosture == posture && days.contains($0.reading.day) }
  }

  /// A part per day, with the reading in the posture of the latest one.
  package func figure(_ language: Language) -> TrendFigure {
    let found = Dictionary(
      shown(in: days).map { ($0.reading.day, $0.reading.rmssd) }, uniquingKeysWith: { first, _ in first })
    let parts = days.map { day in
      let mark = (found[day] ?? nil).flatMap { TrendFigure.Mark(mean: $0, deviation: nil) }
      return TrendFigure.Part(
        label: language.dayOfMonth(Int64(day)), stress: nil, hrv: mark, heartRate: nil)
    }
    return TrendFigure(
      title: heading(language), parts: parts, hrvName: MetricDefinition.rmssd.name, normal: normal?.rmssd,
      restingHeartRate: 60, texts: language.figureTexts)
  }

  /// The caption of the chart of RMSSD.
  package var caption: Phrase {
    posture.map { Phrase("HRV (RMSSD) in ms of the morning readings, \($0.name)") }
      ?? Phrase("HRV (RMSSD) in ms of the nights")
  }

  /// `your normal range: 36-53 ms, from 28 mornings`, or what it still requires.
  package func range(_ assessment: MorningAssessment) -> Phrase {
    assessment.normal.map { Phrase("your normal range: \($0.text) ms, \($0.origin)") }
      ?? Reading.source.missing(assessment.missingForRange)
  }

  /// The profile and the days.
  package func heading(_ language: Language) -> String {
    let name = "'\(profile)'"
    let (first, last) = (
      TrendPeriod.date(Int64(days.lowerBound)), TrendPeriod.date(Int64(days.upperBound - 1))
    )
    return (isSimulated ? language.localized("\(name) (simulated)") : name) + ", "
      + language.localized("\(first) to \(last)")
  }

  /// One object per reading.
  package var json: [UInt8] {
    var line = JSONLine()
    for day in readings {
      line.line { line in
        day.reading.put(into: &line)
        line.put(day.assessment, of: Reading.source)
      }
    }
    return line.bytes
  }
}
