import Glibc
import HRV
import HeartRate
import History
import LiveFeed
import LiveSession
import Localization
import Platform
import Reports
import Session
import Stress
import Terminal

/// Shows live sessions that other processes run: on the live screen, as their JSON lines, or as one line of text per second and
/// session.
struct AttachedView: Sendable {
  let directory: FeedDirectory
  /// The history of the sessions. Sessions of other databases are not shown.
  let location: StoreLocation
  /// The only session to show; nil for all.
  let session: String?
  /// The only profile to show; nil for all.
  let profile: String?
  let metric: HRVMetric
  let style: TerminalStyle
  let options: ViewOptions
  let context: CommandContext

  func reader() throws(FileError) -> FeedReader {
    try FeedReader(directory, session: session, database: location.resolvedPath)
  }

  func shows(_ hello: FeedHello) -> Bool { profile == nil || hello.profile == profile }

  /// The position in the normal range of `profile` today, if there are enough data and the history can be read.
  func normalPosition(of profile: String) -> NormalPosition? {
    let reader = try? HistoryReader(location)
    return (try? reader?.restingRange(of: profile, on: LocalZone.today)).map { NormalPosition($0) }
  }

  /// The notices of the sessions of `profile`.
  func notices(of profile: String, isSeveral: Bool) -> NoticeText {
    NoticeText(
      style: style, label: isSeveral ? profile : nil, profile: context.named(profile),
      ringsOnChange: context.configuration.soundFeedback == .bell)
  }

  /// Marks the current moment in `session`.
  func mark(_ session: String) -> LiveMessage {
    do throws(FileError) {
      return switch try directory.send(.mark(note: nil), to: session) {
      case .marked(let text, _, _): .markedElsewhere(text)
      case .refused(let reason): .notMarked(reason)
      }
    } catch { return .notMarked("\(error)") }
  }

  /// Shows the sessions until the selected one ends, the duration is over, or the person leaves. Without a selected session,
  /// follows sessions that start later.
  func run(atMost duration: Duration?) async throws {
    guard options.usesScreen(context.environment) else { return try print(atMost: duration) }
    let keys = options.terminalKeys(context.environment)
    defer { keys?.close() }
    let screen = Screen(
      hasCommonFooter: true, keys: keys == nil ? [] : LiveKey.ofAttached, style: style,
      to: NonblockingOutput(blocks: false))
    let sessions = AttachedSessions(self, screen)
    let keyboard = keys.map { LiveKeyboard($0, screen, attached: sessions) }
    let end = try await keyboard.handlingKeys {
      try await runUntilInterrupted(limit: duration, until: keyboard?.untilQuit) {
        try await sessions.follow()
      }
    }
    try screen.endMessages()
    if case .signal(let signal) = end { throw Interruption(signal: signal) }
  }

  private func print(atMost duration: Duration?) throws {
    let reader = try reader()
    let end = duration.map { SystemClock.boot + $0.nanoseconds }
    var printer = AttachedPrinter(view: self)
    var isWaiting = false
    while end.map({ SystemClock.boot < $0 }) ?? true {
      let events = reader.wait(atMost: 1000, watching: STDOUT_FILENO)
      for event in events where try printer.print(event) { return }
      guard StandardOutput().waitWhileOpen(seconds: 0) else { throw OutputError.closedPipe }
      if reader.sessions.isEmpty, events.isEmpty, !isWaiting {
        printDiagnostic(style.localized("No session is live. Start one with: \("stressmon live")"))
      }
      isWaiting = reader.sessions.isEmpty
    }
  }
}

/// The state of the printed sessions.
private struct AttachedPrinter {
  let view: AttachedView
  private let output = StandardOutput()
  private var states: [String: LiveSnapshot] = [:]
  /// The second of the latest printed line of each session.
  private var printed: [String: Int64] = [:]

  init(view: AttachedView) { self.view = view }

  /// Returns whether the output is complete.
  mutating func print(_ event: FeedEvent) throws -> Bool {
    switch event {
    case .began(let hello):
      guard view.shows(hello) else { return false }
      states[hello.session] = LiveSnapshot(hello)
    case .line(let line):
      guard states[line.session] != nil else { return false }
      if view.options.json { try output.write(line.bytes + [0x0A]) } else { try printText(line) }
    case .ended(let session, let end):
      guard states.removeValue(forKey: session) != nil else { return false }
      printed[session] = nil
      report(end, session)
      return view.session != nil && end != .disconnected(.behind)
    }
    return false
  }

  private mutating func printText(_ line: FeedLine) throws {
    let (now, boot) = (SystemClock.wall, SystemClock.boot)
    let wasLive = states[line.session]?.isLive(at: boot)
    if let content = line.content { states[line.session]?.update(content, at: boot) }
    if case .notice(let notice)? = line.content?.content, let profile = states[line.session]?.profile,
      let sentence = view.notices(of: profile, isSeveral: states.count > 1).sentence(notice)
    {
      try output.line(sentence)
    }
    guard let state = states[line.session],
      let status = StatusReport(state, metric: view.metric, now: boot)
    else { return }
    let second = now.microseconds / 1_000_000
    guard printed[line.session] != second || state.isLive(at: boot) != wasLive else { return }
    printed[line.session] = second
    let label = states.count > 1 ? "  \(state.profile.printable)" : ""
    let text = StatusText(style: view.style).text(status, .medium)
    try output.line("\(LocalZone.text(now))\(label)  \(text)")
  }

  private func report(_ end: FeedEvent.End, _ session: String) {
    switch end {
    case .finished: break
    case .lost: printDiagnostic(view.style.localized("Session \(session) was interrupted."))
    case .disconnected(.behind):
      printDiagnostic(
        view.style.localized(
          "Lines of session \(session) were skipped: standard output was not read in time."))
    case .disconnected(.tooManyReaders):
      printDiagnostic(
        view.style.localized(
          "Session \(session) has \(String(FeedWriter.maximumReaders)) readers, the maximum. End one of them."
        ))
    }
  }
}
