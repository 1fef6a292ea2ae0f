internal import CNats

/// A subscription to the answers to published messages. The last token of a subject is the token of the message.
@safe final class Inbox {
  private let subscription: OpaquePointer
  private let prefix: String

  init(_ connection: OpaquePointer, prefix: String) throws(FleetError) {
    var name: UnsafeMutablePointer<CChar>?
    try check(unsafe natsInbox_Create(&name), "create an inbox")
    defer { unsafe natsInbox_Destroy(name) }
    guard let name = unsafe name else { preconditionFailure("libnats returned no inbox") }
    let unique = unsafe String(cString: name).split(separator: ".").last ?? ""
    self.prefix = "\(prefix).\(unique)."
    var created: OpaquePointer?
    try check(
      unsafe natsConnection_SubscribeSync(&created, connection, "\(self.prefix)*"), "receive acknowledgements"
    )
    guard let created = unsafe created else { preconditionFailure("libnats returned no subscription") }
    unsafe subscription = created
  }

  func close() { unsafe natsSubscription_Destroy(subscription) }

  /// The subject for the answer to a message.
  func subject(_ token: UInt64) -> String { "\(prefix)\(token)" }

  /// The next answer; nil if no answer arrives within `milliseconds`.
  /// - Throws: ``FleetError`` with the code `noResponder` if no stream received a message, and errors of the connection.
  func next(milliseconds: Int64) throws(FleetError) -> PublishResult? {
    var message: OpaquePointer?
    let status = unsafe natsSubscription_NextMsg(&message, subscription, milliseconds)
    switch status {
    case NATS_OK: break
    case NATS_TIMEOUT: return nil
    case NATS_NO_RESPONDERS: throw FleetError(.noResponder, "no stream received the message")
    default: throw FleetError(status, "receive acknowledgements")
    }
    guard let message = unsafe message else { return nil }
    defer { unsafe natsMsg_Destroy(message) }
    let subject = unsafe String(cString: natsMsg_GetSubject(message))
    guard let token = UInt64(subject.dropFirst(prefix.utf8.count)) else { return nil }
    return PublishResult(token: token, answer: unsafe ReceivedMessage.bytes(message))
  }
}
