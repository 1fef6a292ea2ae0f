internal import JSONLines
internal import Localization

/// The answer of JetStream to a published message.
package struct PublishResult: Equatable, Sendable {
  package enum Outcome: Equatable, Sendable {
    /// The stream stores the message on the required number of servers. A duplicate was stored earlier.
    case stored(isDuplicate: Bool)
    /// The server knows the ID of the message, but does not store it: its leader was replaced before a majority stored the
    /// message. It would answer every repetition with the same ID in this way until the ID expires (nats-server before 2.11,
    /// pull request 6486).
    case unstoredDuplicate
    case rejected(FleetError)
  }

  package var token: UInt64
  package var outcome: Outcome

  package init(token: UInt64, outcome: Outcome) { (self.token, self.outcome) = (token, outcome) }

  /// Parses `{"stream":"lab-x","seq":1,"duplicate":true}` and `{"error":{"code":503,"err_code":10077,"description":"..."}}`.
  init(token: UInt64, answer: [UInt8]) {
    self.token = token
    outcome = Self.outcome(answer)
  }

  private static func outcome(_ answer: [UInt8]) -> Outcome {
    guard let object = try? JSONObject(answer) else { return .rejected(invalid) }
    if let value = object["error"], let error = object.object(value) { return .rejected(FleetError(error)) }
    guard let sequence = object["seq"].flatMap({ object.double($0) }) else { return .rejected(invalid) }
    let isDuplicate = object["duplicate"].flatMap { object.boolean($0) } ?? false
    return sequence == 0 && isDuplicate ? .unstoredDuplicate : .stored(isDuplicate: isDuplicate)
  }

  private static var invalid: FleetError {
    FleetError(
      .jetStream, Phrase("cannot publish: the answer is not valid; check that the stream is one of JetStream")
    )
  }
}

extension FleetError {
  /// The error in an answer of JetStream.
  fileprivate init(_ error: JSONObject) {
    let number = error["err_code"].flatMap { error.double($0) }.flatMap { Int(exactly: $0) } ?? 0
    let text = error["description"].flatMap { error.string($0) } ?? "error \(number)"
    switch (number, text) {
    case (10077, let text) where Self.limits.contains(text):
      self.init(
        .streamFull,
        Phrase(
          """
          cannot publish: the stream is full (\(text)); increase its limit, or wait until messages expire
          """))
    case (10060, _):
      self.init(
        .noStream, Phrase("cannot publish: another stream stores this subject (\(text)); remove that stream"))
    default: self.init(.jetStream, Phrase("cannot publish: \(text) (JetStream error \(number))"))
    }
  }

  /// The descriptions of the error "store failed" that mean a limit of the stream; nats-server has no own numbers for them.
  private static let limits: Set<String> = [
    "maximum messages exceeded", "maximum bytes exceeded", "maximum messages per subject exceeded",
  ]
}
