import ArgumentParser
import History
import Localization
import Stress
import Synchronization
import Terminal

/// Sessions with several straps in one run, each of its own: what becomes of one is nothing to the others.
struct SessionGroup {
  private let sessions: [LiveSession]
  private let labels: [String]
  private let view: ViewOptions

  init(_ sessions: [LiveSession], _ view: ViewOptions) {
    self.sessions = sessions
    self.view = view
    let straps = sessions.compactMap(\.strap)
    labels = straps.labels(profile: sessions.first.map { $0.store.profileName($0.configuration) } ?? "")
  }

  /// Runs all of them, shows them as `view` says, and tells in the end what was kept.
  ///
  /// A session that fails says so and leaves the others alone. The exit code is that of the first that failed; where a
  /// signal came, only what failed from then on counts.
  func runShown() async throws {
    let keys = view.terminalKeys(sessions[0].environment)
    defer { keys?.close() }
    let output = sessions[0].output
    let screen =
      isOnScreen
      ? Screen(
        blocks: sessions.count, footer: try footer, keys: keys == nil ? [] : LiveKey.ofSeveral,
        style: style, to: output) : nil
    let keyboard = try keys.map { try makeKeyboard($0, screen, output) }
    let members = try prepare(screen, keyboard?.desks, output)
    if !view.json, !view.speech.speak, !isOnScreen {
      for member in members { member.tellBaseline(style) }
    }
    let failures = Failures()
    let limit = sessions[0].limit
    let end = try await keyboard.hearing {
      try await runUntilInterrupted(limit: limit, until: keyboard?.untilQuit) {
        try await withThrowingTaskGroup { group in
          for member in members { group.addTask { try await member.run(failures) } }
          try await group.waitForAll()
        }
      }
    }
    try screen?.endMessages()
    keys?.close()
    for member in members { member.session.learn() }
    for member in members { member.noteMissingData(end, after: limit, failures) }
    if isOnScreen {
      for one in failures.all { printDiagnostic("stressmon: \(one.label): \(one.failure)") }
    }
    try printSummaries(members, output)
    if !view.json { try tellWhatWasKept(members) }
    if case .signal(let signal) = end, !failures.all.contains(where: \.cameAtTheEnd) {
      throw Interruption(signal: signal)
    }
    // They were told as they happened.
    if let status = failures.all.first?.failure.status { throw ExitCode(status.rawValue) }
  }

  private func makeKeyboard(
    _ keys: TerminalKeys, _ screen: Screen?, _ output: NonblockingOutput
  ) throws -> LiveKeyboard {
    let desks = sessions.map { SessionController(speed: $0.source.guideSpeed) }
    if let screen { return LiveKeyboard(keys, screen, desks: desks) }
    let silent = Screen(keys: LiveKey.ofSeveral, style: style, to: output)
    return LiveKeyboard(keys, speaking: try view.spokenKeys(silent), desks: desks)
  }

  private var style: TerminalStyle { view.style(sessions[0].environment, sessions[0].configuration) }

  private var isOnScreen: Bool { view.usesScreen(sessions[0].environment) }

  /// Everything that can be refused is, before the first begins.
  private func prepare(_ screen: Screen?, _ desks: [SessionController]?, _ output: NonblockingOutput) throws
    -> [Member]
  {
    let (isOnScreen, view) = (isOnScreen, view)
    let (environment, configuration) = (sessions[0].environment, sessions[0].configuration)
    let claims = try MeasurementLocks(location: sessions[0].claimLocation)
    let companions = ConcurrentSessions()
    let width = labels.map(\.columns).max() ?? 0
    return try zip(sessions, labels).enumerated().map { place, session in
      let label = session.1
      var session = session.0
      let desk = desks?[place]
      session.attendant = desk
      let summary = SharedSummary()
      let notices = SessionAlerts(onScreen: isOnScreen, label: label)
      let prepared = try session.prepare(claims, notices: notices, companions: companions) { plan, location in
        desk?.subject = SessionController.Subject(plan: plan, location: location)
        let presenter = view.presenter(
          plan, label: label.padded(to: width), on: screen, at: place, notices: notices,
          output: output, environment: environment, configuration: configuration)
        let shown: any SessionSink = desk.map { DeskSink(desk: $0, base: presenter) } ?? presenter
        return SummarySink(summary: summary, base: shown)
      }
      return Member(label: label, session: prepared, notices: notices, summary: summary)
    }
  }

  private var footer: String {
    get throws {
      let session = sessions[0]
      let location = try session.store.location(session.configuration, session.environment)
      let kept =
        session.isStored ? style.localized("Kept in \(location.path).") : style.localized("Nothing is kept.")
      return kept + " " + style.localized("Ctrl-C ends the sessions.")
    }
  }

  private func printSummaries(_ members: [Member], _ output: NonblockingOutput) throws {
    for (session, member) in zip(sessions, members) {
      try session.printSummary(
        member.summary.value, member.session.plan, style, view, label: member.label, to: output)
    }
  }

  private func tellWhatWasKept(_ members: [Member]) throws {
    let style = style
    for (session, member) in zip(sessions, members) {
      for line in try session.kept(member.session.plan, style) {
        printDiagnostic("\(member.label.printable): \(line)")
      }
    }
  }
}

/// One of the sessions, under way.
private struct Member: Sendable {
  let label: String
  let session: PreparedSession
  let notices: SessionAlerts
  let summary: SharedSummary

  func tellBaseline(_ style: TerminalStyle) {
    let baseline = session.plan.baseline.summary(session.plan.settings.metric, style)
    printDiagnostic(style.localized("Baseline of \(label.printable): \(baseline)"))
  }

  /// Notes that its time was over before it received any data, unless it failed earlier.
  func noteMissingData(_ end: RunEnd, after limit: Duration?, _ failures: Failures) {
    guard !failures.all.contains(where: { $0.label == label.printable }),
      let failure = session.missingData(end, after: limit)
    else { return }
    notices.tell(.session, failure.description)
    failures.note(failure, of: label, atTheEnd: true)
  }

  /// That the reader of the output has gone ends all of them; any other failure this one alone.
  func run(_ failures: Failures) async throws {
    do {
      try await session.run()
    } catch {
      guard let failure = CommandFailure(error) else { throw error }
      notices.tell(.session, failure.description)
      failures.note(failure, of: label, atTheEnd: Task.isCancelled)
    }
  }
}

/// What went wrong, in the order in which it did.
private final class Failures: Sendable {
  struct One {
    var label: String
    var failure: CommandFailure
    /// Whether it was being ended already.
    var cameAtTheEnd: Bool
  }

  private let noted = Mutex<[One]>([])

  var all: [One] { noted.withLock { $0 } }

  func note(_ failure: CommandFailure, of label: String, atTheEnd: Bool) {
    noted.withLock { $0.append(One(label: label.printable, failure: failure, cameAtTheEnd: atTheEnd)) }
  }
}
