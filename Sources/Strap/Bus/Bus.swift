import CDBus
import Glibc

/// A private connection to the system bus, and the owner of its pointer.
///
/// It runs on the bus thread, where libdbus is entered by nobody else, and calls its handlers there, in the
/// order in which the messages came. Closing it ends everything that the services at the other end keep for
/// it: discovery sessions, notifications, agents.
@safe actor Bus {
  /// What the connection tells its owner; called on the bus thread.
  struct Handlers: Sendable {
    var signal: @Sendable (IncomingMessage) -> Void = { _ in }
    /// The connection died; nothing comes after.
    var lost: @Sendable () -> Void = {}
  }

  /// Answers the method calls to an exported object.
  typealias MethodHandler = @Sendable (IncomingMessage) async -> Result<[MethodCall.Argument], BusError>

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    BusExecutor.shared.asUnownedSerialExecutor()
  }

  private let handlers: Handlers
  private var connection: OpaquePointer?
  private var waiting: [UInt32: Waiting] = [:]
  private var exported: [String: MethodHandler] = [:]
  private var subscription: ValueSubscription?

  private struct Waiting {
    var reply: UnsafeContinuation<Result<[DBusValue], BusError>, Never>
    var timer: BusTimers.ID
  }

  init(handlers: Handlers = Handlers()) {
    self.handlers = handlers
  }

  isolated deinit { close() }

  /// Opens the connection: to the bus at `address`, or else to the one that `DBUS_SYSTEM_BUS_ADDRESS` names, or
  /// else to the system's.
  func open(_ address: String? = nil) throws(BusError) {
    let connection = try Self.connection(to: address)
    dbus_connection_set_exit_on_disconnect(connection, 0)
    addFilter(to: connection)
    BusExecutor.shared.add(connection)
    self.connection = connection
  }

  private static func connection(to address: String?) throws(BusError) -> OpaquePointer {
    var error = DBusError()
    dbus_error_init(&error)
    guard let address else {
      guard let connection = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error) else {
        throw BusError(taking: &error)
      }
      return connection
    }
    guard let connection = dbus_connection_open_private(address, &error) else {
      throw BusError(taking: &error)
    }
    guard dbus_bus_register(connection, &error) != 0 else {
      dbus_connection_close(connection)
      dbus_connection_unref(connection)
      throw BusError(taking: &error)
    }
    return connection
  }

  /// Reads and dispatches all that has come so far, out of turn. Not to be called by the connection's own handlers:
  /// libdbus would wait for itself.
  func dispatchPending() {
    guard let connection else { return }
    dbus_connection_ref(connection)
    defer { dbus_connection_unref(connection) }
    repeat {
      while dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS {}
    } while self.connection != nil && Self.read(connection)
  }

  /// Reads what has come; false when there was nothing.
  private static func read(_ connection: OpaquePointer) -> Bool {
    var descriptor: CInt = -1
    guard dbus_connection_get_unix_fd(connection, &descriptor) != 0 else { return false }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 0) > 0 else { return false }
    return dbus_connection_read_write(connection, 0) != 0
  }

  /// Closes the connection; calls that wait for their replies fail. Nothing happens the second time.
  func close() {
    guard let connection else { return }
    self.connection = nil
    exported = [:]
    BusExecutor.shared.remove(connection)
    removeFilters(from: connection)
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
    for serial in waiting.keys { resume(serial, with: .failure(.closed)) }
  }

  // MARK: Calls

  /// Calls a method and waits for its reply, at most for `deadline`.
  ///
  /// - Throws: the error that the service answered, or one of our own when there was no answer: the deadline
  ///   passed, the connection closed, the task was cancelled.
  @discardableResult
  func call(_ call: MethodCall, deadline: Duration) async throws(BusError) -> [DBusValue] {
    guard let connection else { throw .closed }
    guard let message = MessageWriter.message(for: call) else {
      throw BusError(name: BusError.noMemory, message: "cannot write the call \(call.member) \(call.path)")
    }
    defer { dbus_message_unref(message) }
    var serial: UInt32 = 0
    guard dbus_connection_send(connection, message, &serial) != 0 else {
      throw BusError(name: BusError.noMemory, message: "cannot send the call \(call.member)")
    }
    return try await reply(to: serial, of: call, deadline: deadline).get()
  }

  private func reply(
    to serial: UInt32, of call: MethodCall, deadline: Duration
  ) async -> Result<[DBusValue], BusError> {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let timer = BusExecutor.shared.schedule(after: deadline) { [weak self] in
          self?.assumeIsolated { $0.resume(serial, with: .failure(.timedOut(call, after: deadline))) }
        }
        waiting[serial] = Waiting(reply: continuation, timer: timer)
        if Task.isCancelled { resume(serial, with: .failure(.cancelled)) }
      }
    } onCancel: {
      Task { await self.resume(serial, with: .failure(.cancelled)) }
    }
  }

  private func resume(_ serial: UInt32, with result: Result<[DBusValue], BusError>) {
    guard let waiting = waiting.removeValue(forKey: serial) else { return }
    BusExecutor.shared.cancel(waiting.timer)
    waiting.reply.resume(returning: result)
  }

  // MARK: What others send

  /// Answers calls to the object at `path` from now on.
  func export(_ path: String, handler: @escaping MethodHandler) {
    exported[path] = handler
  }

  /// Hands on each new value of one characteristic from now on, read and stamped as it is dispatched.
  ///
  /// Such a message is not handled by the actor: getting there and back would cost as much as the value itself.
  func subscribe(_ subscription: ValueSubscription) {
    guard let connection else { return }
    removeFilters(from: connection)
    self.subscription = subscription
    subscription.add(to: connection)
    addFilter(to: connection)
    // One message at a time: libdbus goes on reading until there is nothing left, which is a call of the kernel for
    // nothing after nearly each value. No message is held back for that; the next one waits in the socket.
    dbus_connection_set_max_received_size(connection, 1)
  }

  private func addFilter(to connection: OpaquePointer) {
    dbus_connection_add_filter(connection, Self.filter, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  private func removeFilters(from connection: OpaquePointer) {
    subscription?.remove(from: connection)
    subscription = nil
    dbus_connection_remove_filter(connection, Self.filter, Unmanaged.passUnretained(self).toOpaque())
  }

  private static let filter: DBusHandleMessageFunction = { _, message, bus in
    guard let message, let bus else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
    // libdbus calls back on the thread that dispatches: the bus thread, which is this actor's executor.
    nonisolated(unsafe) let incoming = message
    return Unmanaged<Bus>.fromOpaque(bus).takeUnretainedValue().assumeIsolated { $0.handle(incoming) }
  }

  private func handle(_ message: OpaquePointer) -> DBusHandlerResult {
    switch dbus_message_get_type(message) {
    case DBUS_MESSAGE_TYPE_METHOD_RETURN:
      resume(
        dbus_message_get_reply_serial(message), with: .success(MessageReader.arguments(of: message)))
    case DBUS_MESSAGE_TYPE_ERROR:
      resume(dbus_message_get_reply_serial(message), with: .failure(BusError(reply: message)))
    case DBUS_MESSAGE_TYPE_SIGNAL:
      handle(signal: message)
    case DBUS_MESSAGE_TYPE_METHOD_CALL:
      return handle(call: message)
    default:
      return DBUS_HANDLER_RESULT_NOT_YET_HANDLED
    }
    return DBUS_HANDLER_RESULT_HANDLED
  }

  private func handle(signal message: OpaquePointer) {
    if dbus_message_is_signal(message, DBUS_INTERFACE_LOCAL, "Disconnected") != 0 {
      close()
      handlers.lost()
    } else {
      handlers.signal(IncomingMessage(message))
    }
  }

  private func handle(call message: OpaquePointer) -> DBusHandlerResult {
    let call = IncomingMessage(message)
    guard let handler = exported[call.path] else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
    dbus_message_ref(message)
    // Kept until it is answered, and touched on the bus thread only.
    nonisolated(unsafe) let held = message
    Task {
      let answer = await handler(call)
      self.answer(held, with: answer)
    }
    return DBUS_HANDLER_RESULT_HANDLED
  }

  private func answer(_ call: OpaquePointer, with result: Result<[MethodCall.Argument], BusError>) {
    defer { dbus_message_unref(call) }
    guard let connection, dbus_message_get_no_reply(call) == 0 else { return }
    let reply =
      switch result {
      case .success(let arguments): MessageWriter.reply(to: call, with: arguments)
      case .failure(let error): MessageWriter.error(error, to: call)
      }
    guard let reply else { return }
    dbus_connection_send(connection, reply, nil)
    dbus_message_unref(reply)
  }
}

extension BusError {
  fileprivate init(reply message: OpaquePointer) {
    name = dbus_message_get_error_name(message).map { String(cString: $0) } ?? Self.inconsistentMessage
    self.message = MessageReader.arguments(of: message).first?.string ?? ""
  }
}

extension IncomingMessage {
  fileprivate init(_ message: OpaquePointer) {
    sender = dbus_message_get_sender(message).map { String(cString: $0) } ?? ""
    path = dbus_message_get_path(message).map { String(cString: $0) } ?? ""
    interface = dbus_message_get_interface(message).map { String(cString: $0) } ?? ""
    member = dbus_message_get_member(message).map { String(cString: $0) } ?? ""
    arguments = MessageReader.arguments(of: message)
  }
}
