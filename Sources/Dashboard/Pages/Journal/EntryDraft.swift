import HeartRate
import History
import Localization
import Platform
import Reports

/// The content of the form of a journal entry, valid or not.
struct EntryDraft: Sendable {
  /// The local time as in a form, `2026-11-21T07:30`; nil for the time at which the entry is added.
  private(set) var time: String?
  private(set) var mood: String?
  private(set) var triggers: [String] = []
  private(set) var note: String?
  private(set) var errors = FormErrors()

  /// Limit of a trigger in characters.
  private static let longestTrigger = 64

  /// An empty form.
  /// - Parameter day: its day, at noon, in days since 1970-01-01; nil for the time at which the entry is added.
  init(day: Int64? = nil) {
    time = day.map { Self.text(LocalCalendar.system.start(ofDay: $0).moved(seconds: 12 * 3600)) }
  }

  init(_ entry: JournalEntry) {
    (mood, triggers, note) = (entry.mood.map { "\($0.rating)" }, entry.triggers, entry.note)
    time = Self.text(entry.time)
  }

  /// The local time in the form of an input element.
  private static func text(_ time: WallTime) -> String {
    String(LocalCalendar.system.text(time).prefix(16)).replacing(" ", with: "T")
  }

  /// The chosen time, unless it is not valid.
  private var chosen: WallTime? { time.flatMap { LocalTime.parse($0[...]) } }

  init(_ form: FormBody, _ context: PageContext) {
    time = form.value("time").flatMap { $0.isEmpty ? nil : $0 }
    mood = form.value("mood").flatMap { $0.isEmpty ? nil : $0 }
    let typed = (form.value("triggers") ?? "").split { ",;\n\r".contains($0) }.map(String.init)
    let names = (form.values("trigger") + typed).map {
      $0.lowercased().split(separator: " ").joined(separator: " ")
    }.filter { !$0.isEmpty }
    triggers = Set(names).sorted()
    note = form.value("note").flatMap(JournalEntry.note)
    check(context)
  }

  private mutating func check(_ context: PageContext) {
    if time != nil, chosen.map({ $0 > SystemClock.wall }) ?? true {
      errors.add(context.localized("Choose a time that is not in the future."), for: "time")
    }
    if let mood, Int(mood).flatMap(Mood.init) == nil {
      errors.add(context.localized("Choose a mood from 1 to 10."), for: "mood")
    }
    if triggers.count > JournalAPI.mostTriggers {
      errors.add(context.localized("Enter at most \(JournalAPI.mostTriggers) triggers."), for: "triggers")
    }
    if triggers.contains(where: {
      $0.count > Self.longestTrigger || $0.unicodeScalars.contains(where: \.isUnprintable)
    }) {
      errors.add(
        context.localized(
          "Enter triggers of at most \(Self.longestTrigger) characters, separated by commas."),
        for: "triggers")
    }
    if let note, JournalEntry.isTooLong(note: note) {
      errors.add(
        context.localized("Enter a note of at most \(JournalEntry.longestNote) characters."), for: "note")
    }
    if mood == nil, triggers.isEmpty, note == nil {
      errors.add(context.localized("Choose a mood, or enter a trigger or a note."), for: "mood")
    }
  }

  /// Sets time, mood, triggers and note of an entry. An unchanged minute keeps its seconds and its time zone. Only without
  /// ``errors``.
  func apply(to entry: inout JournalEntry) {
    if let chosen, time != Self.text(entry.time) {
      (entry.time, entry.utcOffset) = (chosen, LocalZone(at: chosen).utcOffset)
    }
    entry.mood = mood.flatMap { Int($0) }.flatMap(Mood.init)
    (entry.triggers, entry.note) = (triggers, note)
  }
}
