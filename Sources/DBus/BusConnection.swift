import CDBus
import Glibc
package import Platform

/// A private connection to a message bus, usually the system bus, and the owner of its pointer.
///
/// libdbus locks a connection for each call, but calls filters, watch functions and dispatch functions on the thread that
/// reads or dispatches. The actor therefore runs on the bus thread (``BusExecutor``), the only thread that enters libdbus
/// for it, and calls its handlers there, in the order in which the messages arrived. Closing the connection ends
/// everything that services keep for it: discovery sessions, notifications, agents.
@safe package actor BusConnection {
  /// Called on the bus thread.
  package struct Handlers: Sendable {
    package var signal: @Sendable (IncomingMessage) -> Void
    /// The bus closed the connection; no other handler is called afterwards.
    package var lost: @Sendable () -> Void

    package init(
      signal: @escaping @Sendable (IncomingMessage) -> Void = { _ in },
      lost: @escaping @Sendable () -> Void = {}
    ) {
      self.signal = signal
      self.lost = lost
    }
  }

  /// Answers the method calls to an exported object.
  package typealias MethodHandler = @Sendable (IncomingMessage) async -> Result<[DBusValue], BusError>

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe BusExecutor.shared.asUnownedSerialExecutor()
  }

  @safe private struct PendingCall {
    var continuation: UnsafeContinuation<Result<[DBusValue], BusError>, Never>
    var timeout: BusTimers.ID
  }

  private let handlers: Handlers
  private var connection: OpaquePointer?
  private var pendingCalls: [UInt32: PendingCall] = [:]
  private var exported: [String: MethodHandler] = [:]
  private var subscription: PropertySubscription?

  package init(handlers: Handlers = Handlers()) {
    self.handlers = handlers
  }

  isolated deinit { close() }

  /// Opens the connection.
  ///
  /// - Parameter address: The default is the bus in `DBUS_SYSTEM_BUS_ADDRESS` or, if unset, the system bus.
  package func open(_ address: String? = nil) throws(BusError) {
    let connection =
      if let address { unsafe try PrivateConnection.open(address) } else {
        unsafe try PrivateConnection.openSystemBus()
      }
    unsafe addFilter(to: connection)
    unsafe BusExecutor.shared.add(connection)
    unsafe self.connection = connection
  }

  /// Reads and dispatches all messages that have arrived. Must not be called by the connection's own handlers: libdbus
  /// would deadlock.
  package func dispatchPending() {
    guard let connection = unsafe connection else { return }
    unsafe dbus_connection_ref(connection)
    defer { unsafe dbus_connection_unref(connection) }
    repeat {
      while unsafe dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS {}
    } while unsafe self.connection != nil && Self.read(connection)
  }

  /// Reads what has arrived without waiting; false if there was nothing.
  private static func read(_ connection: OpaquePointer) -> Bool {
    var descriptor: CInt = -1
    guard unsafe dbus_connection_get_unix_fd(connection, &descriptor) != 0 else { return false }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&request, 1, 0) > 0 else { return false }
    return unsafe dbus_connection_read_write(connection, 0) != 0
  }

  /// Closes the connection. Pending calls fail. A second call has no effect.
  package func close() {
    guard let connection = unsafe connection else { return }
    unsafe self.connection = nil
    exported = [:]
    unsafe BusExecutor.shared.remove(connection)
    unsafe removeFilters(from: connection)
    unsafe PrivateConnection.close(connection)
    for serial in pendingCalls.keys { resume(serial, with: .failure(.closed)) }
  }

  // MARK: Calls

  /// Calls a method and awaits its reply for at most `timeout`.
  ///
  /// - Throws: the error reply of the service, or a ``BusError`` of this program if no reply arrived: timeout, closed
  ///   connection, or cancelled task.
  @discardableResult
  package func call(_ call: MethodCall, timeout: Duration) async throws(BusError) -> [DBusValue] {
    guard let connection = unsafe connection else { throw .closed }
    guard let message = unsafe MessageWriter.message(for: call) else {
      throw BusError(name: BusError.noMemory, message: "cannot write the call \(call.member) \(call.path)")
    }
    defer { unsafe dbus_message_unref(message) }
    var serial: UInt32 = 0
    guard unsafe dbus_connection_send(connection, message, &serial) != 0 else {
      throw BusError(name: BusError.noMemory, message: "cannot send the call \(call.member)")
    }
    return try await reply(to: serial, of: call, timeout: timeout).get()
  }

  private func reply(
    to serial: UInt32, of call: MethodCall, timeout: Duration
  ) async -> Result<[DBusValue], BusError> {
    await withTaskCancellationHandler {
      await unsafe withUnsafeContinuation { continuation in
        let timer = BusExecutor.shared.schedule(after: timeout) { [weak self] in
          self?.assumeIsolated { $0.resume(serial, with: .failure(.timedOut(call, after: timeout))) }
        }
        pendingCalls[serial] = unsafe PendingCall(continuation: continuation, timeout: timer)
        if Task.isCancelled { resume(serial, with: .failure(.cancelled)) }
      }
    } onCancel: {
      Task { await self.resume(serial, with: .failure(.cancelled)) }
    }
  }

  private func resume(_ serial: UInt32, with result: Result<[DBusValue], BusError>) {
    guard let call = pendingCalls.removeValue(forKey: serial) else { return }
    BusExecutor.shared.cancel(call.timeout)
    unsafe call.continuation.resume(returning: result)
  }

  // MARK: Messages of other clients

  /// Answers calls to the object at `path` from now on.
  package func export(_ path: String, handler: @escaping MethodHandler) {
    exported[path] = handler
  }

  /// Delivers the new values of one property from now on, read and time-stamped as they are dispatched.
  ///
  /// Such a signal is not handled by the actor, because a job on its executor costs as much as reading the value.
  package func subscribe(_ subscription: PropertySubscription) {
    guard let connection = unsafe connection else { return }
    unsafe removeFilters(from: connection)
    self.subscription = subscription
    unsafe subscription.add(to: connection)
    unsafe addFilter(to: connection)
    // One message at a time: otherwise libdbus reads until nothing is left, which costs a system call after nearly every
    // value. No message is delayed by this limit; the next one stays in the socket.
    unsafe dbus_connection_set_max_received_size(connection, 1)
  }

  private func addFilter(to connection: OpaquePointer) {
    unsafe dbus_connection_add_filter(
      connection, Self.filter, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  private func removeFilters(from connection: OpaquePointer) {
    unsafe subscription?.remove(from: connection)
    subscription = nil
    unsafe dbus_connection_remove_filter(
      connection, Self.filter, Unmanaged.passUnretained(self).toOpaque())
  }

  private static let filter: DBusHandleMessageFunction = { _, message, bus in
    guard let message = unsafe message, let bus = unsafe bus else {
      return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    }
    // libdbus calls filters on the dispatching thread: the bus thread, which is this actor's executor.
    nonisolated(unsafe) let incoming = unsafe message
    return unsafe Unmanaged<BusConnection>.fromOpaque(bus).takeUnretainedValue()
      .assumeIsolated { unsafe $0.handle(incoming) }
  }

  private func handle(_ message: OpaquePointer) -> DBusHandlerResult {
    switch unsafe dbus_message_get_type(message) {
    case DBUS_MESSAGE_TYPE_METHOD_RETURN:
      unsafe resume(
        dbus_message_get_reply_serial(message), with: .success(MessageReader.arguments(of: message)))
    case DBUS_MESSAGE_TYPE_ERROR:
      unsafe resume(dbus_message_get_reply_serial(message), with: .failure(borrowed(message).error))
    case DBUS_MESSAGE_TYPE_SIGNAL:
      unsafe handle(signal: message)
    case DBUS_MESSAGE_TYPE_METHOD_CALL:
      return unsafe handle(call: borrowed(message))
    default:
      return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    }
    return DBUS_HANDLER_RESULT_HANDLED
  }

  private func borrowed(_ message: OpaquePointer) -> DBusMessage {
    unsafe DBusMessage(owning: dbus_message_ref(message))
  }

  private func handle(signal message: OpaquePointer) {
    if unsafe dbus_message_is_signal(message, DBUS_INTERFACE_LOCAL, "Disconnected") != 0 {
      close()
      handlers.lost()
    } else {
      unsafe handlers.signal(borrowed(message).incoming)
    }
  }

  private func handle(call message: DBusMessage) -> DBusHandlerResult {
    let call = message.incoming
    guard let handler = exported[call.path] else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
    // Kept until it is answered, and accessed only on the bus thread.
    nonisolated(unsafe) let held = message
    Task {
      let result = await handler(call)
      self.answer(unsafe held, with: result)
    }
    return DBUS_HANDLER_RESULT_HANDLED
  }

  private func answer(_ call: DBusMessage, with result: Result<[DBusValue], BusError>) {
    guard let connection = unsafe connection, call.wantsReply else { return }
    let reply =
      switch result {
      case .success(let arguments): call.reply(arguments)
      case .failure(let error): call.reply(error)
      }
    if let reply { unsafe dbus_connection_send(connection, reply.pointer, nil) }
  }
}

extension LibraryVersion {
  package static var libdbus: LibraryVersion {
    var (major, minor, micro): (CInt, CInt, CInt) = (0, 0, 0)
    unsafe dbus_get_version(&major, &minor, &micro)
    return LibraryVersion("libdbus", "\(major).\(minor).\(micro)")
  }
}
