import Glibc
import HRV
import HeartRate
import LiveFeed
import LiveSession
import Localization
import Platform
import Reports
import Stress
import Terminal

/// Prints live sessions that other processes run: their JSON lines, or one line of text per second and session.
struct AttachedView {
  let directory: FeedDirectory
  /// The only session to print; nil for all.
  let session: String?
  /// The only profile to print; nil for all.
  let profile: String?
  let isJSON: Bool
  let metric: HRVMetric
  let style: TerminalStyle

  /// Prints until the selected session ends, the duration is over, or standard output is closed. Without a selected session,
  /// follows sessions that start later.
  func run(atMost duration: Duration?) throws {
    let reader = try FeedReader(directory, session: session)
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
      guard view.profile == nil || hello.profile == view.profile else { return false }
      states[hello.session] = LiveSnapshot(hello)
    case .line(let line):
      guard states[line.session] != nil else { return false }
      if view.isJSON { try output.write(line.bytes + [0x0A]) } else { try printText(line) }
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
