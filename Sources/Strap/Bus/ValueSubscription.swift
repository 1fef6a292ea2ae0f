import CDBus
import Glibc

/// Picks the new values of one characteristic out of the stream of signals. This is the hot path: names are
/// compared in place, and only the payload is copied. A class, since libdbus keeps it.
final class ValueSubscription: Sendable {
  /// The unique name of the service: what anybody else sends is not believed. As C has it, for libdbus.
  private let sender: [CChar]
  /// The characteristic; compared whole, since `char0010` is a prefix of `char0010f`.
  private let path: [CChar]
  private let receive: @Sendable (_ payload: [UInt8], _ arrival: Int64) -> Void

  /// - Parameter receive: Gets each payload with its arrival in nanoseconds of ``BootClock``, on the bus thread.
  init(
    sender: String, path: String,
    receive: @escaping @Sendable (_ payload: [UInt8], _ arrival: Int64) -> Void
  ) {
    self.sender = Array(sender.utf8CString)
    self.path = Array(path.utf8CString)
    self.receive = receive
  }

  /// Takes the values out of what `connection` receives, until that is removed from it again. Filters that were added
  /// before see them first.
  func add(to connection: OpaquePointer) {
    dbus_connection_add_filter(connection, Self.filter, Unmanaged.passRetained(self).toOpaque()) {
      if let subscription = $0 { Unmanaged<ValueSubscription>.fromOpaque(subscription).release() }
    }
  }

  func remove(from connection: OpaquePointer) {
    dbus_connection_remove_filter(connection, Self.filter, Unmanaged.passUnretained(self).toOpaque())
  }

  private static let filter: DBusHandleMessageFunction = { _, message, subscription in
    guard let message, let subscription else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
    let this = Unmanaged<ValueSubscription>.fromOpaque(subscription).takeUnretainedValue()
    guard this.matches(message) else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
    this.handOn(message)
    return DBUS_HANDLER_RESULT_HANDLED
  }

  func matches(_ message: OpaquePointer) -> Bool {
    dbus_message_is_signal(message, DBUS_INTERFACE_PROPERTIES, "PropertiesChanged") != 0
      && dbus_message_has_path(message, path) != 0 && dbus_message_has_sender(message, sender) != 0
  }

  /// `PropertiesChanged(s interface, a{sv} changed, as invalidated)`: hands on `changed["Value"]`, if it is an
  /// array of bytes.
  private func handOn(_ message: OpaquePointer) {
    let arrival = BootClock.now()
    if let payload = Self.value(in: message) { receive(payload, arrival) }
  }

  static func value(in message: OpaquePointer) -> [UInt8]? {
    var arguments = MessageReader(message)
    guard arguments.isString("org.bluez.GattCharacteristic1") else { return nil }
    arguments.skip()
    guard arguments.type == UInt8(ascii: "a"), arguments.elementType == UInt8(ascii: "e") else { return nil }
    var changed = arguments.inside()
    while changed.type != 0 {
      var entry = changed.inside()
      if entry.isString("Value") {
        entry.skip()
        guard entry.type == UInt8(ascii: "v") else { return nil }
        var value = entry.inside()
        return value.bytes()
      }
      changed.skip()
    }
    return nil
  }
}
