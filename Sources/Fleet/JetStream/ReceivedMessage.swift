internal import CNats

/// A message of a stream that waits for its acknowledgement.
// @unchecked: the properties are constant, and acknowledgements are locked by libnats.
@safe package final class ReceivedMessage: @unchecked Sendable {
  private let message: OpaquePointer
  /// libnats acknowledges through the subscription.
  private let subscription: PullSubscription
  package let subject: String
  /// The position in the stream, from 1; 0 if the server reported none.
  package let sequence: UInt64
  /// The time at which the stream stored the message, in ns since 1970.
  package let published: Int64
  /// How often the message was delivered, from 1.
  package let deliveries: Int

  init(_ message: OpaquePointer, _ subscription: PullSubscription) {
    self.subscription = subscription
    unsafe self.message = message
    subject = unsafe String(cString: natsMsg_GetSubject(message))
    var metadata: UnsafeMutablePointer<jsMsgMetaData>?
    let status = unsafe natsMsg_GetMetaData(&metadata, message)
    defer { unsafe jsMsgMetaData_Destroy(metadata) }
    let values = unsafe status == NATS_OK ? metadata?.pointee : nil
    sequence = unsafe values?.Sequence.Stream ?? 0
    published = unsafe values?.Timestamp ?? 0
    deliveries = unsafe values.map { unsafe Int($0.NumDelivered) } ?? 1
  }

  deinit { unsafe natsMsg_Destroy(message) }

  /// The value of a header, if the message has it.
  package func header(_ name: String) -> String? {
    var value: UnsafePointer<CChar>?
    guard unsafe natsMsgHeader_Get(message, name, &value) == NATS_OK, let value = unsafe value else {
      return nil
    }
    return unsafe String(cString: value)
  }

  /// Length of the body in bytes.
  package var size: Int { unsafe Int(natsMsg_GetDataLength(message)) }

  package var body: [UInt8] { unsafe Self.bytes(message) }

  static func bytes(_ message: OpaquePointer) -> [UInt8] {
    let count = unsafe Int(natsMsg_GetDataLength(message))
    guard let start = unsafe natsMsg_GetData(message), count > 0 else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Acknowledges the message to end its redelivery. A lost acknowledgement causes another delivery.
  /// - Returns: false if the acknowledgement was not sent.
  @discardableResult package func acknowledge() -> Bool { unsafe natsMsg_Ack(message, nil) == NATS_OK }

  /// Negative acknowledgement (NAK): requests redelivery after `delay`.
  @discardableResult package func requestRedelivery(after delay: Duration) -> Bool {
    unsafe natsMsg_NakWithDelay(message, Int64(delay / .milliseconds(1)), nil) == NATS_OK
  }

  /// Extends the time for the acknowledgement.
  @discardableResult package func extend() -> Bool { unsafe natsMsg_InProgress(message, nil) == NATS_OK }
}
