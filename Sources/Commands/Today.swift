import ArgumentParser
import Glibc
import HeartRate
import History
import LiveFeed
import LiveSession
import Localization
import Platform
import Reports
import Terminal

/// The program without arguments on a terminal: the day on one screen, or the first run on a machine without measurements.
struct Today: WaitingCommand {
  @OptionGroup var appearance: AppearanceOptions
  @OptionGroup var store: StoreOptions

  func perform() async throws {
    let context = try CommandContext()
    let output = StandardOutput()
    let style = appearance.style(context, isTerminal: output.isTerminal)
    let stored = try ProfileHistory(storing: store, context)
    let live = Self.sessions(of: stored, context)
    guard let reader = try stored.reader(),
      let report = try Self.report(reader, stored.profile, context, isMeasuring: !live.isEmpty)
    else { return try await GuidedFirstRun(style: style).run() }
    let text = TodayText(style: style, live: live, service: Self.service(context))
    try output.write(text.lines(report, width: output.width).map { $0 + "\n" }.joined())
  }

  /// Returns `nil` if nothing was measured.
  private static func report(
    _ reader: HistoryReader, _ profile: String, _ context: CommandContext, isMeasuring: Bool
  ) throws -> TodayReport? {
    let now = SystemClock.wall
    let source = StatusSource(
      profile: profile, metric: context.configuration.hrvMetric, interval: context.configuration.storeInterval
    )
    guard let status = try source.status(reader, .today, now: now) else { return nil }
    return try TodayReport(reader, of: profile, status, isMeasuring: isMeasuring, now: now)
  }

  private static func sessions(of stored: ProfileHistory, _ context: CommandContext) -> [FeedHello] {
    let directory = FeedDirectory(context.environment)
    guard !directory.sessions().isEmpty,
      let reader = try? FeedReader(directory, database: stored.location.resolvedPath)
    else { return [] }
    // Each session introduces itself in its first line, which arrives at once.
    for _ in 0..<20 where reader.wait(atMost: 25).isEmpty { break }
    return reader.sessions.filter { $0.profile == stored.profile }
  }

  /// What the service does, if it is active.
  private static func service(_ context: CommandContext) -> Phrase? {
    let user = "user.slice/user-\(getuid()).slice/user@\(getuid()).service/app.slice"
    guard unsafe access("/sys/fs/cgroup/\(user)/stressmon.service", F_OK) == 0 else { return nil }
    guard case .every(let period)? = context[.service].flatMap(ServiceMode.init(argument:)) else {
      return Phrase("the service measures continuously")
    }
    return Phrase("the service takes a reading every \(period.shortText)")
  }
}

/// The screen of ``TodayReport``: at most 20 lines.
struct TodayText {
  let style: TerminalStyle
  /// The live sessions of the profile.
  let live: [FeedHello]
  let service: Phrase?

  func lines(_ report: TodayReport, width: Int?) -> [String] {
    guard !style.isSimple else { return simple(report, width: width ?? 100) }
    let rows = rows(report)
    let margin = (rows.map(\.label.columns).max() ?? 0) + 3
    let width = width ?? 100
    let lines = rows.flatMap { row -> [String] in
      let values = row.value.wrapped(to: max(20, width - margin), unicode: style.unicode)
      return values.enumerated().map { place, value in
        (place == 0 ? row.label : "").padded(to: margin) + value
      }
    }
    let next = style.localized(report.suggestion.phrase).wrapped(to: width, unicode: style.unicode)
    return [style.bold(heading(report)), ""] + lines + [""] + next
  }

  /// One value, one sentence and one action.
  private func simple(_ report: TodayReport, width: Int) -> [String] {
    let sentence = report.status?.insight.map(style.localized) ?? morning(report)
    return [stress(report), sentence, style.localized(report.suggestion.phrase)].flatMap {
      $0.wrapped(to: width, unicode: style.unicode)
    }
  }

  private func heading(_ report: TodayReport) -> String {
    let date = report.week.period.parts.last.map { style.localized(.date($0.long)) } ?? String()
    return report.isNamed ? "\(date), \(report.profile.printable)" : date
  }

  private func rows(_ report: TodayReport) -> [(label: String, value: String)] {
    var rows = [(style.localized("Stress"), stress(report))]
    if let insight = report.status?.insight { rows.append(("", style.localized(insight))) }
    if let night = report.night { rows.append((style.localized("Night"), style.localized(night.sentence))) }
    rows.append((style.localized("Morning"), morning(report)))
    rows.append((style.localized("Week"), week(report)))
    rows.append((style.localized("Running"), running))
    return rows
  }

  private func stress(_ report: TodayReport) -> String {
    guard let status = report.status else { return style.localized(StatusText.nothing) }
    return StatusText(style: style).today(status)
  }

  private func morning(_ report: TodayReport) -> String {
    guard let morning = report.morning else { return style.localized("no morning reading yet") }
    let days = Int(report.day) - morning.reading.day
    let sentence = style.localized(morning.sentence)
    return switch days {
    case ..<1: sentence
    case 1: style.localized("yesterday: \(sentence)")
    default: style.localized("\(days) days ago: \(sentence)")
    }
  }

  /// `▁▂▁ ▃▂▁  14 on average on 6 days`
  private func week(_ report: TodayReport) -> String {
    let count = report.daysWithStress
    guard count > 0 else { return style.localized("no stress value in the last seven days") }
    let cells = StatusText(style: style).sparkline(report.week.sums.map { $0[.stress]?.mean })
    let mean = report.week.whole.stressMean
    return cells
      + style.localized(
        "stress \(mean) on average on \(count) day", "stress \(mean) on average on \(count) days",
        count: count)
  }

  private var running: String {
    let sessions =
      live.isEmpty
      ? nil : style.localized("\(live.count) live session", "\(live.count) live sessions", count: live.count)
    let parts = [sessions, service.map(style.localized)].compactMap(\.self)
    return parts.isEmpty ? style.localized("nothing") : parts.joined(separator: ", ")
  }
}
