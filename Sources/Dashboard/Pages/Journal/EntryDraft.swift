import History
import Localization
import Platform

/// The content of the form of a journal entry, valid or not.
struct EntryDraft: Sendable {
  private(set) var mood: String?
  private(set) var triggers: [String] = []
  private(set) var note: String?
  private(set) var errors = FormErrors()

  /// Limit of a trigger in characters.
  private static let longestTrigger = 64

  /// An empty form.
  init() {}

  init(_ entry: JournalEntry) {
    (mood, triggers, note) = (entry.mood.map { "\($0.rating)" }, entry.triggers, entry.note)
  }

  init(_ form: FormBody, _ context: PageContext) {
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

  /// Sets mood, triggers and note of an entry. Only without ``errors``.
  func apply(to entry: inout JournalEntry) {
    entry.mood = mood.flatMap { Int($0) }.flatMap(Mood.init)
    (entry.triggers, entry.note) = (triggers, note)
  }
}
