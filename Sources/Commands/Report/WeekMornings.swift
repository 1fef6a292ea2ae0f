import History
import Localization
import Platform
import Reports
import Stress
import Terminal

/// The morning readings of a week as a table.
struct WeekMornings {
  private let week: WeekReport
  private let style: TerminalStyle

  init(_ week: WeekReport, style: TerminalStyle) { (self.week, self.style) = (week, style) }

  /// Empty without a morning reading.
  var blocks: [ReportDocument.Block] {
    let days = week.morningsOfWeek
    guard let last = days.last else { return normal.map { [.paragraph($0)] } ?? [] }
    return [
      .heading(style.localized("Mornings")), .paragraph(summary(last.assessment)),
      .table(caption: caption(last), headings: headings, rows: days.map(row)),
    ]
  }

  /// The normal range from the days with rest, without morning readings.
  private var normal: String? {
    week.normalRange.map { range in
      style.localized("Normal RMSSD at rest: \(range.text) ms, \(style.localized(range.origin)).")
    }
  }

  private func summary(_ last: MorningAssessment) -> String {
    let rmssd = last.rmssd.fixed(1)
    guard let normal = last.normal else {
      let count = last.missingForRange
      return style.localized(
        "\(count) more morning until your normal range is known.",
        "\(count) more mornings until your normal range is known.", count: count)
    }
    let position = style.localized(normal.phrase(last.rmssd, today: last.day))
    let latest = style.localized("Latest morning: RMSSD \(rmssd) ms, \(position).")
    return last.isLow == true
      ? latest + " " + style.localized("The last three mornings together are clearly lower than usual.")
      : latest
  }

  private func caption(_ last: MorningTrend.Day) -> String {
    style.localized("RMSSD in ms, heart rate in bpm, \(style.localized(last.reading.posture.name)).")
  }

  private var headings: [String] {
    [
      style.localized("day"), "RMSSD", style.localized("normal range"), style.localized("position"),
      style.localized("7-day mean"), "CV %", style.localized("HR"),
    ]
  }

  private func row(_ day: MorningTrend.Day) -> [String] {
    let (reading, assessment) = (day.reading, day.assessment)
    return [
      style.date(week.calendar.dayText(reading.time)), reading.rmssd?.fixed(1) ?? "-",
      assessment.normal?.text ?? "-", assessment.position.map { style.localized($0.word) } ?? "-",
      assessment.week?.mean.fixed(2) ?? "-", assessment.week?.variation?.fixed(1) ?? "-",
      reading.heartRate?.fixed(0) ?? "-",
    ]
  }
}
