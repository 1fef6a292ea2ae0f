import ArgumentParser
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Terminal

/// The content of a journal entry.
struct EntryOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("The mood: 1-2 very anxious, 3-4 anxious, 5-6 neutral, 7-8 calm, 9-10 very calm."),
      valueName: "1-10"), completion: .list((1...10).map { "\($0)" }), transform: EntryOptions.mood)
  var mood: Mood?

  @Option(
    name: [.customLong("trigger"), .customLong("tag")],
    help: ArgumentHelp(
      localized("A trigger, such as coffee; may be repeated, or several separated by commas."),
      valueName: "tag"),
    completion: Completions.triggers,
    transform: EntryOptions.names)
  var triggers: [[String]] = []

  @Option(
    name: .long, help: ArgumentHelp(localized("A note, up to 10000 characters."), valueName: "text"),
    transform: { $0.asPlainNote })
  var note: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("The time of the entry, not in the future: 07:30 or 2026-11-21T07:30 (default: now)."),
      valueName: "time"
    ),
    transform: TimeArgument.init(momentArgument:))
  var at: TimeArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("The session that the entry belongs to, by the beginning of its ID."), valueName: "id"),
    completion: Completions.sessions)
  var session: String?

  func validate() throws {
    if let at { try Self.requirePast(at.start, now: SystemClock.wall) }
    try Self.requireValid(note: note)
  }

  /// - Throws: `ValidationError` for a note that is empty or too long.
  static func requireValid(note: String?) throws(ValidationError) {
    guard let note, note.isEmpty || JournalEntry.isTooLong(note: note) else { return }
    let (limit, count) = (JournalEntry.longestNote, note.unicodeScalars.count)
    throw ValidationError(Phrase("--note accepts 1 to \(limit) characters; this note has \(count)."))
  }

  /// Tolerated difference between clocks in s.
  static let clockTolerance: Int64 = 60

  /// - Throws: `ValidationError` for a time that is more than a minute in the future.
  static func requirePast(_ time: WallTime, now: WallTime) throws(ValidationError) {
    guard time.microseconds - now.microseconds > clockTolerance * 1_000_000 else { return }
    throw ValidationError(
      Phrase(
        """
        '--at \(LocalZone.text(time))' is in the future (now: \(LocalZone.text(now))). For a time of yesterday, add the \
        date: --at 2026-11-21T07:30
        """))
  }

  var isEmpty: Bool { mood == nil && triggers.isEmpty && note == nil }

  /// Sorted, without duplicates.
  var triggerNames: [String] { Set(triggers.joined()).sorted() }

  private static func mood(_ text: String) throws -> Mood {
    guard let mood = Int(text).flatMap(Mood.init) else {
      throw ValidationError(
        Phrase("expected a number from 1 (very anxious) to 10 (very calm). Example: --mood 4"))
    }
    return mood
  }

  /// Names in lower case: Coffee and coffee are equal.
  static func names(_ text: String) throws -> [String] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let name = part.lowercased().split(separator: " ").joined(separator: " ")
      guard (1...64).contains(name.count), name.printable == name else {
        throw ValidationError(
          Phrase("expected a trigger of 1 to 64 printable characters. Example: --trigger coffee"))
      }
      return name
    }
  }
}
