/// A message of the stream, independent of the connection that delivered it.
struct CollectedMessage {
  var subject: String
  var headers: [String: String]
  var body: [UInt8]
  /// Its position in the stream.
  var streamSequence: Int64

  static let headerNames = [
    FleetMessage.HeaderName.id, FleetMessage.HeaderName.receiver, FleetMessage.HeaderName.format,
    FleetMessage.HeaderName.events,
  ]
}
