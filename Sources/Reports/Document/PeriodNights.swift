import History
import Localization
import Platform
import Stress

/// The nights of a period as a sentence and a table.
struct PeriodNights {
  let report: PeriodReport
  let language: Language

  /// Empty without a night.
  var blocks: [ReportDocument.Block] {
    let nights = report.ownNights
    guard let last = nights.last else { return [] }
    return [
      .heading(language.localized("Nights")),
      .paragraph(language.localized("Latest night: \(last.sentence).")),
      .table(
        caption: language.localized("HRV (RMSSD) in ms, heart rate in bpm, at night."), headings: headings,
        rows: nights.map(row)),
    ]
  }

  private var headings: [String] {
    [
      language.localized("day"), language.localized("HRV"), language.localized("normal range"),
      language.localized("HR"), language.localized("lowest HR"), language.localized("length"),
    ]
  }

  private func row(_ day: NightTrend.Day) -> [String] {
    let night = day.reading
    return [
      language.date(report.dayText(night.day)), night.rmssd?.fixed(0) ?? "-",
      day.assessment.normal?.text ?? "-", night.heartRate?.fixed(0) ?? "-",
      night.lowestHeartRate?.fixed(0) ?? "-", language.localized(.length(night.seconds)),
    ]
  }
}
