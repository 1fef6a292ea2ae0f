internal import CNats
internal import Glibc
internal import Localization
internal import Platform

/// A subscription to the answers to published messages. The last token of a subject is the token of the message.
///
/// libnats delivers the answers on its own thread. Its functions that wait, and those of libdispatch, are not used: they wait
/// until a time of the wall clock, which can be set back.
@safe final class Inbox {
  private let subscription: OpaquePointer
  private let prefix: String
  private let answers: Answers

  init(_ connection: OpaquePointer, prefix: String) throws(FleetError) {
    var name: UnsafeMutablePointer<CChar>?
    try check(unsafe natsInbox_Create(&name), Phrase("cannot create an inbox"))
    defer { unsafe natsInbox_Destroy(name) }
    guard let name = unsafe name else { preconditionFailure("libnats returned no inbox") }
    let unique = unsafe String(cString: name).split(separator: ".").last ?? ""
    let answers = Answers()
    (self.prefix, self.answers) = ("\(prefix).\(unique).", answers)
    var created: OpaquePointer?
    let closure = unsafe Unmanaged.passRetained(answers).toOpaque()
    let status = unsafe natsConnection_Subscribe(
      &created, connection, "\(self.prefix)*",
      { _, _, message, closure in
        guard let message = unsafe message, let closure = unsafe closure else { return }
        defer { unsafe natsMsg_Destroy(message) }
        unsafe Unmanaged<Answers>.fromOpaque(closure).takeUnretainedValue().append(Answer(message))
      }, closure)
    guard status == NATS_OK, let created = unsafe created else {
      unsafe Unmanaged<Answers>.fromOpaque(closure).release()
      throw FleetError(status, Phrase("cannot receive acknowledgements"))
    }
    unsafe subscription = created
    // The thread of libnats uses the answers until then.
    unsafe natsSubscription_SetOnCompleteCB(
      created,
      { closure in if let closure = unsafe closure { unsafe Unmanaged<Answers>.fromOpaque(closure).release() }
      }, closure)
  }

  func close() { unsafe natsSubscription_Destroy(subscription) }

  /// The subject for the answer to a message.
  func subject(_ token: UInt64) -> String { "\(prefix)\(token)" }

  /// Waits up to `milliseconds` for the next answer.
  /// - Throws: ``FleetError`` with the code `noResponder` if no stream received a message.
  func next(milliseconds: Int64) throws(FleetError) -> PublishResult? {
    guard let answer = answers.next(milliseconds: milliseconds) else { return nil }
    guard !answer.hasNoResponder else {
      throw FleetError(.noResponder, Phrase("no stream received the message"))
    }
    guard let token = UInt64(answer.subject.dropFirst(prefix.utf8.count)) else { return nil }
    return PublishResult(token: token, answer: answer.body)
  }
}

private struct Answer: Sendable {
  let subject: String
  let body: [UInt8]
  /// Whether the server reports that the message has no responder.
  let hasNoResponder: Bool

  init(_ message: OpaquePointer) {
    subject = unsafe String(cString: natsMsg_GetSubject(message))
    body = unsafe ReceivedMessage.bytes(message)
    hasNoResponder = unsafe natsMsg_IsNoResponders(message)
  }
}

/// Answers that were received and not returned yet: at most one for each message without acknowledgement.
private final class Answers: Sendable {
  private let queue = Locked<[Answer]>([])
  /// Notified after an answer was added.
  private let arrivals = WakeUpPipe()

  deinit { arrivals.close() }

  func append(_ answer: Answer) {
    queue.withLock { $0.append(answer) }
    arrivals.notify()
  }

  /// The first answer, waiting up to `milliseconds`. It can return `nil` earlier.
  func next(milliseconds: Int64) -> Answer? {
    if let answer = take() { return answer }
    guard arrivals.wait(milliseconds: CInt(clamping: milliseconds)) else { return nil }
    arrivals.drain()
    return take()
  }

  private func take() -> Answer? { queue.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
