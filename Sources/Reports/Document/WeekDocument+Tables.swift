import History
import Localization
import Plot
import Stress

extension WeekDocument {
  var figure: String {
    // Without the XML declaration, which is allowed only at the beginning of a document.
    week.figure(language).svg.split(separator: "\n").dropFirst()
      .joined(separator: "\n") + "\n"
  }

  var dayTable: ReportDocument.Block {
    let hrv = week.metric.definition.name
    let headings =
      [language.localized("day"), language.localized("stress")]
      + StressCategory.allCases.map(language.lowercasedWord)
      + [hrv, language.localized("HR"), language.localized("measurements")]
    let rows = zip(week.days.period.parts, week.days.sums).map { dayRow(language.date($0.long), $1) }
    return .table(caption: dayCaption(hrv), headings: headings, rows: rows)
  }

  private func dayCaption(_ hrv: String) -> String {
    let rate = week.baseline.restingHeartRate.fixed(0)
    guard let normal = week.normal else {
      return language.localized(
        """
        Means of each day of two weeks. \(hrv) in ms, without paced breathing; heart rate in bpm, without exertion, at \
        rest \(rate) bpm.
        """)
    }
    let (low, high) = (normal.lowerBound.fixed(0), normal.upperBound.fixed(0))
    return language.localized(
      """
      Means of each day of two weeks. \(hrv) in ms, without paced breathing; heart rate in bpm, without exertion, at rest \
      \(rate) bpm. Your normal \(hrv) at rest, \(low) to \(high) ms, does not apply to the mean of a day.
      """)
  }

  private func dayRow(_ name: String, _ sums: MeasurementSums) -> [String] {
    var row = [name, sums.stressMean]
    row += StressCategory.allCases.map(sums.percentText)
    row.append(mean(sums, week.metric.unpacedQuantity))
    row.append(mean(sums, .heartRate))
    row.append("\(sums.usable)")
    return row
  }

  private func mean(_ sums: MeasurementSums, _ quantity: MeasurementSums.Quantity) -> String {
    sums[quantity]?.mean.fixed(0) ?? "-"
  }

  var hours: String {
    guard let (calmest, mostStressed) = week.extremeHours else {
      return language.localized(
        """
        Comparing hours requires three hours of the day, each measured on three days and for half an hour or in eight \
        quarters of an hour in total.
        """)
    }
    let count = week.hours.count(where: \.isComparable)
    let (low, high) = (calmest.stress.fixed(0), mostStressed.stress.fixed(0))
    return language.localized(
      """
      Lowest stress from \(clock(calmest)) (\(low) on \(days(calmest))), highest from \(clock(mostStressed)) \
      (\(high) on \(days(mostStressed))), of \(count) hour compared. One hour is always the lowest by chance: rely \
      on it only if it recurs next week.
      """,
      """
      Lowest stress from \(clock(calmest)) (\(low) on \(days(calmest))), highest from \(clock(mostStressed)) \
      (\(high) on \(days(mostStressed))), of \(count) hours compared. One hour is always the lowest by chance: rely \
      on it only if it recurs next week.
      """, count: count)
  }

  var hourTable: ReportDocument.Block {
    .table(
      caption: language.localized("This week by hour of the day."),
      headings: [
        language.localized("hour"), language.localized("stress"), language.localized("SD"),
        language.localized("HR"),
        language.localized("days"), language.localized("measurements"),
      ],
      rows: week.hours.map(hourRow))
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

extension WeekReport {
  fileprivate func figure(_ language: Language) -> TrendFigure {
    TrendReport(profile: profile, trends: days, metric: metric, baseline: baseline, normal: normal)
      .figure(language)
  }
}
