internal import HeartRate

/// A message of the stream, independent of the connection that delivered it.
struct CollectedMessage {
  var subject: String
  var headers: [String: String]
  var body: [UInt8]
  /// Its position in the stream.
  var streamSequence: Int64
  /// The time at which the stream stored it.
  var published: WallTime

  static let headerNames = [
    FleetMessage.HeaderName.id, FleetMessage.HeaderName.format, FleetMessage.HeaderName.events,
    FleetMessage.HeaderName.deletedFrom,
  ]

  /// The participant of the subject; nil if it is not a subject of the fleet.
  var participant: FleetCode? { FleetSubject(subject)?.participant }
}
