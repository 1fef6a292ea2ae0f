import CDBus

/// Opens and closes private libdbus connections.
enum PrivateConnection {
  /// Connects to the bus at `address` and registers there, which blocks until the bus answers.
  static func open(_ address: String) throws(BusError) -> OpaquePointer {
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    guard let connection = unsafe dbus_connection_open_private(address, &error) else {
      throw unsafe BusError(consuming: &error)
    }
    unsafe dbus_connection_set_exit_on_disconnect(connection, 0)
    guard unsafe dbus_bus_register(connection, &error) != 0 else {
      unsafe close(connection)
      throw unsafe BusError(consuming: &error)
    }
    return unsafe connection
  }

  /// Connects to the system bus, or to the one in `DBUS_SYSTEM_BUS_ADDRESS`.
  static func openSystemBus() throws(BusError) -> OpaquePointer {
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    guard let connection = unsafe dbus_bus_get_private(DBUS_BUS_SYSTEM, &error) else {
      throw unsafe BusError(consuming: &error)
    }
    unsafe dbus_connection_set_exit_on_disconnect(connection, 0)
    return unsafe connection
  }

  static func close(_ connection: OpaquePointer) {
    unsafe dbus_connection_close(connection)
    unsafe dbus_connection_unref(connection)
  }
}

/// A private connection whose owner reads the messages itself, in order; nothing is dispatched.
///
/// libdbus locks a connection for each call, but its queue has one consumer: use it from one thread at a time.
@safe package final class PolledBusConnection {
  private let pointer: OpaquePointer

  /// Connects to the bus at `address` and registers there; blocks until the bus answers.
  package init(address: String) throws(BusError) {
    unsafe pointer = try PrivateConnection.open(address)
  }

  deinit { unsafe PrivateConnection.close(pointer) }

  package var uniqueName: String {
    unsafe dbus_bus_get_unique_name(pointer).map { unsafe String(cString: $0) } ?? ""
  }

  /// The socket, for `poll`; -1 once the connection is closed.
  package var descriptor: CInt {
    var descriptor: CInt = -1
    return unsafe dbus_connection_get_unix_fd(pointer, &descriptor) != 0 ? descriptor : -1
  }

  package var hasMessagesToSend: Bool { unsafe dbus_connection_has_messages_to_send(pointer) != 0 }

  /// Requests the ownership of `name`; blocks until the bus answers.
  /// - Throws: ``BusError`` if another client owns the name.
  package func requestName(_ name: String) throws(BusError) {
    guard try request(name, UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE)) == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER
    else {
      throw BusError(name: "org.freedesktop.DBus.Error.Failed", message: "\(name) already has an owner")
    }
  }

  /// Requests the ownership of `name`, and waits in the queue for it if another client owns it: the bus then signals
  /// `NameAcquired`. Blocks until the bus answers.
  package func queueForName(_ name: String) throws(BusError) { _ = try request(name, 0) }

  private func request(_ name: String, _ flags: UInt32) throws(BusError) -> CInt {
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    let answer = unsafe dbus_bus_request_name(pointer, name, flags, &error)
    if unsafe dbus_error_is_set(&error) != 0 { throw unsafe BusError(consuming: &error) }
    return answer
  }

  /// Adds a match rule without waiting for the answer, as libdbus does if there is no error argument.
  package func addMatch(_ rule: String) { unsafe dbus_bus_add_match(pointer, rule, nil) }

  /// Queues a message.
  ///
  /// - Returns: its serial number, which the reply carries.
  @discardableResult
  package func send(_ message: DBusMessage) -> UInt32 {
    var serial: dbus_uint32_t = 0
    unsafe dbus_connection_send(pointer, message.pointer, &serial)
    return serial
  }

  /// Makes a call and blocks until it is answered, at most for libdbus's default timeout of 25 s.
  @discardableResult
  package func call(_ call: MethodCall) throws(BusError) -> [DBusValue] {
    guard let message = DBusMessage.call(call) else {
      throw BusError(name: BusError.noMemory, message: "cannot write the call \(call.member)")
    }
    var error = unsafe DBusError()
    unsafe dbus_error_init(&error)
    let reply = unsafe dbus_connection_send_with_reply_and_block(pointer, message.pointer, -1, &error)
    guard let reply = unsafe reply else { throw unsafe BusError(consuming: &error) }
    return unsafe DBusMessage(owning: reply).arguments
  }

  /// Writes all queued messages.
  package func flush() { unsafe dbus_connection_flush(pointer) }

  /// Reads and writes for at most `milliseconds`; false once the connection is closed.
  package func transfer(milliseconds: CInt = 0) -> Bool {
    unsafe dbus_connection_read_write(pointer, milliseconds) != 0
  }

  /// The oldest message that was read, if any.
  package func next() -> DBusMessage? {
    unsafe dbus_connection_pop_message(pointer).map { unsafe DBusMessage(owning: $0) }
  }
}
