import Dispatch
import HeartRate
import History
import LiveFeed
import LiveSession
import Localization
import Platform
import Reports
import Session
import Synchronization
import Terminal

/// The live sessions of other processes, of which the screen shows one at a time.
final class AttachedSessions: Sendable {
  /// One session, as far as its lines were received.
  private struct Member {
    var state: LiveState
    /// Names the session, and decides whether its values are live.
    var snapshot: LiveSnapshot

    var session: String { snapshot.session }

    init(_ hello: FeedHello) { (state, snapshot) = (LiveState(hello), LiveSnapshot(hello)) }
  }

  private struct Sessions {
    /// In the order of their start.
    var members: [Member] = []
    var shown: String?
  }

  private let view: AttachedView
  private let screen: Screen
  private let sessions = Locked(Sessions())
  private let isStopped = Atomic(false)
  private let queue = DispatchQueue(label: "stressmon.attached")

  init(_ view: AttachedView, _ screen: Screen) {
    (self.view, self.screen) = (view, screen)
    screen.setFooter { [weak self] _ in self?.footer ?? "" }
  }

  // MARK: Reading

  /// Receives lines and draws them, until the task is cancelled or the selected session has ended.
  func follow() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { [self] in continuation.resume(with: Result { try read() }) }
      }
    } onCancel: {
      isStopped.store(true, ordering: .relaxed)
    }
  }

  /// Reads on the queue, because waiting for lines blocks its thread.
  private func read() throws {
    let reader = try view.reader()
    try screen.draw(always: true)
    while !isStopped.load(ordering: .relaxed) {
      for event in reader.wait(atMost: 250) where try receive(event) { return try screen.draw(always: true) }
      markSilentSessions()
      try screen.draw(always: false)
    }
  }

  /// Returns whether the selected session has ended.
  private func receive(_ event: FeedEvent) throws -> Bool {
    switch event {
    case .began(let hello):
      guard view.shows(hello) else { return false }
      let shows = sessions.withLock { sessions in
        sessions.members.removeAll { $0.session == hello.session || $0.state.hasEnded }
        sessions.members.append(Member(hello))
        return sessions.shown.map { shown in !sessions.members.contains { $0.session == shown } }
          ?? true
      }
      if shows { show(hello.session) }
    case .line(let line):
      guard let content = line.content else { return false }
      if case .notice(let notice) = content.content, let text = notices(of: line.session) {
        try NoticeDisplay(text, isOnTerminal: true).show(notice, on: screen)
      }
      change(line.session) { member in
        member.state.update(content)
        member.snapshot.update(content, at: SystemClock.boot)
      }
    case .ended(_, .disconnected(.behind)): break
    case .ended(let session, _):
      change(session) { $0.state.end() }
      return view.session == session
    }
    return false
  }

  /// The text of the notices of a session, also of one that is not shown at present.
  private func notices(of session: String) -> NoticeText? {
    sessions.withLock { sessions in
      sessions.members.first { $0.session == session }.map {
        view.notices(of: $0.snapshot.profile, isSeveral: sessions.members.count > 1)
      }
    }
  }

  /// A process that is stopped or hangs sends nothing, not even that the link is lost.
  private func markSilentSessions() {
    let now = SystemClock.boot
    let silent = sessions.withLock { sessions in
      sessions.members.filter { !$0.state.isStale && !$0.snapshot.isLive(at: now) }.map(\.session)
    }
    for session in silent { change(session) { $0.state.isSilent = true } }
  }

  private func change(_ session: String, _ change: (inout Member) -> Void) {
    let state: LiveState? = sessions.withLock { sessions in
      guard let index = sessions.members.firstIndex(where: { $0.session == session }) else {
        return nil
      }
      change(&sessions.members[index])
      return sessions.shown == session ? sessions.members[index].state : nil
    }
    if let state { screen.update(0) { $0 = state } }
  }

  // MARK: Display

  /// Shows the next live session.
  func showNext() {
    let next: String? = sessions.withLock { sessions in
      let names = sessions.members.map(\.session)
      guard names.count > 1, let shown = sessions.shown, let index = names.firstIndex(of: shown) else {
        return nil
      }
      return names[(index + 1) % names.count]
    }
    if let next { show(next) }
  }

  private func show(_ session: String) {
    let member: Member? = sessions.withLock { sessions in
      guard let member = sessions.members.first(where: { $0.session == session }) else { return nil }
      sessions.shown = session
      return member
    }
    guard let member else { return }
    let block = Screen.Block(
      screen: LiveScreen(
        style: view.style, footer: nil, normal: view.normalPosition(of: member.snapshot.profile)),
      profile: member.snapshot.profile, alerts: SessionAlerts(onScreen: true))
    _ = screen.presenter(block)
    screen.update(0) { $0 = member.state }
  }

  /// Marks the current moment in the shown session, whose process adds it to the journal.
  func mark() async -> LiveMessage {
    guard let session = sessions.withLock({ $0.shown }) else {
      return .notMarked(view.style.localized("no session is live"))
    }
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [view] in continuation.resume(returning: view.mark(session)) }
    }
  }

  private var footer: String {
    sessions.withLock { sessions in
      let style = view.style
      guard let index = sessions.members.firstIndex(where: { $0.session == sessions.shown }) else {
        return style.localized("No session is live. Start one with: \("stressmon live")")
      }
      guard !sessions.members[index].state.hasEnded else {
        return style.localized("The session has ended. The next one is shown when it starts.")
      }
      let count = sessions.members.count
      guard count > 1 else { return style.localized("Session of another program.") }
      return style.localized("Session \(index + 1) of \(count), of other programs.")
    }
  }
}
