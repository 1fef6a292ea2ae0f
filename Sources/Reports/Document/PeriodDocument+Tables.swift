import History
import Localization
import Plot
import Stress

extension PeriodDocument {
  var figure: String {
    // Without the XML declaration, which is allowed only at the beginning of a document.
    report.figure(language).svg.split(separator: "\n").dropFirst()
      .joined(separator: "\n") + "\n"
  }

  /// The days with measurements; with the statistics, all days and those before.
  var dayTable: ReportDocument.Block {
    let headings =
      [language.localized("day"), language.localized("stress")]
      + StressCategory.allCases.map(language.lowercasedWord) + [
        language.localized("HRV"), language.localized("HR"),
      ]
      + (hasDetails ? [language.localized("measurements")] : [])
    let days = zip(report.days.period.parts, report.days.sums).dropFirst(hasDetails ? 0 : report.length)
    let rows = days.filter { hasDetails || $1.measurements > 0 }.map { dayRow(language.date($0.long), $1) }
    return .table(caption: dayCaption, headings: headings, rows: rows)
  }

  private var dayCaption: String {
    let hrv = report.metric.definition.name
    guard hasDetails else {
      return language.localized("Means of each day: HRV (\(hrv)) in ms, heart rate in bpm without exertion.")
    }
    let rate = report.baseline.restingHeartRate.fixed(0)
    let means = language.localized(
      """
      Means of each day: HRV (\(hrv)) in ms, without paced breathing; heart rate in bpm, without exertion, at rest \
      \(rate) bpm.
      """)
    guard let normal = report.normal else { return means }
    let (low, high) = (normal.lowerBound.fixed(0), normal.upperBound.fixed(0))
    return means + " "
      + language.localized(
        "Your normal \(hrv) at rest, \(low) to \(high) ms, does not apply to the mean of a day.")
  }

  private func dayRow(_ name: String, _ sums: MeasurementSums) -> [String] {
    [name, sums.stressMean] + StressCategory.allCases.map(sums.percentText)
      + [mean(sums, report.metric.unpacedQuantity), mean(sums, .heartRate)]
      + (hasDetails ? ["\(sums.usable)"] : [])
  }

  private func mean(_ sums: MeasurementSums, _ quantity: MeasurementSums.Quantity) -> String {
    sums[quantity]?.mean.fixed(0) ?? "-"
  }

  var requiredHours: String {
    language.localized(
      """
      Comparing hours requires three hours of the day, each measured on three days and for half an hour or in eight \
      quarters of an hour in total.
      """)
  }

  func hours(_ calmest: HourOfDay, _ mostStressed: HourOfDay) -> String {
    let (low, high) = (calmest.stress.fixed(0), mostStressed.stress.fixed(0))
    let chance = language.localized("One hour is always the lowest by chance: see whether it happens again.")
    guard hasDetails else {
      return language.localized(
        """
        You were calmest from \(clock(calmest)) (\(low) on average), and most stressed from \(clock(mostStressed)) \
        (\(high) on average).
        """) + " " + chance
    }
    let count = report.hours.count(where: \.isComparable)
    return language.localized(
      """
      Lowest stress from \(clock(calmest)) (\(low) on \(days(calmest))), highest from \(clock(mostStressed)) \
      (\(high) on \(days(mostStressed))), of \(count) hour compared.
      """,
      """
      Lowest stress from \(clock(calmest)) (\(low) on \(days(calmest))), highest from \(clock(mostStressed)) \
      (\(high) on \(days(mostStressed))), of \(count) hours compared.
      """, count: count) + " " + chance
  }

  var hourTable: ReportDocument.Block {
    .table(
      caption: language.localized("Means by hour of the day."),
      headings: [
        language.localized("hour"), language.localized("stress"), language.localized("SD"),
        language.localized("HR"),
        language.localized("days"), language.localized("measurements"),
      ],
      rows: report.hours.map(hourRow))
  }

  private func hourRow(_ hour: HourOfDay) -> [String] {
    let deviation = hour.sums[.stress]?.deviation?.fixed(0) ?? "-"
    return [
      clock(hour), hour.stress.fixed(0), deviation, mean(hour.sums, .heartRate), "\(hour.days)",
      "\(hour.sums.usable)",
    ]
  }

  /// `14:00 to 15:00`
  private func clock(_ hour: HourOfDay) -> String {
    let (start, end) = ("\(hour.hour):00", "\(hour.hour + 1):00")
    return language.localized("\(start) to \(end)")
  }

  /// `3 days`, after "on".
  private func days(_ hour: HourOfDay) -> Phrase {
    Phrase("\(hour.days) day", "\(hour.days) days", count: hour.days)
  }
}

extension PeriodReport {
  fileprivate func figure(_ language: Language) -> TrendFigure {
    TrendReport(profile: profile, trends: days, metric: metric, baseline: baseline, normal: normal)
      .figure(language)
  }
}
