import ArgumentParser
import HeartRate
import History
import JSONLines
import Localization
import NetworkCommands
import Platform
import Reports
import Terminal

struct JournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal", _superCommandName: Stressmon.name,
    abstract: localized("Keep a journal of moods, triggers and notes, and relate it to stress."),
    discussion: examples("stressmon journal add --mood 4 --trigger coffee --trigger work"),
    subcommands: [List.self, Add.self, Edit.self, Remove.self, Insights.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: localized("List the entries, the newest last."),
      discussion: examples("stressmon journal list --week --trigger coffee"))

    @Option(
      name: .long, help: ArgumentHelp(localized("Only entries with this trigger."), valueName: "name"),
      completion: Completions.triggers)
    var trigger: String?

    @Flag(name: .long, help: .localized("Print one JSON object per line."))
    var json = false

    @OptionGroup(title: localized("Filter options")) var times: TimeOptions
    @OptionGroup(title: commonOptions) var store: StoreOptions

    func run() throws {
      let stored = try ProfileHistory(store)
      var entries = try stored.reader()?.journal(of: stored.profile, in: times.range()) ?? []
      if let name = trigger?.lowercased() { entries.removeAll { !$0.triggers.contains(name) } }
      let others = entries.isEmpty ? try stored.reader()?.journal(of: stored.profile, limit: 1) : nil
      let report = JournalReport(
        entries: entries, profile: stored.profile, hasOthers: others?.isEmpty == false)
      try StandardOutput().write(report, asJSON: json)
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: localized("Add an entry with a mood, triggers or a note."),
      discussion: examples(
        "stressmon journal add slept badly --mood 4",
        "stressmon journal add --mood 6 --trigger coffee",
        "stressmon journal add --mood 8 --at 07:30",
        "stressmon journal add --trigger run --session 01K"))

    @Argument(help: .localized("The note, instead of --note."))
    var words: [String] = []

    @OptionGroup var entry: EntryOptions
    @OptionGroup var output: EntryOutput
    @OptionGroup(title: commonOptions) var store: StoreOptions

    private var note: String? {
      words.isEmpty ? entry.note : words.joined(separator: " ").asPlainNote
    }

    func validate() throws {
      if entry.isEmpty, words.isEmpty {
        throw ValidationError(
          Phrase("an entry requires a note, --mood or --trigger. Example: journal add slept badly --mood 4"))
      }
      guard !words.isEmpty else { return }
      if entry.note != nil { throw ValidationError.exclusive("<words>", "--note") }
      try EntryOptions.requireValid(note: note)
    }

    func run() throws {
      let stored = try ProfileHistory(storing: store, CommandContext())
      let session = try entry.session.map(stored.session)
      let time = entry.at?.start ?? session?.ended ?? SystemClock.wall
      let added = try HistoryWriter(stored.location).addToJournal(
        JournalEntry(
          profile: stored.profile, time: time, utcOffset: LocalCalendar.system.utcOffset(time),
          session: session?.info.id, mood: entry.mood, triggers: entry.triggerNames, note: note))
      try output.show(added, profile: stored.profile)
    }
  }

  struct Edit: ParsableCommand {
    enum Part: String, ExpressibleByArgument, CaseIterable {
      case mood
      case triggers
      case note
      case session
    }

    static let configuration = CommandConfiguration(
      commandName: "edit",
      abstract: localized("Change an entry; parts that are not given keep their values."),
      discussion: examples("stressmon journal edit 3 --mood 5 --without note"))

    @Argument(
      help: .localized("The number of the entry, as listed by 'stressmon journal list'."),
      completion: Completions.journalEntries)
    var id: Int64

    @OptionGroup var entry: EntryOptions

    @Option(
      name: .long,
      help: ArgumentHelp(localized("Remove this part; may be repeated."), valueName: "part")
    )
    var without: [Part] = []

    @OptionGroup var output: EntryOutput
    @OptionGroup(title: commonOptions) var store: StoreOptions

    func validate() throws {
      if entry.isEmpty, entry.at == nil, entry.session == nil, without.isEmpty {
        throw ValidationError(
          Phrase(
            """
            edit requires --mood, --trigger, --note, --at, --session or --without. Example: \
            \("stressmon journal edit \(id) --mood 5")
            """)
        )
      }
    }

    func run() throws {
      let stored = try ProfileHistory(store)
      let session = try entry.session.map(stored.session)
      guard let current = try stored.reader()?.journalEntry(id, of: stored.profile) else {
        throw stored.noEntry(id)
      }
      guard !changed(current, session).isEmpty else {
        throw CommandFailure(
          .usage,
          Phrase(
            "entry \(id) would be empty after this change. Delete it with: \("stressmon journal delete \(id)")"
          ))
      }
      let writer = try HistoryWriter(stored.location)
      guard
        let edited = try writer.editJournal(id, of: stored.profile, { $0 = changed($0, session) })
      else { throw stored.noEntry(id) }
      try output.show(edited, profile: stored.profile)
    }

    private func changed(_ entry: JournalEntry, _ session: StoredSession?) -> JournalEntry {
      var changed = entry
      if without.contains(.mood) { changed.mood = nil }
      if without.contains(.triggers) { changed.triggers = [] }
      if without.contains(.note) { changed.note = nil }
      if without.contains(.session) { changed.session = nil }
      changed.mood = self.entry.mood ?? changed.mood
      if !self.entry.triggers.isEmpty { changed.triggers = self.entry.triggerNames }
      changed.note = self.entry.note ?? changed.note
      changed.session = session?.info.id ?? changed.session
      if let time = self.entry.at?.start {
        changed.time = time
        changed.utcOffset = LocalCalendar.system.utcOffset(time)
      }
      return changed
    }
  }
}

extension JournalCommand {
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: localized("Delete an entry permanently."),
      discussion: examples("stressmon journal delete 3"))

    @Argument(
      help: .localized("The number of the entry, as listed by 'stressmon journal list'."),
      completion: Completions.journalEntries)
    var id: Int64

    @OptionGroup var options: DeletionOptions
    @OptionGroup(title: commonOptions) var store: StoreOptions

    func run() throws {
      let stored = try ProfileHistory(store)
      guard let entry = try stored.reader()?.journalEntry(id, of: stored.profile) else {
        throw stored.noEntry(id)
      }
      let remark = "  \(LocalZone.text(entry.time))  \(localized(entry.summary).printable)"
      try Deletion(
        scope: .journalEntry(id, of: stored.profile), stored: stored, options: options, remark: remark
      ).run()
    }
  }
}

/// The output of a stored entry.
struct EntryOutput: ParsableArguments {
  @Flag(name: .long, help: .localized("Print one JSON object."))
  var json = false

  func show(_ entry: JournalEntry, profile: String) throws {
    try StandardOutput().write(JournalReport(entries: [entry], profile: profile), asJSON: json)
  }
}

extension ProfileHistory {
  func noEntry(_ id: Int64) -> CommandFailure {
    CommandFailure(
      .failed,
      Phrase(
        "there is no journal entry \(id) of '\(profile)'. List the entries with: \("stressmon journal list")")
    )
  }
}

/// Journal entries as a table and as JSON.
struct JournalReport: PrintedReport {
  let entries: [JournalEntry]
  let profile: String
  /// Whether the history has entries that the filters exclude.
  var hasOthers = false

  private var nothing: Phrase {
    hasOthers
      ? Phrase("No journal entry of '\(profile)' matches. List all with: \("stressmon journal list")")
      : Phrase("No journal entry of '\(profile)' here. Write one with: \("stressmon journal add --mood 6")")
  }

  func text(width: Int?) -> String {
    guard !entries.isEmpty else { return localized(nothing) + "\n" }
    var table = TextTable([
      (localized("id"), .right), (localized("time"), .left), (localized("mood"), .left),
      (localized("triggers"), .left), (localized("session"), .left), (localized("note"), .left),
    ])
    for entry in entries {
      table.append([
        "\(entry.id)", LocalZone.text(entry.time),
        entry.mood.map { "\($0.rating) \(localized($0.name))" } ?? "-",
        entry.triggers.isEmpty ? "-" : entry.triggers.joined(separator: ", "),
        entry.session.map { String($0.text.prefix(10)) } ?? "-", entry.note ?? "-",
      ])
    }
    return table.lines(width: width, expendable: [localized("session")]).map { $0 + "\n" }.joined()
  }

  var json: [UInt8] {
    var line = JSONLine()
    for entry in entries { line.line { entry.put(into: &$0) } }
    return line.bytes
  }
}
