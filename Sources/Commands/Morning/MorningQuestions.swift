import History
import Localization
import Platform
import Reports
import Terminal

/// Asks after a morning reading what may explain it, and stores the answer in the journal.
struct MorningQuestions {
  /// A circumstance of the night, which becomes a trigger of the entry.
  enum Circumstance: Int, CaseIterable {
    case sleptBadly = 1
    case soreMuscles
    case alcohol
    case ill

    var name: Phrase {
      switch self {
      case .sleptBadly: Phrase("slept badly")
      case .soreMuscles: Phrase("sore muscles")
      case .alcohol: Phrase("alcohol")
      case .ill: Phrase("ill")
      }
    }
  }

  let style: TerminalStyle
  let location: StoreLocation
  /// Selects the person in commands, with a space before it; empty for the person of commands without `--profile`.
  let profileOption: String
  /// The reading that was stored.
  let reading: StoredMorning

  /// Asks until the answer is valid. Nothing is stored after an empty answer, and at the end of the input.
  func ask() throws {
    var circumstances: [Circumstance]?
    while circumstances == nil {
      guard let answer = TerminalPrompt.answer(question) else { return }
      circumstances = Self.circumstances(answer)
    }
    guard let circumstances, !circumstances.isEmpty else { return }
    let names = circumstances.map { style.localized($0.name) }
    let entry = try HistoryWriter(location).addToJournal(entry(names))
    let command = "stressmon journal edit \(entry.id)\(profileOption)"
    try StandardOutput().line(
      style.localized("Added to your journal: \(names.joined(separator: ", ")). Change it with: \(command)"))
  }

  /// `1 slept badly  2 sore muscles  3 alcohol  4 ill`
  private var question: String {
    let choices = Circumstance.allCases.map { "\($0.rawValue) \(style.localized($0.name))" }
    let question = style.localized(
      "What may have influenced it? Type the numbers, or Enter for none of these:")
    return "\n\(question)\n  \(choices.joined(separator: "   "))\n> "
  }

  /// The circumstances whose numbers are in the answer, in any order, with any separators. Absent for other text.
  static func circumstances(_ answer: String) -> [Circumstance]? {
    var chosen: Set<Circumstance> = []
    for character in answer where !character.isWhitespace && !",;+".contains(character) {
      guard let found = character.wholeNumberValue.flatMap(Circumstance.init) else { return nil }
      chosen.insert(found)
    }
    return Circumstance.allCases.filter(chosen.contains)
  }

  /// The entry precedes the reading, because a trigger belongs to the reading that follows it (``MorningTriggers``).
  private func entry(_ triggers: [String]) -> JournalEntry {
    let time = reading.time.moved(seconds: -1)
    return JournalEntry(
      profile: reading.profile, time: time, utcOffset: LocalCalendar.system.utcOffset(time),
      session: reading.session, mood: nil, triggers: triggers.sorted(), note: nil)
  }
}
