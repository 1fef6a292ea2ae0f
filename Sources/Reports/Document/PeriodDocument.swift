import HeartRate
import History
import LiveSession
package import Localization
import Stress

/// A report of a period as a document: sentences, tables and a figure.
package struct PeriodDocument {
  package let report: PeriodReport
  package let language: Language
  /// Whether the document contains the statistics: intervals, deviations, the days before and the quality of the data.
  package let hasDetails: Bool

  package init(report: PeriodReport, language: Language, hasDetails: Bool = false) {
    (self.report, self.language, self.hasDetails) = (report, language, hasDetails)
  }

  package var document: ReportDocument {
    // Each catalogue contains the tag of its language.
    var document = ReportDocument(title: title, language: language.localized("en"))
    document.blocks = [.paragraph(summary)]
    guard report.days.whole.usable > 0 else { return document }
    document.blocks += [
      .heading(language.localized("Compared with before")),
      .list(PeriodChanges(report: report, language: language, hasDetails: hasDetails).sentences),
      .heading(language.localized("Day by day")), .figure(svg: figure), dayTable,
    ]
    document.blocks +=
      PeriodMornings(report: report, language: language, hasDetails: hasDetails).blocks
      + PeriodNights(report: report, language: language).blocks + hourBlocks
    document.blocks += [
      .heading(language.localized("Your journal")),
      .list(PeriodJournal(report: report, language: language, hasDetails: hasDetails).sentences),
      .heading(language.localized("Breathing")), PeriodBreathing(report, language: language).block,
    ]
    if hasDetails { document.blocks += [.heading(language.localized("Data quality")), .list(quality)] }
    document.blocks.append(.paragraph(caveat))
    return document
  }

  /// Omitted if the hours cannot be compared, unless the statistics are wanted and the period does not consist of morning
  /// readings.
  private var hourBlocks: [ReportDocument.Block] {
    guard let extremes = report.extremeHours else {
      guard hasDetails, !report.isBasedOnMornings else { return [] }
      return [.heading(language.localized("Hours")), .paragraph(requiredHours), hourTable]
    }
    let blocks: [ReportDocument.Block] = [
      .heading(language.localized("Hours")), .paragraph(hours(extremes.calmest, extremes.mostStressed)),
    ]
    return blocks + (hasDetails ? [hourTable] : [])
  }

  private var caveat: String {
    language.localized(
      """
      The stress value compares your heart rate and HRV with your usual values at rest. Exercise, coffee, fever and \
      joy affect it as well. This is not a medical device.
      """)
  }

  private var title: String {
    let (first, last) = (
      language.date(report.parts.first?.long ?? ""), language.date(report.parts.last?.long ?? "")
    )
    let title = language.localized(report.isNamed ? namedTitle(first, last) : ownTitle(first, last))
    return report.days.isSimulated ? language.localized("\(title) (simulated)") : title
  }

  private func ownTitle(_ first: String, _ last: String) -> Phrase {
    report.length == 7
      ? Phrase("Your week, \(first) to \(last)") : Phrase("Your report, \(first) to \(last)")
  }

  private func namedTitle(_ first: String, _ last: String) -> Phrase {
    report.length == 7
      ? Phrase("Week of \(report.profile), \(first) to \(last)")
      : Phrase("Report of \(report.profile), \(first) to \(last)")
  }

  private var summary: String {
    guard let stress = report.whole[.stress], let main = report.whole.mainCategory else {
      return language.localized("No stress values were measured on these days.")
    }
    let mean = stress.mean.fixed(0)
    return language.localized(main.category.sentence(percent: main.percent)) + " "
      + language.localized("Your stress was \(mean) of 100 on average.")
  }

  // MARK: Quality of the data

  private var quality: [String] {
    let whole = report.whole
    let baseline = language.localized(report.baseline.summary(report.metric))
    return [measured, withoutStress, notCounted].compactMap(\.self)
      + [
        whole.meanConfidence.map { language.localized("Mean confidence \($0.fixed(2)).") },
        whole.artefactFraction.map {
          language.localized("\(($0 * 100).fixed(1)) % of the beats were not normal.")
        },
      ].compactMap(\.self) + [language.localized("Baseline: \(baseline).")]
  }

  private var measured: String? {
    let length = report.length
    guard !report.isBasedOnMornings else {
      let count = report.ownMornings.count
      return language.localized("Morning readings on \(count) of \(length) days.")
    }
    let (days, count) = (report.comparableDays, report.whole.usable)
    return language.localized("Enough measurements on \(days) of \(length) days; \(count) counted.")
  }

  /// The sentence on measurements that have no stress value, if there are any.
  private var withoutStress: String? {
    let count = report.whole.measurements &- report.whole.scored
    guard count > 0 else { return nil }
    return language.localized(
      "\(count) measurement without a stress value: too few normal beats, or a sensor that averages.",
      "\(count) measurements without a stress value: too few normal beats, or a sensor that averages.",
      count: count)
  }

  /// The sentence on stress values that do not count, if there are any.
  private var notCounted: String? {
    let count = report.whole.scored &- report.whole.usable
    guard count > 0 else { return nil }
    return language.localized(
      "\(count) stress value not counted: fewer than 20 normal beats, or a confidence below 0.3.",
      "\(count) stress values not counted: fewer than 20 normal beats, or a confidence below 0.3.",
      count: count)
  }
}
