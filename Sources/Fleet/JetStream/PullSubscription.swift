internal import CNats
internal import Localization

/// State of a consumer.
package struct ConsumerState: Equatable, Sendable {
  /// Number of messages that were not delivered yet.
  package var pending: Int
  /// Number of messages that were delivered and have no acknowledgement.
  package var unacknowledged: Int
  /// Number of messages without acknowledgement that were delivered more than once.
  package var redelivered: Int
  /// All messages up to this sequence number of the stream are acknowledged.
  package var floor: UInt64
}

/// A durable pull consumer. Several subscriptions to it, in any process, divide its messages. One thread uses a subscription.
// @unchecked: the properties are constant, and libnats locks its objects.
@safe package final class PullSubscription: @unchecked Sendable {
  let subscription: OpaquePointer
  private let jetStream: JetStream
  package let stream: String
  package let consumer: String

  fileprivate init(_ subscription: OpaquePointer, _ jetStream: JetStream, stream: String, consumer: String) {
    (self.jetStream, self.stream, self.consumer) = (jetStream, stream, consumer)
    unsafe self.subscription = subscription
  }

  deinit { unsafe natsSubscription_Destroy(subscription) }

  /// Up to `count` messages. Waits up to `wait` until there is one, then returns those that are available.
  /// - Returns: an empty array if there is no message, and while the connection is interrupted.
  package func fetch(_ count: Int, wait: Duration) throws(FleetError) -> [ReceivedMessage] {
    var list = unsafe natsMsgList()
    var error = jsErrCode(rawValue: 0)
    let milliseconds = max(1, Int64(wait / .milliseconds(1)))
    let status = unsafe natsSubscription_Fetch(&list, subscription, CInt(count), milliseconds, &error)
    defer { unsafe natsMsgList_Destroy(&list) }
    switch status {
    case NATS_OK: break
    case NATS_TIMEOUT, NATS_CONNECTION_DISCONNECTED: return []
    default: throw FleetError(status, Phrase("cannot receive messages of \(consumer)"), error: error)
    }
    return unsafe (0..<Int(list.Count)).compactMap { index in
      guard let message = unsafe list.Msgs[index] else { return nil }
      // The list does not destroy a message that it does not contain.
      unsafe list.Msgs[index] = nil
      return unsafe ReceivedMessage(message, self)
    }
  }

  /// Requests the state from the server.
  package func state() throws(FleetError) -> ConsumerState {
    try jetStream.consumerState(consumer, of: stream)
  }
}

extension JetStream {
  /// Requests the state of a consumer of the stream of the study.
  package func consumerState(_ consumer: String) throws(FleetError) -> ConsumerState {
    try consumerState(consumer, of: server.stream)
  }

  fileprivate func consumerState(_ consumer: String, of stream: String) throws(FleetError) -> ConsumerState {
    guard let state = try existingConsumer(consumer, of: stream) else {
      throw FleetError(.jetStream, Phrase("the stream \(stream) has no consumer \(consumer)"))
    }
    return state
  }

  /// The state of a consumer, or `nil` if it does not exist.
  func existingConsumer(_ consumer: String, of stream: String) throws(FleetError) -> ConsumerState? {
    var info: UnsafeMutablePointer<jsConsumerInfo>?
    var error = jsErrCode(rawValue: 0)
    let status = unsafe js_GetConsumerInfo(&info, context, stream, consumer, nil, &error)
    defer { unsafe jsConsumerInfo_Destroy(info) }
    if error == JSConsumerNotFoundErr { return nil }
    try check(status, Phrase("cannot read the state of \(consumer) of the stream \(stream)"), error: error)
    guard let info = unsafe info?.pointee else { preconditionFailure("libnats returned no state") }
    return unsafe ConsumerState(
      pending: Int(info.NumPending), unacknowledged: Int(info.NumAckPending),
      redelivered: Int(info.NumRedelivered), floor: info.AckFloor.Stream)
  }

  /// Limits of a consumer. A message without acknowledgement is delivered again, without limit.
  package struct ConsumerLimits: Equatable, Sendable {
    /// The time after which a message without acknowledgement is delivered again.
    package var acknowledgement: Duration
    /// The greatest number of messages without acknowledgement of all subscriptions.
    package var unacknowledged: Int
    /// The time without a request after which the server removes the consumer. By default, it is never removed.
    package var inactivity: Duration?

    package init(
      acknowledgement: Duration = .seconds(30), unacknowledged: Int = 4096, inactivity: Duration? = nil
    ) {
      (self.acknowledgement, self.unacknowledged, self.inactivity) = (
        acknowledgement, unacknowledged, inactivity
      )
    }
  }

  /// Where a new consumer begins.
  package enum ConsumerStart: Equatable, Sendable {
    case beginning
    /// The first message that was stored within the second of this time or later, in ns since 1970.
    case time(Int64)
  }

  /// Removes a consumer, with its acknowledgements. Does nothing if it does not exist.
  package func removeConsumer(_ name: String, of stream: String) throws(FleetError) {
    var error = jsErrCode(rawValue: 0)
    let status = unsafe js_DeleteConsumer(context, stream, name, nil, &error)
    guard error != JSConsumerNotFoundErr else { return }
    try check(status, Phrase("cannot remove the consumer \(name) of the stream \(stream)"), error: error)
  }

  /// Lets another server lead a consumer, without effect on its messages. A server without other copies refuses this, which is
  /// not an error.
  package func replaceLeader(ofConsumer name: String, of stream: String) throws(FleetError) {
    var reply: OpaquePointer?
    let subject = "$JS.API.CONSUMER.LEADER.STEPDOWN.\(stream).\(name)"
    let status = unsafe natsConnection_RequestString(&reply, connection, subject, "", 5000)
    unsafe natsMsg_Destroy(reply)
    try check(status, Phrase("cannot replace the leader of \(name) of the stream \(stream)"))
  }

  /// Subscribes to a durable consumer with explicit acknowledgement, and creates it if it does not exist.
  /// - Throws: ``FleetError``, with the code `noStream` if the stream does not exist.
  package func subscribe(
    stream: String, consumer: String, filter: String, from start: ConsumerStart = .beginning,
    limits: ConsumerLimits = ConsumerLimits()
  ) throws(FleetError) -> PullSubscription {
    try createConsumer(consumer, in: stream, filter: filter, from: start, limits)
    var options = unsafe jsSubOptions()
    unsafe jsSubOptions_Init(&options)
    var error = jsErrCode(rawValue: 0)
    var created: OpaquePointer?
    let status = unsafe stream.withCString { stream in
      unsafe consumer.withCString { name in
        unsafe (options.Stream, options.Consumer) = (stream, name)
        return unsafe js_PullSubscribe(&created, context, filter, name, nil, &options, &error)
      }
    }
    try check(status, Phrase("cannot subscribe to \(consumer) of the stream \(stream)"), error: error)
    guard let created = unsafe created else { preconditionFailure("libnats returned no subscription") }
    return unsafe PullSubscription(created, self, stream: stream, consumer: consumer)
  }

  private func createConsumer(
    _ name: String, in stream: String, filter: String, from start: ConsumerStart, _ limits: ConsumerLimits
  ) throws(FleetError) {
    guard try existingConsumer(name, of: stream) == nil else { return }
    var config = unsafe jsConsumerConfig()
    unsafe jsConsumerConfig_Init(&config)
    unsafe config.AckPolicy = js_AckExplicit
    unsafe config.AckWait = Int64(limits.acknowledgement / .nanoseconds(1))
    unsafe config.MaxAckPending = Int64(limits.unacknowledged)
    unsafe config.MaxDeliver = -1
    if let inactivity = limits.inactivity {
      unsafe config.InactiveThreshold = Int64(inactivity / .nanoseconds(1))
    }
    if case .time(let time) = start, time > 0 {
      // libnats 3.4 omits the leading zeros of a fraction: it sends 7.05 s as 7.5 s, and the messages between are never
      // delivered. Whole seconds have no fraction.
      unsafe (config.DeliverPolicy, config.OptStartTime) = (
        js_DeliverByStartTime, time - time % 1_000_000_000
      )
    }
    var error = jsErrCode(rawValue: 0)
    let status = unsafe name.withCString { name in
      unsafe filter.withCString { filter in
        unsafe (config.Durable, config.FilterSubject) = (name, filter)
        return unsafe js_AddConsumer(nil, context, stream, &config, nil, &error)
      }
    }
    try check(status, Phrase("cannot create the consumer \(name) of the stream \(stream)"), error: error)
  }
}

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
    var (rest, left) = (try subscription.state().pending, limit)
    while rest > 0, left > 0 {
      let messages = try subscription.fetch(min(rest, left, Self.pageSize), wait: .seconds(2))
      guard !messages.isEmpty else {
        throw FleetError(
          .unreachable, Phrase("the stream \(stream) does not deliver \(rest) messages of \(filter)"))
      }
      rest -= messages.count
      // The consumer begins with the second of `time`. Acknowledged messages do not count for its limit.
      let wanted = messages.filter { $0.published >= time }
      for message in messages where message.published < time { message.acknowledge() }
      left -= wanted.count
      guard try body(wanted) else { return }
    }
  }

  /// The time of a message in ns since 1970, as long as the stream contains it.
  func time(ofMessage sequence: UInt64, in stream: String) throws(FleetError) -> Int64? {
    var message: OpaquePointer?
    var error = jsErrCode(rawValue: 0)
    let status = unsafe js_GetMsg(&message, context, stream, sequence, nil, &error)
    defer { unsafe natsMsg_Destroy(message) }
    if status == NATS_NOT_FOUND || error == JSNoMessageFoundErr { return nil }
    try check(status, Phrase("cannot read the message \(sequence) of the stream \(stream)"), error: error)
    return unsafe natsMsg_GetTime(message)
  }
}
