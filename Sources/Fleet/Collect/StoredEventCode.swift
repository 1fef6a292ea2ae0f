internal import HeartRate
internal import JSONLines
internal import Recording

/// Encodes events for the table `event`: the payload of notifications (kind 1) and sensor frames (kind 7) as it was received,
/// and other events as a line of a recording. Every bit of an event is restored.
enum StoredEventCode {
  private static let notification: Int64 = 1
  private static let sensorFrame: Int64 = 7

  static func kind(_ event: SessionEvent) -> Int64 {
    switch event.kind {
    case .notification: notification
    case .interval: 2
    case .link: 3
    case .battery: 4
    case .mark: 5
    case .end: 6
    case .sensorFrame: sensorFrame
    case .stream: 8
    }
  }

  static func payload(_ event: SessionEvent) -> [UInt8] {
    switch event.kind {
    case .notification(let payload), .sensorFrame(let payload): return payload
    case .interval, .link, .battery, .mark, .end, .stream:
      var line = JSONLine()
      SessionLines.write(event, to: &line)
      return line.bytes
    }
  }

  /// - Throws: ``PostgreSQLError`` for a row that this version does not write.
  static func event(
    kind: Int64, ticks: Int64, wall: Int64?, payload: [UInt8]
  ) throws(PostgreSQLError) -> SessionEvent {
    let time = SessionTime(ticks: ticks)
    let wall = wall.map { WallTime(microseconds: $0) }
    switch kind {
    case notification: return SessionEvent(at: time, wall: wall, .notification(payload: payload))
    case sensorFrame: return SessionEvent(at: time, wall: wall, .sensorFrame(payload: payload))
    default:
      guard let event = try? SessionLines.events(in: payload[...], path: "event").first else {
        throw PostgreSQLError(
          state: PostgreSQLError.PrivateState.invalidStoredData,
          "a stored event of the kind \(kind) is not valid")
      }
      return SessionEvent(at: time, wall: wall, event.kind)
    }
  }
}
