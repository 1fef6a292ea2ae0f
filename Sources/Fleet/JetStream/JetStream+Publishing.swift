internal import CNats

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
    try check(status, "create a message for \(subject)")
    defer { unsafe natsMsg_Destroy(created) }
    // With this header, a message is rejected instead of stored in another stream.
    for header in headers + [(name: "Nats-Expected-Stream", value: server.stream)] {
      try check(
        unsafe natsMsgHeader_Set(created, header.name, header.value), "set the header \(header.name)")
    }
    try check(unsafe natsConnection_PublishMsg(connection, created), "publish to \(subject)")
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
    FleetError(.unreachable, "the connection to NATS at \(server.description) is interrupted")
  }

  /// The stream has no space for further messages.
  var fullStream: FleetError {
    FleetError(
      .streamFull,
      "the stream \(server.stream) is full; publishing continues when its limit is increased, or when messages expire"
    )
  }

  /// No stream received a message. libnats does not report which one.
  private var notReceived: FleetError {
    FleetError(
      .noResponder,
      "no server stored a message for the stream \(server.stream): it has no leader at the moment, or the servers \(server.description) do not map subjects to partitions (docs/fleet.md)"
    )
  }

  package var missingStream: FleetError {
    FleetError(
      .noStream,
      "the stream \(server.stream) does not exist at \(server.description); start 'stressmon collect' for this study"
    )
  }
}
