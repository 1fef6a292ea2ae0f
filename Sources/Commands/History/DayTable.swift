import HeartRate
import History
import LiveSession
import Localization
import Platform
import Reports
import Stress
import Terminal

/// The history as a heading for each day, and one line for each of its sessions, exercises, readings and entries.
struct DayTable {
  let style: TerminalStyle
  /// Columns of the terminal, if lines are limited.
  let width: Int?
  var calendar = LocalCalendar.system

  func text(_ listing: DayListing) -> String {
    listing.days.flatMap { [heading($0)] + $0.items.map(line) + [""] }.dropLast().map { $0 + "\n" }.joined()
  }

  /// The listing in sentences for a screen reader, without identifiers, symbols and abbreviated units.
  func spoken(_ listing: DayListing) -> String {
    listing.days.flatMap { day in
      let date = style.localized(.date(calendar.dayText(day.items[0].time)))
      let mean = day.sums[.stress]?.mean
      let heading = mean.map { mean in
        let word = style.lowercasedWord(StressCategory(score: mean))
        return style.localized("\(date): stress \(mean.fixed(0)) on average, \(word).")
      }
      return [heading ?? date + "."] + day.items.map(sentence)
    }.map { $0 + "\n" }.joined()
  }

  private func sentence(_ item: DayListing.Item) -> String {
    let time = String(calendar.clockText(item.time).prefix(5))
    let text =
      switch item {
      case .session(let summary): spoken(summary)
      case .note(.entry(let entry)): style.localized(entry.spoken).printable
      case .note(.exercise(let exercise)): exercise.summary(style).printable
      case .note(.morning(let reading)): reading.summary(style).printable
      case .note(.night(let night)): style.localized(night.summary).printable
      }
    return "\(time), \(text)."
  }

  private func spoken(_ summary: DayListing.SessionSummary) -> String {
    let kind =
      summary.means.isReading
      ? style.localized("reading") : style.localized("session of \(summary.session.roundedLength)")
    let stress = summary.means.stress.map { stress in
      let word = style.lowercasedWord(StressCategory(score: stress))
      return style.localized("stress \(stress.fixed(0)), \(word)")
    }
    let rate = summary.means.heartRate.map { style.localized("heart rate \($0.fixed(0))") }
    return [kind, stress, rate].compactMap(\.self).joined(separator: ", ")
  }

  /// `Fri 2026-11-27  stress 14 on average, ♣ 82 % ● 18 %, mood 7`
  private func heading(_ day: DayListing.Day) -> String {
    let date = style.bold(style.localized(.date(calendar.dayText(day.items[0].time))))
    let mean = day.sums[.stress].map { style.localized("stress \($0.mean.fixed(0)) on average") }
    let parts = [mean, shares(day.sums), mood(day.moods)].compactMap(\.self)
    return clipped(([date] + parts).joined(separator: style.unicode ? " · " : " - "))
  }

  private func shares(_ sums: MeasurementSums) -> String? {
    let shares = StressCategory.allCases.filter { sums[$0] > 0 }.map { category in
      "\(category.icon(unicode: style.unicode)) \(sums.percentText(category))"
    }
    return shares.isEmpty ? nil : shares.joined(separator: " ")
  }

  private func mood(_ moods: [Int]) -> String? {
    guard !moods.isEmpty else { return nil }
    let mean = Double(moods.reduce(0, +)) / Double(moods.count)
    return style.localized("mood \(mean.fixed(moods.count == 1 ? 0 : 1))")
  }

  private func line(_ item: DayListing.Item) -> String {
    let text =
      switch item {
      case .session(let summary): self.text(summary)
      case .note(.entry(let entry)): entry.summary(style).printable
      case .note(.exercise(let exercise)): exercise.summary(style).printable
      case .note(.morning(let reading)): reading.summary(style).printable
      case .note(.night(let night)): style.localized(night.summary).printable
      }
    return clipped("  \(calendar.clockText(item.time).prefix(5))  \(text)")
  }

  /// `session 01M8EG20T4, 20 min: stress ♣ 14 Relaxed, HRV 48 ms, 62 bpm`
  private func text(_ summary: DayListing.SessionSummary) -> String {
    let session = summary.session
    let (id, length) = (String(session.info.id.text.prefix(10)), style.localized(session.roundedLength))
    let kind =
      summary.means.isReading
      ? style.localized("reading \(id)") : style.localized("session \(id), \(length)")
    let stress = summary.means.stress.map { style.stress($0, summary.means.range) }
    let values = [
      stress, summary.means.rmssd.map { style.localized("HRV \($0.fixed(0)) ms") },
      summary.means.heartRate.map { style.bpm($0) },
    ].compactMap(\.self)
    let marked =
      session.info.source == .simulated ? "\(kind) (\(style.localized(session.info.source.name)))" : kind
    return values.isEmpty ? marked : "\(marked): \(values.joined(separator: ", "))"
  }

  private func clipped(_ line: String) -> String {
    width.map { line.clipped(to: $0, unicode: style.unicode) } ?? line
  }
}
