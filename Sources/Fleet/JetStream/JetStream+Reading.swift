internal import CNats

extension JetStream {
  /// Messages per call of the body of ``read(_:matching:since:limit:_:)``.
  private static let pageSize = 1000

  /// Reads messages of a stream in their order, independently of all other consumers.
  /// - Parameters:
  ///   - time: Of the first message, in ns since 1970.
  ///   - limit: The greatest number of messages. Messages that are stored during the call may be omitted.
  ///   - body: Receives up to 1000 messages at a time, and returns whether to continue.
  func read(
    _ stream: String, matching filter: String, since time: Int64, limit: Int,
    _ body: ([ReceivedMessage]) throws -> Bool
  ) throws {
    let name = "read-\(UInt64.random(in: .min ... .max))"
    defer { try? removeConsumer(name, of: stream) }
    let subscription = try subscribe(
      stream: stream, consumer: name, filter: filter, from: .time(time),
      limits: ConsumerLimits(unacknowledged: limit, inactivity: .seconds(60)))
    var rest = min(limit, try subscription.state().pending)
    while rest > 0 {
      let messages = try subscription.fetch(min(rest, Self.pageSize), wait: .seconds(2))
      guard !messages.isEmpty else {
        throw FleetError(.unreachable, "the stream \(stream) does not deliver \(rest) messages of \(filter)")
      }
      rest -= messages.count
      guard try body(messages) else { return }
    }
  }

  /// The time of a message in ns since 1970; nil if the stream does not contain it any more.
  func time(ofMessage sequence: UInt64, in stream: String) throws(FleetError) -> Int64? {
    var message: OpaquePointer?
    var error = jsErrCode(rawValue: 0)
    let status = unsafe js_GetMsg(&message, context, stream, sequence, nil, &error)
    defer { unsafe natsMsg_Destroy(message) }
    if status == NATS_NOT_FOUND || error == JSNoMessageFoundErr { return nil }
    try check(status, "read the message \(sequence) of the stream \(stream)", error: error)
    return unsafe natsMsg_GetTime(message)
  }
}
