public import HeartRate

/// What an earlier session with a strap tells about it: some things show only in hours of data.
public struct PastSession: Equatable, Sendable {
  public var strap: StrapIdentity
  /// Notifications with a heart rate, and those of them that bore RR intervals.
  public var notifications = 0
  public var withRR = 0
  /// The last charge it told.
  public var battery: BatteryLevel?
  /// How long each link lasted that ended by itself, oldest first.
  public var linkLengths: [Duration] = []
  /// Why links ended or did not come about, in the words of the events, oldest first, each once.
  public var reasons: [String] = []

  private var linkedSince: SessionTime?

  public init(_ strap: StrapIdentity) { self.strap = strap }

  /// Reads a session from its first event to its last.
  public init(_ strap: StrapIdentity, events: some Sequence<SessionEvent>) {
    self.init(strap)
    for event in events { take(event) }
  }

  private mutating func take(_ event: SessionEvent) {
    switch event.kind {
    case .notification(let payload):
      guard let measurement = try? HeartRateMeasurement(payload: payload), (measurement.heartRate ?? 0) > 0
      else { return }
      notifications += 1
      if !measurement.rrIntervals.isEmpty { withRR += 1 }
    case .battery(let level): battery = level
    case .link(let change): take(change, at: event.at)
    case .interval, .mark, .end: break
    }
  }

  private mutating func take(_ change: LinkChange, at time: SessionTime) {
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
  /// The length that the links ended after, where they all did after the same: nobody walks away every 150 s.
  var commonLinkLength: Duration? {
    guard linkLengths.count >= 2, let shortest = linkLengths.min(), let longest = linkLengths.max(),
      shortest >= .seconds(20), longest - shortest <= .seconds(3)
    else { return nil }
    return shortest
  }

  /// Whether it sent heart rates for a while and never an RR interval. Below 60 bpm single packets have none.
  var lacksRR: Bool { notifications >= 30 && withRR == 0 }

  /// BlueZ's words for a strap that wants a bond.
  var bondRefusal: String? { reasons.last { Self.kind(of: $0) == .needsPairing && !Self.isKeyMissing($0) } }

  /// BlueZ's words for a strap that has forgotten the bond.
  var keyMissing: String? { reasons.last { Self.isKeyMissing($0) } }

  private static func isKeyMissing(_ message: String) -> Bool { message.hasSuffix("connection-key-missing") }

  private static func kind(of message: String) -> LinkFailure.Kind {
    let parts = message.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    return LinkFailure(BusError(name: parts[0], message: parts.count > 1 ? parts[1] : "")).kind
  }
}
