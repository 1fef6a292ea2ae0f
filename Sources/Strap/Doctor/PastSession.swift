import DBus
package import HeartRate

/// Statistics of an earlier session with a strap, which show problems that need hours of data.
package struct PastSession: Equatable, Sendable {
  package var strap: StrapIdentity
  /// The number of notifications with a heart rate, and of those that also had RR intervals.
  package var notifications = 0
  package var withRR = 0
  /// The last reported charge.
  package var battery: BatteryLevel?
  /// The durations of the links that were lost, oldest first.
  package var linkLengths: [Duration] = []
  /// The distinct reasons for lost and failed links, from the events, oldest first.
  package var reasons: [String] = []

  private var linkedSince: SessionTime?

  package init(_ strap: StrapIdentity) { self.strap = strap }

  /// Evaluates all events of a session.
  package init(_ strap: StrapIdentity, events: some Sequence<SessionEvent>) {
    self.init(strap)
    for event in events { add(event) }
  }

  private mutating func add(_ event: SessionEvent) {
    switch event.kind {
    case .notification(let payload):
      guard let measurement = try? HeartRateMeasurement(payload: payload), (measurement.heartRate ?? 0) > 0
      else { return }
      notifications += 1
      if !measurement.rrIntervals.isEmpty { withRR += 1 }
    case .battery(let level): battery = level
    case .link(let change): add(change, at: event.at)
    case .interval, .sensorFrame, .stream, .mark, .end: break
    }
  }

  private mutating func add(_ change: LinkChange, at time: SessionTime) {
    if let reason = change.reason, !reasons.contains(reason) { reasons.append(reason) }
    switch change.state {
    case .connected: linkedSince = linkedSince ?? time
    case .lost:
      if let linkedSince { linkLengths.append(Duration(ticks: time.ticks - linkedSince.ticks)) }
      linkedSince = nil
    case .searching, .connecting, .stale: break
    }
  }
}

extension PastSession {
  /// The common duration of the links, if there are at least two, all of at least 20 s and within 3 s of each other.
  var commonLinkLength: Duration? {
    guard linkLengths.count >= 2, let shortest = linkLengths.min(), let longest = linkLengths.max(),
      shortest >= .seconds(20), longest - shortest <= .seconds(3)
    else { return nil }
    return shortest
  }

  /// Whether at least 30 notifications had no RR interval. Below 60 bpm, single notifications have none.
  var lacksRR: Bool { notifications >= 30 && withRR == 0 }

  /// BlueZ's message for a strap that requires a bond.
  var bondRefusal: String? { reasons.last { Self.kind(of: $0) == .needsPairing && !Self.isKeyMissing($0) } }

  /// BlueZ's message for a strap that has deleted the bond.
  var keyMissing: String? { reasons.last { Self.isKeyMissing($0) } }

  private static func isKeyMissing(_ message: String) -> Bool { message.hasSuffix("connection-key-missing") }

  private static func kind(of message: String) -> LinkFailure.Kind {
    let parts = message.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    return LinkFailure(BusError(name: parts[0], message: parts.count > 1 ? parts[1] : "")).kind
  }
}
