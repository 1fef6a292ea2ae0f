import CDBus
import Dispatch
import Synchronization

/// A word to the person at the desktop, as the Desktop Notifications Specification 1.2 has it: shown by whoever owns
/// `org.freedesktop.Notifications` on the session bus.
public struct DesktopNotification: Sendable {
  public var summary: String
  /// Plain text without `<` and `&`, which some desktops take for markup.
  public var body: String
  /// A name of the Sound Naming Specification, played by desktops that play sounds.
  public var sound: String?

  public init(summary: String, body: String, sound: String? = nil) {
    (self.summary, self.body, self.sound) = (summary, body, sound)
  }

  /// Posts it on the bus at `address`, and waits for the answer no longer than `patience`.
  ///
  /// Connecting and greeting the bus have no time limit in libdbus. They happen on a thread of their own, which is left to
  /// itself when it takes too long: a desktop that hangs holds nobody up.
  /// - Throws: ``DesktopError``, where nobody shows notifications there.
  public func post(at address: String, within patience: Duration) throws(DesktopError) {
    let posted = Posted()
    DispatchQueue.global().async { posted.end(Result { () throws(DesktopError) in try send(to: address) }) }
    try posted.result(within: patience).get()
  }

  private func send(to address: String) throws(DesktopError) {
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    guard let connection = dbus_connection_open_private(address, &error) else { throw DesktopError(error) }
    defer {
      dbus_connection_close(connection)
      dbus_connection_unref(connection)
    }
    dbus_connection_set_exit_on_disconnect(connection, 0)
    guard dbus_bus_register(connection, &error) != 0 else { throw DesktopError(error) }
    guard let message = message() else { throw DesktopError(reason: "there is no memory left") }
    defer { dbus_message_unref(message) }
    let answer = dbus_connection_send_with_reply_and_block(
      connection, message, -1, &error)
    guard let answer else { throw DesktopError(error) }
    dbus_message_unref(answer)
  }

  /// `Notify(app_name, replaces_id, app_icon, summary, body, actions, hints, expire_timeout)`.
  private func message() -> OpaquePointer? {
    let name = "org.freedesktop.Notifications"
    guard let message = dbus_message_new_method_call(name, "/org/freedesktop/Notifications", name, "Notify")
    else { return nil }
    var arguments = DBusMessageIter()
    dbus_message_iter_init_append(message, &arguments)
    arguments.append("stressmon")
    arguments.append(UInt32(0), as: "u")
    for text in ["", summary, body] { arguments.append(text) }
    arguments.appendContainer("a", of: "s") { _ in }
    arguments.appendContainer("a", of: "{sv}") { hints in
      guard let sound else { return }
      hints.appendContainer("e") { entry in
        entry.append("sound-name")
        entry.appendContainer("v", of: "s") { $0.append(sound) }
      }
    }
    // As long as the desktop shows such things.
    arguments.append(Int32(-1), as: "i")
    return message
  }

  /// What became of it, told from one thread to another.
  private final class Posted: Sendable {
    private let outcome = Mutex<Result<Void, DesktopError>?>(nil)
    private let told = DispatchSemaphore(value: 0)

    func end(_ result: Result<Void, DesktopError>) {
      outcome.withLock { $0 = result }
      told.signal()
    }

    func result(within patience: Duration) -> Result<Void, DesktopError> {
      _ = told.wait(timeout: .now() + patience / .seconds(1))
      return outcome.withLock { $0 } ?? .failure(DesktopError(reason: "the desktop did not answer in time"))
    }
  }
}

/// Why no notification was shown.
public struct DesktopError: Error, Sendable, CustomStringConvertible {
  let reason: String

  public init(reason: String) { self.reason = reason }

  public var description: String { reason }
}

extension DesktopError {
  /// What libdbus filled in.
  fileprivate init(_ error: DBusError) {
    reason = error.message.map { String(cString: $0) } ?? "the session bus did not say why"
  }
}

extension DBusMessageIter {
  fileprivate mutating func append(_ text: String) {
    text.withCString { pointer in
      var pointer: UnsafePointer<CChar>? = pointer
      dbus_message_iter_append_basic(&self, Self.code("s"), &pointer)
    }
  }

  fileprivate mutating func append(_ number: some FixedWidthInteger, as type: Unicode.Scalar) {
    var number = number
    dbus_message_iter_append_basic(&self, Self.code(type), &number)
  }

  fileprivate mutating func appendContainer(
    _ type: Unicode.Scalar, of signature: String? = nil, _ body: (inout DBusMessageIter) -> Void
  ) {
    var inner = DBusMessageIter()
    dbus_message_iter_open_container(&self, Self.code(type), signature, &inner)
    body(&inner)
    dbus_message_iter_close_container(&self, &inner)
  }

  private static func code(_ type: Unicode.Scalar) -> CInt { CInt(UInt8(ascii: type)) }
}
