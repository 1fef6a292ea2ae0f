import CDBus

/// A private libdbus connection, used by one thread at a time.
///
/// Messages are taken from its queue rather than dispatched: the owner's loop sees each, in order.
final class BusConnection {
  private let pointer: OpaquePointer

  /// Connects to the bus at `address` and says hello.
  init(address: String) throws(BusError) {
    var error = DBusError()
    dbus_error_init(&error)
    guard let pointer = dbus_connection_open_private(address, &error) else {
      throw BusConnection.take(&error, "connect to \(address)")
    }
    self.pointer = pointer
    dbus_connection_set_exit_on_disconnect(pointer, 0)
    guard dbus_bus_register(pointer, &error) != 0 else {
      throw BusConnection.take(&error, "say hello at \(address)")
    }
  }

  deinit {
    dbus_connection_close(pointer)
    dbus_connection_unref(pointer)
  }

  private static func take(_ error: inout DBusError, _ tried: String) -> BusError {
    defer { dbus_error_free(&error) }
    let name = error.name.map { String(cString: $0) } ?? "org.freedesktop.DBus.Error.Failed"
    let message = error.message.map { String(cString: $0) } ?? "no reason given"
    return BusError(name, "could not \(tried): \(message)")
  }

  var uniqueName: String { dbus_bus_get_unique_name(pointer).map { String(cString: $0) } ?? "" }

  var descriptor: CInt {
    var descriptor: CInt = -1
    return dbus_connection_get_unix_fd(pointer, &descriptor) != 0 ? descriptor : -1
  }

  var hasMessagesToSend: Bool { dbus_connection_has_messages_to_send(pointer) != 0 }

  /// Becomes the owner of `name`; waits for the bus to say so.
  func own(_ name: String) throws(BusError) {
    var error = DBusError()
    dbus_error_init(&error)
    let flags = UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE)
    guard dbus_bus_request_name(pointer, name, flags, &error) == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER else {
      throw BusConnection.take(&error, "own \(name), which may have an owner already")
    }
  }

  func match(_ rule: String) {
    // Without an error argument libdbus does not wait for the answer.
    dbus_bus_add_match(pointer, rule, nil)
  }

  @discardableResult
  func send(_ message: DBusMessage) -> UInt32 {
    var serial: dbus_uint32_t = 0
    dbus_connection_send(pointer, message.pointer, &serial)
    return serial
  }

  /// Writes everything that is queued.
  func flush() { dbus_connection_flush(pointer) }

  /// Reads and writes what is possible within `milliseconds`; false once the bus is gone.
  func transfer(milliseconds: CInt = 0) -> Bool { dbus_connection_read_write(pointer, milliseconds) != 0 }

  func next() -> DBusMessage? { dbus_connection_pop_message(pointer).map(DBusMessage.init(owning:)) }
}
