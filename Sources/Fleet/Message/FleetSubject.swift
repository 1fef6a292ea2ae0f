package import HeartRate

/// The subject of the messages of a receiver for one strap and participant: `lab.STUDY.RECEIVER.PARTICIPANT.STRAP`.
///
/// nats-server permits each receiver only subjects with its own token, so the token identifies the receiver. The server
/// appends the number of the partition as a sixth token (docs/fleet.md), from the study and the participant. All messages of
/// a session are in the same partition, in the order in which they were published.
package struct FleetSubject: Hashable, Sendable, CustomStringConvertible {
  package var study: FleetCode
  package var receiver: FleetCode
  package var participant: FleetCode
  /// The address of the strap in lower case without colons; `none` if it is not known.
  package var strap: FleetCode

  /// Number of partitions, which the configuration of nats-server contains.
  package static let partitions = 8

  package init(study: FleetCode, receiver: FleetCode, participant: FleetCode, strap: StrapIdentity?) {
    (self.study, self.receiver, self.participant) = (study, receiver, participant)
    let address = strap?.address.lowercased().filter { $0 != ":" } ?? ""
    self.strap = FleetCode(address) ?? FleetCode(literal: "none")
  }

  /// Parses a subject, with or without partition.
  package init?(_ text: some StringProtocol) {
    let tokens = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (5...6).contains(tokens.count), tokens[0] == "lab", let study = FleetCode(tokens[1]),
      let receiver = FleetCode(tokens[2]), let participant = FleetCode(tokens[3]),
      let strap = FleetCode(tokens[4])
    else { return nil }
    (self.study, self.receiver) = (study, receiver)
    (self.participant, self.strap) = (participant, strap)
  }

  package var description: String { "lab.\(study).\(receiver).\(participant).\(strap)" }

  /// The filter of all messages of a study.
  package static func filter(study: FleetCode) -> String { "lab.\(study).*.*.*.*" }

  /// The filter of the messages of one partition.
  package static func filter(partition: Int, study: FleetCode) -> String { "lab.\(study).*.*.*.\(partition)" }

  /// The filter of the messages of this receiver and participant in one partition, of all straps.
  func filter(partition: Int) -> String { "lab.\(study).\(receiver).\(participant).*.\(partition)" }

  /// The filter of the messages of a participant.
  package static func filter(participant: FleetCode, study: FleetCode) -> String {
    "lab.\(study).*.\(participant).*.*"
  }

  /// The filter of the messages of a participant in the stream of earlier versions, whose subjects have no receiver.
  static func earlierFilter(participant: FleetCode, study: FleetCode) -> String {
    "lab.\(study).\(participant).*.*"
  }
}
