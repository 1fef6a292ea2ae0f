import History
import Localization
import Platform
import Stress

/// The morning readings of a period as a table.
struct PeriodMornings {
  let report: PeriodReport
  let language: Language
  let hasDetails: Bool

  /// Empty without a morning reading.
  var blocks: [ReportDocument.Block] {
    let days = report.ownMornings
    guard let last = days.last else { return normal.map { [.paragraph($0)] } ?? [] }
    return [
      .heading(language.localized("Mornings")), .paragraph(summary(last.assessment)),
      .table(caption: caption(last), headings: headings, rows: days.map(row)),
    ]
  }

  /// The normal range from the days with rest, without morning readings.
  private var normal: String? {
    report.normalRange.map { range in
      language.localized("Your usual HRV at rest: \(range.text) ms, \(language.localized(range.origin)).")
    }
  }

  private func summary(_ last: MorningAssessment) -> String {
    let rmssd = last.rmssd.fixed(1)
    guard let normal = last.normal else {
      return language.localized(NormalRange.Source.mornings.missing(last.missingForRange))
    }
    let position = language.localized(normal.phrase(last.rmssd, today: last.day))
    let latest = language.localized("Latest morning: HRV \(rmssd) ms, \(position).")
    return last.isLow == true
      ? latest + " " + language.localized("The last three mornings together are clearly lower than usual.")
      : latest
  }

  private func caption(_ last: MorningTrend.Day) -> String {
    language.localized(
      "HRV (RMSSD) in ms, heart rate in bpm, \(language.localized(last.reading.posture.name)).")
  }

  private var headings: [String] {
    let statistics = [language.localized("position"), language.localized("7-day mean"), "CV %"]
    return [language.localized("day"), language.localized("HRV"), language.localized("normal range")]
      + (hasDetails ? statistics : []) + [language.localized("HR")]
  }

  private func row(_ day: MorningTrend.Day) -> [String] {
    let (reading, assessment) = (day.reading, day.assessment)
    let statistics = [
      assessment.position.map { language.localized($0.word) } ?? "-",
      assessment.week?.mean.fixed(2) ?? "-", assessment.week?.variation?.fixed(1) ?? "-",
    ]
    return [
      language.date(report.dayText(reading.day)), reading.rmssd?.fixed(hasDetails ? 1 : 0) ?? "-",
      assessment.normal?.text ?? "-",
    ] + (hasDetails ? statistics : []) + [reading.heartRate?.fixed(0) ?? "-"]
  }
}
