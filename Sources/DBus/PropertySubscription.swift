import CDBus
import Glibc
import Platform

/// Delivers the new values of one property of bytes. This is the hot path of a session: names are compared in place, and
/// only the value is copied. A class, because libdbus keeps a reference.
@safe package final class PropertySubscription: Sendable {
  /// The unique name of the service; signals of other senders are ignored. As a C string, for libdbus.
  private let sender: [CChar]
  /// The object; compared completely, since `char0010` is a prefix of `char0010f`.
  private let path: [CChar]
  private let interface: StaticString
  private let property: StaticString
  private let receive: @Sendable (_ value: [UInt8], _ arrival: Int64) -> Void

  /// - Parameter receive: Called on the bus thread with each value and its arrival in nanoseconds of ``SystemClock``.
  package init(
    sender: String, path: String, interface: StaticString, property: StaticString,
    receive: @escaping @Sendable (_ value: [UInt8], _ arrival: Int64) -> Void
  ) {
    self.sender = Array(sender.utf8CString)
    self.path = Array(path.utf8CString)
    self.interface = interface
    self.property = property
    self.receive = receive
  }

  /// Handles the matching signals of `connection` until it is removed. Filters added before are called first.
  func add(to connection: OpaquePointer) {
    unsafe dbus_connection_add_filter(connection, Self.filter, Unmanaged.passRetained(self).toOpaque()) {
      if let subscription = unsafe $0 {
        unsafe Unmanaged<PropertySubscription>.fromOpaque(subscription).release()
      }
    }
  }

  func remove(from connection: OpaquePointer) {
    unsafe dbus_connection_remove_filter(
      connection, Self.filter, Unmanaged.passUnretained(self).toOpaque())
  }

  private static let filter: DBusHandleMessageFunction = { _, message, subscription in
    guard let message = unsafe message, let subscription = unsafe subscription else {
      return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    }
    let this = unsafe Unmanaged<PropertySubscription>.fromOpaque(subscription).takeUnretainedValue()
    guard unsafe this.matches(message) else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
    unsafe this.deliver(message)
    return DBUS_HANDLER_RESULT_HANDLED
  }

  func matches(_ message: OpaquePointer) -> Bool {
    unsafe dbus_message_is_signal(message, DBUS_INTERFACE_PROPERTIES, "PropertiesChanged") != 0
      && dbus_message_has_path(message, path) != 0 && dbus_message_has_sender(message, sender) != 0
  }

  private func deliver(_ message: OpaquePointer) {
    let arrival = SystemClock.boot
    if let value = unsafe value(in: message) { receive(value, arrival) }
  }

  /// The new value in `PropertiesChanged(s interface, a{sv} changed, as invalidated)`, if it exists and has the right type.
  func value(in message: OpaquePointer) -> [UInt8]? {
    var arguments = unsafe MessageReader(message)
    guard arguments.isString(interface) else { return nil }
    arguments.skip()
    guard arguments.type == UInt8(ascii: "a"), arguments.elementType == UInt8(ascii: "e") else { return nil }
    var changed = arguments.inside()
    while changed.type != 0 {
      var entry = changed.inside()
      if entry.isString(property) {
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

extension PropertySubscription {
  package func matches(_ message: DBusMessage) -> Bool { unsafe matches(message.pointer) }
  package func value(in message: DBusMessage) -> [UInt8]? { unsafe value(in: message.pointer) }
}
