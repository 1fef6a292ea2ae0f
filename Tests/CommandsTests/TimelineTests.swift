import HeartRate
import Platform
import Stress
import Terminal
import TestSupport
import Testing

@testable import Commands
@testable import History

@Suite struct TimelineTests {
  private static let utc = LocalCalendar { _ in 0 }
  private static let evening = WallTime(rfc3339: "2026-11-20T23:59:00Z")!

  private func measurement(_ id: Int64, minutes: Int64, session: String = "01K", stress: Double? = 42)
    -> StoredMeasurement
  {
    var confidence = Confidence()
    confidence[.artefacts] = 0.5
    return StoredMeasurement(
      id: id, session: SessionID(stored: session), profile: "me",
      time: Self.evening.advanced(ticks: minutes * 60 * RRInterval.ticksPerSecond), at: .zero, window: 60,
      stress: stress,
      rmssd: 35.04, sdnn: nil, meanNN: 800, meanHeartRate: 75, pNN50: 1, beats: 60, normalBeats: 58,
      coverage: 1,
      sensorClass: nil, confidence: confidence)
  }

  private func entry(minutes: Int64, note: String) -> Timeline.Note {
    let entry = JournalEntry(
      profile: "me", time: Self.evening.advanced(ticks: minutes * 60 * RRInterval.ticksPerSecond),
      utcOffset: 0,
      mood: Mood(3), triggers: ["work"], note: note)
    return Timeline.Note(time: entry.time, words: entry.summary())
  }

  @Test func exercisesHaveASummaryOnOneLine() {
    var exercise = StoredBreathing(
      session: SessionID(stored: "01K"), profile: "me", time: Self.evening, pattern: "4-7-8", cycles: 3,
      plannedCycles: 4, seconds: 60)
    #expect(exercise.summary() == "breathing 4-7-8: 3 of 4 cycles; no heartbeat")
    exercise.during = .init(rmssd: 44.04, heartRate: 61.6)
    #expect(exercise.summary() == "breathing 4-7-8: 3 of 4 cycles; HRV 44 ms, 62 bpm during the exercise")
    exercise.before = .init(rmssd: 67.2)
    #expect(
      exercise.summary()
        == "breathing 4-7-8: 3 of 4 cycles; HRV 67 ms before, - ms after, too few data to compare them")
    exercise.after = .init(rmssd: 90)
    exercise.changed = .yes
    exercise.resonance = .init(value: 5.6, low: 5.3, high: 5.9)
    #expect(
      exercise.summary()
        == "breathing 4-7-8: 3 of 4 cycles; HRV 67 ms before, 90 ms after, a clear rise; resonance 5.60 breaths/min"
    )
  }

  private func lines(_ timeline: Timeline, _ measurements: [StoredMeasurement]) -> [String] {
    var timeline = timeline
    var text = timeline.headings
    for measurement in measurements { text += timeline.lines(measurement) { "  strap of \($0)" } }
    return (text + timeline.end()).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
      String.init)
  }

  @Test func daysSessionsAndEntriesAreOrderedByTime() {
    let timeline = Timeline(
      notes: [
        entry(minutes: -1, note: "before"), entry(minutes: 2, note: "between\nlines"),
        entry(minutes: 1500, note: "after"),
      ],
      width: nil, style: .plain, calendar: Self.utc)
    let shown = lines(
      timeline,
      [
        measurement(1, minutes: 0), measurement(2, minutes: 1), measurement(3, minutes: 3, stress: nil),
        measurement(4, minutes: 4, session: "01M", stress: 80),
      ])
    #expect(
      shown == [
        "    id  time           stress  category    confidence  HR bpm  RMSSD ms  SDNN ms  beats",
        "Fri 20 Nov 2026",
        "         23:58:00  journal 0: mood 3, anxious; work; \"before\"",
        "  session 01K  strap of 01K",
        "     1  23:59:00           42  ● mild            0.50      75      35.0        -     58",
        "Sat 21 Nov 2026",
        "     2  00:00:00           42  ● mild            0.50      75      35.0        -     58",
        "         00:01:00  journal 0: mood 3, anxious; work; \"between\u{FFFD}lines\"",
        "     3  00:02:00            -  -                 0.50      75      35.0        -     58",
        "  session 01M  strap of 01M",
        "     4  00:03:00           80  ■ high            0.50      75      35.0        -     58",
        "Sun 22 Nov 2026",
        "         00:59:00  journal 0: mood 3, anxious; work; \"after\"",
      ])
  }

  @Test(arguments: [(80, "42 (36-47)  ● mild"), (39, "42  ● mild")])
  func rangeIsShownFrom40Columns(width: Int, text: String) {
    var measurement = measurement(1, minutes: 0)
    measurement.range = 36.4...46.6
    let timeline = Timeline(notes: [], width: width, style: .plain, calendar: Self.utc)
    let shown = lines(timeline, [measurement])
    #expect(shown.last?.contains(" \(text)") == true, "\(shown)")
    #expect(shown.allSatisfy { $0.columns <= width })
  }

  @Test("No line is wider than the terminal", arguments: [1, 8, 16, 30, 40, 59, 72, 79, 80, 120])
  func fits(width: Int) {
    for style in [TerminalStyle.plain, TerminalStyle(colours: .sixteen, unicode: false)] {
      let timeline = Timeline(
        notes: [entry(minutes: 0, note: String(repeating: "心拍 ", count: 40))], width: width, style: style,
        calendar: Self.utc)
      let shown = lines(timeline, [measurement(123_456_789, minutes: 0), measurement(2, minutes: 1)])
      for line in shown { #expect(line.columns <= width, "\(line)") }
      #expect(shown.count == 7)
    }
  }
}
