import DBus
import Dispatch
import Platform

/// A notification as defined by the Desktop Notifications Specification 1.2, shown by the owner of
/// `org.freedesktop.Notifications` on the session bus.
package struct DesktopNotification: Sendable {
  package var summary: String
  /// Plain text without `<` and `&`, which some desktops interpret as markup.
  package var body: String
  /// A name of the Sound Naming Specification, played by desktops that play sounds.
  package var sound: String?

  package init(summary: String, body: String, sound: String? = nil) {
    (self.summary, self.body, self.sound) = (summary, body, sound)
  }

  /// Posts the notification on the bus at `address` and waits for the answer for at most `timeout`.
  ///
  /// libdbus connects and registers without a timeout, so this happens on a separate thread, which continues alone after
  /// the timeout.
  ///
  /// - Throws: ``DesktopError`` if the notification was not shown within the time.
  package func post(at address: String, within timeout: Duration) throws(DesktopError) {
    let outcome = Outcome()
    DispatchQueue.global().async { outcome.set(Result { () throws(DesktopError) in try send(to: address) }) }
    try outcome.wait(for: timeout).get()
  }

  private func send(to address: String) throws(DesktopError) {
    do throws(BusError) {
      try PolledBusConnection(address: address).call(call([]))
    } catch {
      throw DesktopError(reason: error.message.isEmpty ? "the session bus gave no reason" : error.message)
    }
  }

  /// The well-known name and the interface of the server of notifications.
  static let service = "org.freedesktop.Notifications"
  static let path = "/org/freedesktop/Notifications"

  /// `Notify(app_name, replaces_id, app_icon, summary, body, actions, hints, expire_timeout)`. The icon is that of the menu entry.
  /// The actions are pairs of a key and a label. A notification with actions stays until it is answered or closed.
  func call(_ actions: [NotificationActions.Action]) -> MethodCall {
    let hints = sound.map { ["sound-name": DBusValue.string($0)] } ?? [:]
    let name = Self.service
    return MethodCall(
      destination: name, path: Self.path, interface: name, member: "Notify",
      arguments: [
        .string("stressmon"), .uint32(0), .string("stressmon"), .string(summary), .string(body),
        .strings(actions.flatMap { [$0.key, $0.label] }),
        // -1: the desktop's default duration; 0: no limit.
        .properties(hints), .int32(actions.isEmpty ? -1 : 0),
      ], startsService: true)
  }

  /// The result of the call, passed from its thread to the caller.
  private final class Outcome: Sendable {
    private let result = Locked<Result<Void, DesktopError>?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    func set(_ result: Result<Void, DesktopError>) {
      self.result.withLock { $0 = result }
      isSet.signal()
    }

    func wait(for timeout: Duration) -> Result<Void, DesktopError> {
      _ = isSet.wait(timeout: .now() + timeout / .seconds(1))
      return result.withLock { $0 } ?? .failure(DesktopError(reason: "the desktop did not answer in time"))
    }
  }
}

/// Why a notification was not shown.
package struct DesktopError: Error, Sendable, CustomStringConvertible {
  let reason: String

  package init(reason: String) { self.reason = reason }

  package var description: String { reason }
}
