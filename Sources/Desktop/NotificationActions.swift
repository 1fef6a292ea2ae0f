import DBus
import Dispatch
import Glibc
import Platform

/// Posts notifications with buttons and waits for the answers of the person, on its own thread.
///
///     let actions = NotificationActions(address: bus)
///     actions.post(DesktopNotification(summary: "Stressed?", body: ""), [("yes", "Yes"), ("no", "No")]) { answer in
///       print(answer)   // .chosen("yes"), .dismissed or .failed(reason)
///     }
///
/// ``post(_:_:answer:)`` returns at once, whatever the bus does: libdbus connects and calls without a usable timeout. The thread
/// keeps a connection only while a notification is open, at most an hour after the last one. If the bus closes the connection,
/// for example because it is restarted, the thread connects again with back-off and posts the open notifications again, because
/// the previous server has lost them. A notification without buttons is not followed once it is shown: an old alarm is not posted
/// again. Without a server of notifications, each one fails and is not posted again.
package final class NotificationActions: Sendable {
  /// What the person did with a notification.
  package enum Answer: Equatable, Sendable {
    /// The key of the button.
    case chosen(String)
    /// Closed without an answer, or not answered for an hour; without buttons, shown.
    case dismissed
    case failed(String)
  }

  /// A button: its key, which is not displayed, and its label.
  package typealias Action = (key: String, label: String)

  fileprivate struct Open: Sendable {
    var notification: DesktopNotification
    var actions: [Action]
    var answer: @Sendable (Answer) -> Void
    var deadline: ContinuousClock.Instant
    /// The serial number of the call whose reply contains ``id``: nil before the first call, and 0 after the connection ended,
    /// until it is posted again.
    var serial: UInt32?
    /// The number that the server assigned.
    var id: UInt32?
  }

  private struct State {
    var waiting: [Open] = []
    var isRunning = false
    var isEnding = false
  }

  private let address: String
  private let state = Locked(State())
  private let hasEnded = DispatchSemaphore(value: 0)
  private static let openTime = Duration.seconds(3600)
  /// Number of notifications that are open at a time; the oldest is dismissed for a newer one.
  private static let mostOpen = 8

  /// - Parameter address: The address of the session bus.
  package init(address: String) { self.address = address }

  /// Posts a notification. Returns at once; `answer` is called once, on the thread of the bus.
  package func post(
    _ notification: DesktopNotification, _ actions: [Action], answer: @escaping @Sendable (Answer) -> Void
  ) {
    let open = Open(
      notification: notification, actions: actions, answer: answer,
      deadline: .now + Self.openTime)
    let starts = state.withLock { state in
      guard !state.isEnding else { return false }
      state.waiting.append(open)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts { DispatchQueue(label: "stressmon.notifications").async { [self] in run() } }
  }

  /// Removes the open notifications from the desktop, because nothing handles their buttons after the end of the program. Waits
  /// for at most a second.
  package func end() {
    let isRunning = state.withLock { state in
      state.isEnding = true
      return state.isRunning
    }
    if isRunning { _ = hasEnded.wait(timeout: .now() + 1) }
  }

  private var isEnding: Bool { state.withLock { $0.isEnding } }

  // MARK: The thread

  /// Serves notifications until none is open.
  private func run() {
    var (open, backoff) = ([Open](), Backoff(longest: 60_000_000_000))
    repeat {
      open += takeWaiting()
      do throws(BusError) {
        let connection = try PolledBusConnection(address: address)
        backoff.reset()
        serve(connection, &open)
      } catch {
        // A notification that was never posted fails; one that was open is posted again after a restart of the bus.
        open = open.filter { entry in
          if entry.serial == nil { entry.answer(.failed(error.message)) }
          return entry.serial != nil
        }
      }
      guard !open.isEmpty, !isEnding else { continue }
      open = expired(open)
      for index in open.indices { (open[index].serial, open[index].id) = (0, nil) }
      usleep(useconds_t(backoff.failed(at: 0) / 1000))
    } while !isEnding && !(open.isEmpty && stopIfIdle())
    if isEnding { hasEnded.signal() }
  }

  private func takeWaiting() -> [Open] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Ends the thread unless a notification was posted meanwhile.
  private func stopIfIdle() -> Bool {
    state.withLock { state in
      state.isRunning = !state.waiting.isEmpty
      return !state.isRunning
    }
  }

  /// Posts and awaits answers until no notification is open, or the bus closes the connection.
  private func serve(_ connection: PolledBusConnection, _ open: inout [Open]) {
    connection.addMatch("type='signal',interface='\(DesktopNotification.service)'")
    for index in open.indices { open[index].serial = connection.send(open[index]) }
    while !open.isEmpty {
      guard !isEnding else { return connection.close(open.compactMap(\.id)) }
      guard connection.transfer(milliseconds: 250) else { return }
      while let message = connection.next() { receive(message, &open) }
      for var entry in takeWaiting() {
        entry.serial = connection.send(entry)
        open.append(entry)
        if open.count > Self.mostOpen { open.removeFirst().answer(.dismissed) }
      }
      open = expired(open)
    }
  }

  private func expired(_ open: [Open]) -> [Open] {
    let now = ContinuousClock.now
    return open.filter { entry in
      if entry.deadline <= now { entry.answer(.dismissed) }
      return entry.deadline > now
    }
  }

  private func receive(_ message: DBusMessage, _ open: inout [Open]) {
    switch message.kind {
    case .reply:
      guard let index = open.firstIndex(where: { $0.serial == message.replySerial }),
        case .uint32(let id)? = message.arguments.first
      else { return }
      open[index].id = id
      if open[index].actions.isEmpty { open.remove(at: index).answer(.dismissed) }
    case .error:
      guard let index = open.firstIndex(where: { $0.serial == message.replySerial }) else { return }
      open.remove(at: index).answer(.failed(message.error.message))
    case .signal:
      guard message.interface == DesktopNotification.service, let answer = Answer(message),
        case .uint32(let id)? = message.arguments.first, let index = open.firstIndex(where: { $0.id == id })
      else { return }
      open.remove(at: index).answer(answer)
    case .call, .invalid: break
    }
  }
}

extension NotificationActions.Answer {
  /// `ActionInvoked(u id, s key)` or `NotificationClosed(u id, u reason)`. The notification of an answer that was given is closed
  /// by the server as well, after its answer.
  fileprivate init?(_ message: DBusMessage) {
    switch message.member {
    case "ActionInvoked":
      guard case .string(let key)? = message.arguments.dropFirst().first else { return nil }
      self = .chosen(key)
    case "NotificationClosed": self = .dismissed
    default: return nil
    }
  }
}

extension PolledBusConnection {
  /// Sends the call `Notify` and returns its serial number; 0 if memory is exhausted.
  fileprivate func send(_ open: NotificationActions.Open) -> UInt32 {
    guard let message = DBusMessage.call(open.notification.call(open.actions)) else { return 0 }
    return send(message)
  }

  /// Closes the notifications with these numbers.
  fileprivate func close(_ ids: [UInt32]) {
    for id in ids {
      let call = MethodCall(
        destination: DesktopNotification.service, path: DesktopNotification.path,
        interface: DesktopNotification.service, member: "CloseNotification", arguments: [.uint32(id)])
      if let message = DBusMessage.call(call) { send(message) }
    }
    flush()
  }
}
