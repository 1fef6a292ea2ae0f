import ArgumentParser
import History
import JSONLines
import Localization
import NetworkCommands
import Platform
import Reports
import Stress
import Terminal

struct PromptsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompts", _superCommandName: Stressmon.name,
    abstract: localized("List and answer the questions of live sessions."),
    discussion: localized(
      """
      With the setting 'prompts', live sessions ask whether you are stressed, at most twice a day, when your HRV has been \
      below your usual range at rest.
      """) + "\n"
      + examples("stressmon config set prompts on", "stressmon prompts answer yes --trigger work"),
    subcommands: [List.self, AnswerCommand.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: localized("List the questions with their answers, the newest last."),
      discussion: examples("stressmon prompts list --week"))

    @Flag(name: .long, help: .localized("Print one JSON object per line."))
    var json = false

    @OptionGroup(title: localized("Filter options")) var times: TimeOptions
    @OptionGroup(title: commonOptions) var store: StoreOptions

    func run() throws {
      let stored = try ProfileHistory(store)
      let prompts = try stored.reader()?.prompts(of: stored.profile, in: times.range()) ?? []
      try StandardOutput().write(
        PromptReport(prompts: prompts.reversed(), profile: stored.profile), asJSON: json)
    }
  }

  struct AnswerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "answer",
      abstract: localized("Answer a question; the first answer counts."),
      discussion: localized(
        "Yes adds a journal entry at the time of the question. Not-today ends the questions until midnight.")
        + "\n"
        + examples("stressmon prompts answer yes --trigger work", "stressmon prompts answer no --prompt 3"))

    @Argument(
      help: .localized("yes, no, breathe or not-today."),
      completion: .list(StressPrompt.Answer.allCases.map(\.rawValue)))
    var answer: StressPrompt.Answer

    @Option(
      name: .long,
      help: ArgumentHelp(
        localized("The number of the question (default: the newest without an answer)."), valueName: "number")
    )
    var prompt: Int64?

    @Option(
      name: .long,
      help: ArgumentHelp(
        localized("A trigger, such as coffee; may be repeated, or several separated by commas."),
        valueName: "tag"),
      completion: Completions.triggers, transform: EntryOptions.names)
    var trigger: [[String]] = []

    @Option(
      name: .long, help: ArgumentHelp(localized("A note, up to 10000 characters."), valueName: "text"),
      transform: { $0.asPlainNote })
    var note: String?

    @OptionGroup(title: commonOptions) var store: StoreOptions

    func validate() throws {
      try EntryOptions.requireValid(note: note)
      guard answer != .yes, !trigger.isEmpty || note != nil else { return }
      throw ValidationError(
        Phrase(
          "--trigger and --note belong to the answer yes, which adds a journal entry. Example: stressmon prompts answer yes --trigger work"
        ))
    }

    func run() throws {
      let context = try CommandContext()
      let stored = try ProfileHistory(store, context)
      let found = try question(stored)
      let triggers = Set(trigger.flatMap(\.self)).sorted()
      let outcome = try HistoryWriter(stored.location).answer(
        found.id, of: stored.profile, answer, at: SystemClock.wall,
        entry: found.journalEntry(triggers: triggers, note: note))
      switch outcome {
      case .missing: throw none(stored)
      case .answeredBefore(let stored):
        let known = stored.answer?.rawValue ?? "-"
        throw CommandFailure(.failed, Phrase("question \(stored.id) was answered before, with \(known)"))
      case .stored(let stored):
        for line in Self.lines(stored, context.profileOption(stored.profile)) {
          try StandardOutput().line(localized(line))
        }
      }
    }

    private func question(_ stored: ProfileHistory) throws -> StoredPrompt {
      let reader = try stored.reader()
      let found =
        try prompt.map { try reader?.prompt($0, of: stored.profile) }
        ?? reader?.prompts(of: stored.profile, limit: 100).first { $0.answer == nil }
      guard let found else { throw none(stored) }
      return found
    }

    private func none(_ stored: ProfileHistory) -> CommandFailure {
      CommandFailure(
        .failed,
        Phrase(
          "there is no such question of '\(stored.profile)'. List the questions with: \("stressmon prompts")"
        ))
    }

    /// - Parameter profile: The option that selects the person in commands.
    private static func lines(_ stored: StoredPrompt, _ profile: String) -> [Phrase] {
      switch stored.answer {
      case .yes?:
        stored.entry.map {
          [
            Phrase("Noted in the journal as entry \($0)."),
            Phrase("Change it with: \("stressmon journal edit \($0)\(profile) --trigger work")"),
          ]
        } ?? []
      case .breathe?: [Phrase("Start a calming exercise with: \("stressmon calm\(profile)")")]
      case .notToday?: [Phrase("No further question until midnight.")]
      case .no?, nil: [Phrase("Noted.")]
      }
    }
  }
}

extension StressPrompt.Answer: ExpressibleByArgument {}

/// Prompts as a table with the agreement, and as JSON.
struct PromptReport: PrintedReport {
  /// The newest last.
  let prompts: [StoredPrompt]
  let profile: String

  private var agreement: PromptAgreement { PromptAgreement(prompts) }

  func text(width: Int?) -> String {
    guard !prompts.isEmpty else {
      return localized(
        "No question to '\(profile.printable)' here. Live sessions ask with: \("stressmon config set prompts on")"
      )
        + "\n"
    }
    var table = TextTable([
      (localized("id"), .right), (localized("time"), .left), (localized("stress"), .right), ("RMSSD", .right),
      (localized("normal"), .right), (localized("confidence"), .right), (localized("answer"), .left),
      (localized("journal"), .right),
    ])
    for prompt in prompts { table.append(row(prompt)) }
    let lines = table.lines(width: width, expendable: [localized("confidence"), localized("journal")])
    return (lines + [localized(agreement.sentence)]).map { $0 + "\n" }.joined()
  }

  private func row(_ prompt: StoredPrompt) -> [String] {
    let (measured, normal) = (prompt.measurement, prompt.measurement.normal)
    return [
      "\(prompt.id)", LocalZone.text(measured.time), TextTable.number(measured.stress, 0),
      TextTable.number(measured.rmssd, 0),
      "\(normal.lowerBound.fixed(0))-\(normal.upperBound.fixed(0))",
      TextTable.number(measured.confidence, 2), prompt.answer?.rawValue ?? "-",
      prompt.entry.map { "\($0)" } ?? "-",
    ]
  }

  var json: [UInt8] {
    var line = JSONLine()
    for prompt in prompts { line.line { prompt.put(into: &$0) } }
    line.line { line in
      line.put("type", "agreement")
      line.put("profile", profile)
      line.put("agreed", agreement.agreed)
      line.put("answered", agreement.answered)
    }
    return line.bytes
  }
}
