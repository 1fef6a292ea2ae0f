import ArgumentParser
import HeartRate
import History
import Terminal

/// What a journal entry says.
struct EntryOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "1 and 2 very anxious, 3 and 4 anxious, 5 and 6 neutral, 7 and 8 calm, 9 and 10 very calm.",
      valueName: "1-10"), transform: EntryOptions.mood)
  var mood: Mood?

  @Option(
    name: [.customLong("trigger"), .customLong("tag")],
    help: ArgumentHelp(
      "What was going on, such as coffee; may be repeated, or several with commas.", valueName: "tag"),
    transform: EntryOptions.names)
  var triggers: [[String]] = []

  @Option(name: .long, help: ArgumentHelp("Anything, in your words.", valueName: "text"))
  var note: String?

  @Option(
    name: .long,
    help: ArgumentHelp("When it was (default: now): 07:30, 2026-11-21T07:30.", valueName: "time"),
    transform: TimeArgument.init(momentArgument:))
  var at: TimeArgument?

  @Option(
    name: .long,
    help: ArgumentHelp("The session that it is about, by the beginning of its name.", valueName: "id"))
  var session: String?

  func validate() throws {
    if let note, !(1...10_000).contains(note.count) {
      throw ValidationError("--note takes 1 to 10000 characters, and this has \(note.count).")
    }
  }

  var isEmpty: Bool { mood == nil && triggers.isEmpty && note == nil }

  /// Without doubles, in alphabetical order.
  var triggerNames: [String] { Set(triggers.joined()).sorted() }

  private static func mood(_ text: String) throws -> Mood {
    guard let mood = Int(text).flatMap(Mood.init) else {
      throw ValidationError("it takes 1 (very anxious) to 10 (very calm).")
    }
    return mood
  }

  /// Names in small letters, so that Coffee and coffee are one.
  private static func names(_ text: String) throws -> [String] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let name = part.lowercased().split(separator: " ").joined(separator: " ")
      guard (1...64).contains(name.count), name.printable == name else {
        throw ValidationError("a name has 1 to 64 characters that can be printed.")
      }
      return name
    }
  }
}
