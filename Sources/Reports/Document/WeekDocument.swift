import HeartRate
import History
package import Localization
import Stress

/// A week as a document: sentences, tables and a figure.
package struct WeekDocument {
  package let week: WeekReport
  package let language: Language

  package init(week: WeekReport, language: Language) {
    (self.week, self.language) = (week, language)
  }

  package var document: ReportDocument {
    // Each catalogue contains the tag of its language.
    var document = ReportDocument(title: title, language: language.localized("en"))
    document.blocks = [.paragraph(summary)]
    guard week.days.whole.usable > 0 else { return document }
    document.blocks += [
      .heading(language.localized("Compared with the week before")),
      .paragraph(language.localized("Means of the daily means.")),
      .list(WeekChanges(week, language: language).sentences), .heading(language.localized("Day by day")),
      .figure(svg: figure), dayTable,
    ]
    document.blocks += WeekMornings(week, language: language).blocks + hourBlocks
    document.blocks += [
      .heading(language.localized("Your journal")), .list(WeekJournal(week, language: language).sentences),
      .heading(language.localized("Breathing")), WeekBreathing(week, language: language).block,
      .heading(language.localized("Data quality")), .list(quality), .paragraph(caveat),
    ]
    return document
  }

  /// Omitted if the hours cannot be compared because the week consists of morning readings.
  private var hourBlocks: [ReportDocument.Block] {
    if week.isBasedOnMornings, week.extremeHours == nil { return [] }
    return [.heading(language.localized("Hours")), .paragraph(hours), hourTable]
  }

  private var caveat: String {
    language.localized(
      """
      The stress value compares your heart rate and HRV with your usual values at rest. Exercise, coffee, fever and \
      joy affect it as well. This is not a medical device.
      """)
  }

  private var title: String {
    let profile = week.profile
    let name = week.days.isSimulated ? language.localized("\(profile) (simulated)") : profile
    let (first, last) = (
      language.date(week.week.first?.long ?? ""), language.date(week.week.last?.long ?? "")
    )
    return language.localized("Week of \(name), \(first) to \(last)")
  }

  private var summary: String {
    guard let stress = week.whole[.stress] else {
      let command = "stressmon measure"
      return language.localized(
        "No stress values were measured in this week. Take a reading with: \(command)")
    }
    let percentages = StressCategory.allCases.map { category in
      "\(week.whole.percentText(category)) \(language.lowercasedWord(category))"
    }.joined(separator: ", ")
    let (mean, word) = (stress.mean.fixed(0), language.lowercasedWord(StressCategory(score: stress.mean)))
    return language.localized(
      "Stress was \(mean) of 100 on average (\(word)): \(percentages) of the measured time.")
  }

  // MARK: Quality of the data

  private var quality: [String] {
    let whole = week.whole
    let baseline = language.localized(week.baseline.summary(week.metric))
    return [measured, withoutStress, notCounted].compactMap(\.self)
      + [
        whole.meanConfidence.map { language.localized("Mean confidence \($0.fixed(2)).") },
        whole.artefactFraction.map {
          language.localized("\(($0 * 100).fixed(1)) % of the beats were not normal.")
        },
      ].compactMap(\.self) + [language.localized("Baseline: \(baseline).")]
  }

  private var measured: String? {
    guard !week.isBasedOnMornings else {
      let count = week.morningsOfWeek.count
      return language.localized("Morning readings on \(count) of 7 days.")
    }
    let days = week.comparableDays
    let count = week.whole.usable
    return language.localized("Enough measurements on \(days) of 7 days; \(count) counted.")
  }

  /// The sentence on measurements that have no stress value, if there are any.
  private var withoutStress: String? {
    let count = week.whole.measurements &- week.whole.scored
    guard count > 0 else { return nil }
    return language.localized(
      "\(count) measurement without a stress value: too few normal beats, or a sensor that averages.",
      "\(count) measurements without a stress value: too few normal beats, or a sensor that averages.",
      count: count)
  }

  /// The sentence on stress values that do not count, if there are any.
  private var notCounted: String? {
    let count = week.whole.scored &- week.whole.usable
    guard count > 0 else { return nil }
    return language.localized(
      "\(count) stress value not counted: fewer than 20 normal beats, or a confidence below 0.3.",
      "\(count) stress values not counted: fewer than 20 normal beats, or a confidence below 0.3.",
      count: count)
  }
}
