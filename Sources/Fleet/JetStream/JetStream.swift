internal import CNats
internal import Glibc
internal import Localization
package import Platform

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
        Phrase("cannot connect to NATS at \(server.description)"))
      try check(unsafe natsConnection_JetStream(&context, connection, nil), Phrase("cannot use JetStream"))
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
        Phrase("check that receiver=\(receiver) is the name of this receiver in the users of nats-server")
      case .collector: Phrase("check the permissions of this user")
      }
    return FleetError(
      .notPermitted, Phrase("the NATS server \(server.description) reports: \(text); \(advice)"))
  }
}

extension JetStream {
  /// Sends a message without waiting. ``acknowledgements(wait:)`` returns the answer with `token`.
  ///
  /// The caller limits the number of messages without an answer, and sends a message again that has none after a timeout: the
  /// answer of an interrupted connection is lost.
  /// - Throws: ``FleetError`` with the code `unreachable` while the connection is interrupted, and if it accepts no data for 5 s.
  package func publish(
    _ subject: FleetSubject, headers: [(name: String, value: String)], body: [UInt8], token: UInt64
  ) throws(FleetError) {
    guard isConnected else { throw interrupted }
    var created: OpaquePointer?
    let status = unsafe body.withUnsafeBufferPointer { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
        unsafe natsMsg_Create(
          &created, subject.description, inbox.subject(token), bytes.baseAddress, CInt(bytes.count))
      }
    }
    try check(status, Phrase("cannot create a message for \(subject.description)"))
    defer { unsafe natsMsg_Destroy(created) }
    // With this header, a message is rejected instead of stored in another stream.
    for header in headers + [(name: "Nats-Expected-Stream", value: server.stream)] {
      try check(
        unsafe natsMsgHeader_Set(created, header.name, header.value),
        Phrase("cannot set the header \(header.name)"))
    }
    try check(
      unsafe natsConnection_PublishMsg(connection, created),
      Phrase("cannot publish to \(subject.description)"))
  }

  /// The answers so far. Waits up to `wait` for the first one.
  /// - Throws: ``FleetError`` with the code `noResponder` if no stream received one of the messages without an answer.
  package func acknowledgements(wait: Duration) throws(FleetError) -> [PublishResult] {
    var results: [PublishResult] = []
    do throws(FleetError) {
      var milliseconds = max(1, Int64(wait / .milliseconds(1)))
      while results.count < 1024, let result = try inbox.next(milliseconds: milliseconds) {
        results.append(result)
        milliseconds = 0
      }
    } catch {
      if error.code == .noResponder { throw notReceived }
      throw error
    }
    return results
  }

  var interrupted: FleetError {
    FleetError(.unreachable, Phrase("the connection to NATS at \(server.description) is interrupted"))
  }

  /// The stream has no space for further messages.
  var fullStream: FleetError {
    FleetError(
      .streamFull,
      Phrase(
        """
        the stream \(server.stream) is full; publishing continues when its limit is increased, or when messages expire
        """)
    )
  }

  /// No stream received a message. libnats does not report which one.
  private var notReceived: FleetError {
    FleetError(
      .noResponder,
      Phrase(
        """
        no server stored a message for the stream \(server.stream): it has no leader at the moment, or the servers \
        \(server.description) do not map subjects to partitions (docs/fleet.md)
        """)
    )
  }

  package var missingStream: FleetError {
    FleetError(
      .noStream,
      Phrase(
        """
        the stream \(server.stream) does not exist at \(server.description); start 'stressmon collect' for this study
        """)
    )
  }
}

extension LibraryVersion {
  package static var libnats: LibraryVersion {
    LibraryVersion("libnats", unsafe String(cString: nats_GetVersion()))
  }
}
