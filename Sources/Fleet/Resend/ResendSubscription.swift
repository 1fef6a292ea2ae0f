internal import CNats
internal import Localization

/// A subscription to the requests of collectors. It continues after the connection was interrupted.
// @unchecked: the property is constant, and libnats locks its objects.
@safe package final class ResendSubscription: @unchecked Sendable {
  private let subscription: OpaquePointer

  fileprivate init(_ subscription: OpaquePointer) { unsafe self.subscription = subscription }

  deinit { unsafe natsSubscription_Destroy(subscription) }

  /// The oldest request that was received and not returned yet. Other messages are ignored.
  package func next() -> ResendRequest? {
    var message: OpaquePointer?
    while unsafe natsSubscription_NextMsg(&message, subscription, 0) == NATS_OK, let received = unsafe message
    {
      defer { unsafe natsMsg_Destroy(received) }
      let text = unsafe String(decoding: ReceivedMessage.bytes(received), as: UTF8.self)
      if let request = ResendRequest(text) { return request }
    }
    return nil
  }
}

extension JetStream {
  /// Receives the requests to a receiver of the study of this connection. Waits until the server knows the subscription,
  /// because requests before that are lost until a collector repeats them.
  package func resendRequests(to receiver: FleetCode) throws(FleetError) -> ResendSubscription {
    var created: OpaquePointer?
    let subject = ResendRequest.subject(server.study, receiver)
    try check(
      unsafe natsConnection_SubscribeSync(&created, connection, subject),
      Phrase("cannot subscribe to \(subject)"))
    guard let created = unsafe created else { preconditionFailure("libnats returned no subscription") }
    let subscription = unsafe ResendSubscription(created)
    try check(unsafe natsConnection_FlushTimeout(connection, 5000), Phrase("cannot subscribe to \(subject)"))
    return subscription
  }

  /// Sends a request to a receiver, if it is connected. Other receivers do not receive the IDs of its sessions.
  package func send(_ request: ResendRequest, to receiver: FleetCode) throws(FleetError) {
    let (subject, text) = (ResendRequest.subject(server.study, receiver), request.text)
    try check(
      unsafe natsConnection_Publish(connection, subject, text, CInt(text.utf8.count)),
      Phrase("cannot publish to \(subject)")
    )
  }
}
