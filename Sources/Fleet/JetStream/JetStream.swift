internal import CNats
internal import Glibc

/// A connection to JetStream, the storage of NATS. After the first successful connection, it reconnects without limit.
///
/// "Unless otherwise specified, all functions of a connection are thread safe" (nats.h): each operation can be called by any
/// thread, except ``acknowledgements(wait:)``, which one thread calls.
// @unchecked: the properties are constant, libnats locks its objects, and only `deinit` uses `watch`.
@safe package final class JetStream: @unchecked Sendable {
  /// The role of the connection. It determines the prefix of the inbox. Each NATS user can subscribe only to its own inboxes:
  /// a user who knows the inbox of another one can let the server send acknowledgements there.
  package enum Role: Equatable, Sendable {
    case receiver(FleetCode)
    case collector

    func inboxPrefix(_ study: FleetCode) -> String {
      switch self {
      case .receiver(let receiver): "_INBOX.receiver.\(study).\(receiver)"
      case .collector: "_INBOX.collector"
      }
    }
  }

  package let server: NatsURL
  let connection: OpaquePointer
  let context: OpaquePointer
  /// Receives the acknowledgements of published messages.
  let inbox: Inbox
  private let role: Role
  private let errors: ConnectionErrors
  private let watch: ClockWatch

  /// Connects to one of the servers.
  /// - Throws: ``FleetError`` with the codes `unreachable`, `unauthorized` and `usage`.
  package init(_ server: NatsURL, role: Role, name: String) throws(FleetError) {
    (self.server, self.role) = (server, role)
    errors = ConnectionErrors()
    var connection: OpaquePointer?
    var context: OpaquePointer?
    do throws(FleetError) {
      let options = try ConnectionOptions(server, role: role, name: name)
      try unsafe errors.observe(options.pointer)
      try check(
        unsafe natsConnection_Connect(&connection, options.pointer),
        "connect to NATS at \(server.description)")
      try check(unsafe natsConnection_JetStream(&context, connection, nil), "use JetStream")
      guard let opened = unsafe connection, let created = unsafe context else {
        preconditionFailure("libnats returned no connection")
      }
      unsafe inbox = try Inbox(opened, prefix: role.inboxPrefix(server.study))
      unsafe (self.connection, self.context) = (opened, created)
      let address = UInt(bitPattern: opened)
      // Operations that wait for the server on other threads fail then.
      watch = ClockWatch { unsafe natsConnection_Close(OpaquePointer(bitPattern: address)) }
    } catch {
      unsafe jsCtx_Destroy(context)
      unsafe natsConnection_Destroy(connection)
      errors.remove()
      throw error
    }
  }

  deinit {
    watch.stop()
    inbox.close()
    unsafe jsCtx_Destroy(context)
    unsafe natsConnection_Destroy(connection)
    errors.remove()
  }

  /// Whether the connection is open.
  package var isConnected: Bool { unsafe natsConnection_Status(connection) == NATS_CONN_STATUS_CONNECTED }

  /// Whether the connection has ended for ever, for example because the credentials were revoked.
  package var isClosed: Bool { unsafe natsConnection_IsClosed(connection) }

  /// Runs `body`, and reports a missing permission instead of the timeout that it causes.
  package func namingViolations<Value>(
    _ body: () throws(FleetError) -> Value
  ) throws(FleetError) -> Value {
    do throws(FleetError) { return try body() } catch { throw takePermissionViolation() ?? error }
  }

  /// The latest operation that the server did not permit, once. The server reports it without reference to the operation.
  package func takePermissionViolation() -> FleetError? {
    guard let text = errors.takeViolation() else { return nil }
    let advice =
      switch role {
      case .receiver(let receiver):
        "check that receiver=\(receiver) is the name of this receiver in the users of nats-server"
      case .collector: "check the permissions of this user"
      }
    return FleetError(
      .notPermitted, "the NATS server \(server.description) reports: \(text); \(advice)")
  }
}
