import HeartRate
import History
import LiveSession
import Localization
import Platform
import Reports
import Stress
import Terminal

/// Measurements by time, as a table with a line for each day, session, breathing exercise and journal entry.
struct Timeline {
  /// A line between measurements.
  struct Note {
    let time: WallTime
    let words: String
  }

  private let layout: ColumnLayout
  private let showsRange: Bool
  private let width: Int?
  private let style: TerminalStyle
  private let calendar: LocalCalendar
  /// The notes that are not printed yet, by time.
  private var notes: ArraySlice<Note>
  private var day: Int64?
  private var session: SessionID?

  /// The width of a terminal from which stress values have their interval.
  private static let leastRangeWidth = 40

  /// - Parameter width: columns of the terminal, if lines are limited.
  init(notes: [Note], width: Int?, style: TerminalStyle, calendar: LocalCalendar = .system) {
    self.notes = notes[...]
    self.width = width
    self.style = style
    self.calendar = calendar
    showsRange = (width ?? .max) >= Self.leastRangeWidth
    layout = ColumnLayout(
      [
        .init("id", .right, width: 6, rank: 1), .init(style.localized("time"), .left, width: 8),
        .init(style.localized("stress"), .right, width: showsRange ? 11 : 6),
        .init(style.localized("category"), .left, width: 10),
        .init(style.localized("confidence"), .right, width: 4, rank: 3),
        .init(
          style.localized(Phrase(known: MetricDefinition.heartRate.heading)), .right, width: 3, rank: 4),
        .init(MetricDefinition.rmssd.heading, .right, width: 6, rank: 2),
        .init(MetricDefinition.sdnn.heading, .right, width: 6, rank: 5),
        .init(style.localized("beats"), .right, width: 3, rank: 6),
      ], width: width, unicode: style.unicode)
  }

  var headings: String { style.bold(layout.headings) + "\n" }

  /// The lines of the next measurement and of the notes before it. `describe` describes a session at its first measurement.
  mutating func lines(
    _ measurement: StoredMeasurement, describe: (SessionID) throws -> String
  ) rethrows -> String {
    var text = lines(before: measurement.time) + dayLine(measurement.time)
    if measurement.session != session {
      session = measurement.session
      text += line(
        "  " + style.localized("session") + " \(measurement.session.text)\(try describe(measurement.session))"
      )
    }
    return text + row(measurement) + "\n"
  }

  /// The lines of the remaining notes.
  mutating func end() -> String { lines(before: WallTime(microseconds: .max)) }

  private func row(_ measurement: StoredMeasurement) -> String {
    layout.line([
      "\(measurement.id)", String(calendar.clockText(measurement.time)), stress(measurement),
      category(measurement), style.number(measurement.confidence.value, 2),
      TextTable.number(measurement.meanHeartRate, 0),
      number(measurement.rmssd), number(measurement.sdnn),
      "\(measurement.normalBeats)",
    ])
  }

  private func number(_ value: Double?) -> String { style.language.number(TextTable.number(value, 1)) }

  private func stress(_ measurement: StoredMeasurement) -> String {
    guard measurement.suspension == nil else { return "-" }
    return measurement.stress.map { StressValueText.text($0, showsRange ? measurement.range : nil) } ?? "-"
  }

  /// The category, `moving?` during motion, or `irregular` in an irregular rhythm; without a stress value, the sensor class that prevents one.
  private func category(_ measurement: StoredMeasurement) -> String {
    if measurement.stress != nil, let suspension = measurement.suspension {
      let word = suspension == .irregularRhythm ? Phrase("irregular") : suspension.word
      return style.localized(word)
    }
    guard let category = measurement.category else {
      return measurement.sensorClass == .smoothed ? style.localized("smoothed") : "-"
    }
    return style.coloured(
      "\(category.icon(unicode: style.unicode)) \(style.lowercasedWord(category))", category)
  }

  private mutating func lines(before time: WallTime) -> String {
    var text = ""
    while let note = notes.first, note.time < time {
      notes.removeFirst()
      text += dayLine(note.time)
      text += line("         \(calendar.clockText(note.time))  \(note.words.printable)")
    }
    return text
  }

  private mutating func dayLine(_ time: WallTime) -> String {
    let day = calendar.day(of: time)
    guard day != self.day else { return "" }
    self.day = day
    return line(style.bold(style.date(calendar.dayText(time))))
  }

  private func line(_ text: String) -> String {
    (width.map { text.clipped(to: $0, unicode: style.unicode) } ?? text) + "\n"
  }
}
