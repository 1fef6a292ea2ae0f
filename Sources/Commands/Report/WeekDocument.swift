import HeartRate
import History
import Localization
import Reports
import Stress
import Terminal

/// A week as a document: sentences, tables and a figure.
struct WeekDocument {
  let week: WeekReport
  let style: TerminalStyle

  var document: ReportDocument {
    // Each catalogue contains the tag of its language.
    var document = ReportDocument(title: title, language: style.localized("en"))
    document.blocks = [.paragraph(summary)]
    guard week.days.whole.usable > 0 else { return document }
    document.blocks += [
      .heading(style.localized("Compared with the week before")),
      .paragraph(style.localized("Means of the daily means.")),
      .list(WeekChanges(week, style: style).sentences), .heading(style.localized("Day by day")),
      .figure(svg: figure), dayTable,
    ]
    document.blocks += WeekMornings(week, style: style).blocks + hourBlocks
    document.blocks += [
      .heading(style.localized("Your journal")), .list(WeekJournal(week, style: style).sentences),
      .heading(style.localized("Breathing")), WeekBreathing(week, style: style).block,
      .heading(style.localized("Data quality")), .list(quality), .paragraph(caveat),
    ]
    return document
  }

  /// Omitted if the hours cannot be compared because the week consists of morning readings.
  private var hourBlocks: [ReportDocument.Block] {
    if week.isBasedOnMornings, week.extremeHours == nil { return [] }
    return [.heading(style.localized("Hours")), .paragraph(hours), hourTable]
  }

  private var caveat: String {
    style.localized(
      """
      The stress value compares your heart rate and HRV with your usual values at rest. Exercise, coffee, fever and \
      joy affect it as well. This is not a medical device.
      """)
  }

  private var title: String {
    let profile = week.profile.printable
    let name = week.days.isSimulated ? style.localized("\(profile) (simulated)") : profile
    let (first, last) = (style.date(week.week.first?.long ?? ""), style.date(week.week.last?.long ?? ""))
    return style.localized("Week of \(name), \(first) to \(last)")
  }

  private var summary: String {
    guard let stress = week.whole[.stress] else {
      let command = "stressmon measure"
      return style.localized(
        "No stress values were measured in this week. Take a reading with: \(command)")
    }
    let percentages = StressCategory.allCases.map { category in
      "\((week.whole.percent(category) ?? 0).fixed(0)) % \(style.lowercasedWord(category))"
    }.joined(separator: ", ")
    let (mean, word) = (stress.mean.fixed(0), style.lowercasedWord(StressCategory(score: stress.mean)))
    return style.localized(
      "Stress was \(mean) of 100 on average (\(word)): \(percentages) of the measured time.")
  }

  // MARK: Quality of the data

  private var quality: [String] {
    let whole = week.whole
    let baseline = week.baseline.summary(week.metric, style)
    return [measured, withoutStress, notCounted].compactMap(\.self)
      + [
        whole.meanConfidence.map { style.localized("Mean confidence \($0.fixed(2)).") },
        whole.artefactFraction.map {
          style.localized("\(($0 * 100).fixed(1)) % of the beats were not normal.")
        },
      ].compactMap(\.self) + [style.localized("Baseline: \(baseline).")]
  }

  private var measured: String? {
    guard !week.isBasedOnMornings else {
      let count = week.morningsOfWeek.count
      return style.localized("Morning readings on \(count) of 7 days.")
    }
    let days = week.thisWeek.count { $0.usable >= WeekReport.leastMeasurements }
    let count = week.whole.usable
    return style.localized(
      "Measured for half an hour or more on \(days) of 7 days; \(count) measurement counted.",
      "Measured for half an hour or more on \(days) of 7 days; \(count) measurements counted.", count: count)
  }

  /// Nil if every measurement has a stress value.
  private var withoutStress: String? {
    let count = week.whole.measurements &- week.whole.scored
    guard count > 0 else { return nil }
    return style.localized(
      "\(count) measurement without a stress value: too few normal beats, or a sensor that averages.",
      "\(count) measurements without a stress value: too few normal beats, or a sensor that averages.",
      count: count)
  }

  /// Nil if every stress value counts.
  private var notCounted: String? {
    let count = week.whole.scored &- week.whole.usable
    guard count > 0 else { return nil }
    return style.localized(
      "\(count) stress value not counted: fewer than 20 normal beats, or a confidence below 0.3.",
      "\(count) stress values not counted: fewer than 20 normal beats, or a confidence below 0.3.",
      count: count)
  }
}
