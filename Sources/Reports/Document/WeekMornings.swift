import History
import Localization
import Platform
import Stress

/// The morning readings of a week as a table.
struct WeekMornings {
  private let week: WeekReport
  private let language: Language

  init(_ week: WeekReport, language: Language) { (self.week, self.language) = (week, language) }

  /// Empty without a morning reading.
  var blocks: [ReportDocument.Block] {
    let days = week.morningsOfWeek
    guard let last = days.last else { return normal.map { [.paragraph($0)] } ?? [] }
    return [
      .heading(language.localized("Mornings")), .paragraph(summary(last.assessment)),
      .table(caption: caption(last), headings: headings, rows: days.map(row)),
    ]
  }

  /// The normal range from the days with rest, without morning readings.
  private var normal: String? {
    week.normalRange.map { range in
      language.localized("Normal RMSSD at rest: \(range.text) ms, \(language.localized(range.origin)).")
    }
  }

  private func summary(_ last: MorningAssessment) -> String {
    let rmssd = last.rmssd.fixed(1)
    guard let normal = last.normal else {
      let count = last.missingForRange
      return language.localized(
        "\(count) more morning until your normal range is known.",
        "\(count) more mornings until your normal range is known.", count: count)
    }
    let position = language.localized(normal.phrase(last.rmssd, today: last.day))
    let latest = language.localized("Latest morning: RMSSD \(rmssd) ms, \(position).")
    return last.isLow == true
      ? latest + " " + language.localized("The last three mornings together are clearly lower than usual.")
      : latest
  }

  private func caption(_ last: MorningTrend.Day) -> String {
    language.localized("RMSSD in ms, heart rate in bpm, \(language.localized(last.reading.posture.name)).")
  }

  private var headings: [String] {
    [
      language.localized("day"), "RMSSD", language.localized("normal range"), language.localized("position"),
      language.localized("7-day mean"), "CV %", language.localized("HR"),
    ]
  }

  private func row(_ day: MorningTrend.Day) -> [String] {
    let (reading, assessment) = (day.reading, day.assessment)
    return [
      language.date(week.calendar.dayText(reading.time)), reading.rmssd?.fixed(1) ?? "-",
      assessment.normal?.text ?? "-", assessment.position.map { language.localized($0.word) } ?? "-",
      assessment.week?.mean.fixed(2) ?? "-", assessment.week?.variation?.fixed(1) ?? "-",
      reading.heartRate?.fixed(0) ?? "-",
    ]
  }
}
