import ArgumentParser
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Reports
import Stress
import Terminal

extension JournalCommand {
  struct Insights: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "insights",
      abstract: localized("Show which triggers are associated with more or less stress."),
      discussion: localized(
        """
        Compares the stress at entries with a trigger with that at all other entries, and tests whether the difference
        exceeds chance (docs/guide/journal.md). --morning compares RMSSD of the morning readings and --night that of the nights \
        that follow the entries; one reading a day suffices. --days compares the stress of the days that follow more movement, \
        longer nights and nights with a higher HRV.
        """) + "\n"
        + examples(
          "stressmon journal insights --from 2026-10",
          "stressmon journal insights --morning"))

    @Flag(name: .long, help: .localized("Compare RMSSD of the following morning readings instead of stress."))
    var morning = false

    @Flag(name: .long, help: .localized("Compare RMSSD of the following nights instead of stress."))
    var night = false

    @Flag(
      name: .long, help: .localized("Compare the stress of days by the movement and the night before them."))
    var days = false

    @Flag(name: .long, help: .localized("Print one JSON object per trigger."))
    var json = false

    @OptionGroup(title: localized("Filter options")) var times: TimeOptions
    @OptionGroup(title: commonOptions) var store: StoreOptions

    func validate() throws {
      let chosen = [(morning, "--morning"), (night, "--night"), (days, "--days")].filter(\.0).map(\.1)
      if chosen.count > 1 { throw ValidationError.exclusive(chosen[0], chosen[1]) }
      if days, times.isGiven {
        throw ValidationError(Phrase("--days compares the last 90 days: leave out the times."))
      }
    }

    func run() throws {
      let stored = try ProfileHistory(store)
      let episodes = try stored.reader()?.stressEpisodes(of: stored.profile, in: times.range()) ?? []
      let report = TriggerReport(effects: TriggerEffects(journal: episodes), profile: stored.profile)
      let output = StandardOutput()
      let style = ProcessEnvironment.current.style(isTerminal: output.isTerminal)
      if days {
        let effects = try dayEffects(stored)
        return try output.write(json ? effects.json : Array(effects.text(style, isAlone: true).utf8))
      }
      let mornings = try triggers(stored, StoredMorning.self)
      let nights = try triggers(stored, StoredNight.self)
      if morning || night {
        let readings = morning ? mornings : nights
        guard !json else { return try output.write(readings.json) }
        let text = readings.text(style: style)
        let nothing = (night ? NormalRange.Source.nights : .mornings).absence(of: stored.profile.printable)
        return try output.write(text.isEmpty ? style.localized(nothing) + "\n" : text)
      }
      guard !json else { return try output.write(report.json) }
      let texts = [mornings, nights].map { $0.text(style: style) } + [try dayEffects(stored).text(style)]
      let notes = texts.filter { !$0.isEmpty }.map { "\n" + $0 }
      try output.write(report.text(style: style, width: output.width) + notes.joined())
    }

    /// The readings of the selected days; by default of the last 90 days.
    private func triggers<Reading: DailyReading>(_ stored: ProfileHistory, _: Reading.Type) throws
      -> MorningTriggers
    {
      let (calendar, now) = (LocalCalendar.system, SystemClock.wall)
      let today = calendar.day(of: now)
      let range = times.range()
      let last = calendar.day(of: range.upperBound.moved(seconds: -1))
      let days =
        times.isGiven
        ? Int(calendar.day(of: range.lowerBound))..<Int(last) + 1 : Int(today) - 89..<Int(today) + 1
      let reader = try stored.reader()
      let trend = try DailyTrend<Reading>(reader, of: stored.profile, in: days)
      return MorningTriggers(trend, journal: try reader?.journal(of: stored.profile) ?? [])
    }

    private func dayEffects(_ stored: ProfileHistory) throws -> DayEffects {
      let today = LocalCalendar.system.day(of: SystemClock.wall)
      return try DayEffects(stored.reader(), of: stored.profile, ending: Int(today), .system)
    }
  }
}

extension DayEffects {
  /// The associations as sentences.
  /// - Parameter isAlone: whether too few days are stated; otherwise the text is empty without enough days.
  func text(_ style: TerminalStyle, isAlone: Bool = false) -> String {
    let count = effects.occasions
    guard !effects.effects.isEmpty else {
      let needed = TriggerEffects.fewestOccasions
      return isAlone
        ? style.localized(
          "Too few days: \(needed) days with a stress value after more movement or longer nights, and as many after less, are required."
        ) + "\n" : ""
    }
    let heading = style.localized(
      "Stress of \(count) day, compared by movement and night before it:",
      "Stress of \(count) days, compared by movement and night before them:", count: count)
    let found = sentences.map(style.localized)
    let none = style.localized("Neither movement nor nights are associated with stress beyond chance.")
    return ([heading] + (found.isEmpty ? [none] : found)).map { $0 + "\n" }.joined()
  }
}

extension TriggerReport {
  /// - Parameter width: columns of the terminal, if standard output is one.
  func text(style: TerminalStyle, width: Int?) -> String {
    let lines = [summary(style)] + associations(style, width) + tooFew(style)
    return lines.map { $0 + "\n" }.joined()
  }

  private func summary(_ style: TerminalStyle) -> String {
    let name = profile.printable
    return style.localized(
      "The journal of '\(name)' covers \(effects.occasions) measured episode.",
      "The journal of '\(name)' covers \(effects.occasions) measured episodes.", count: effects.occasions)
  }

  private func associations(_ style: TerminalStyle, _ width: Int?) -> [String] {
    let sentences = effects.sentences.map { style.localized($0).printable }
    return effects.effects.isEmpty ? sentences : sentences + [""] + table(style, width)
  }

  private func tooFew(_ style: TerminalStyle) -> [String] {
    guard !effects.tooFew.isEmpty else { return [] }
    let names = effects.tooFew.map { "\($0.trigger.printable) \($0.occasions)" }.joined(separator: ", ")
    return ["", style.localized("Too few episodes with or without: \(names)")]
  }

  private func table(_ style: TerminalStyle, _ width: Int?) -> [String] {
    let headings = TriggerEffects.headings.map(style.localized)
    let alignments: [TextTable.Alignment] = [.left, .right, .right, .right, .left, .right]
    var table = TextTable(Array(zip(headings, alignments)))
    for effect in effects.effects { table.append(effect.row(style.language)) }
    return table.lines(width: width, expendable: [headings[2], headings[1]]) + [
      "", style.localized(TriggerEffects.chanceNote), style.localized(TriggerEffects.caution),
    ]
  }
}
