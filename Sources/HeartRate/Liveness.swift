extension LinkChange.State {
  /// Whether values that arrive in this state are live. Every other state makes all earlier values stale.
  package var hasLiveData: Bool { self == .connected }
}

/// Whether the newest values of a session are live.
///
/// Values are live from a measurement until the link leaves `connected`. A new connection does not make older values live
/// again: they stay stale until the next measurement.
package struct Liveness: Equatable, Sendable {
  package private(set) var isLive = false
  private var hasMeasurement = false

  package init() {}

  package mutating func update(_ change: LinkChange) {
    if !change.state.hasLiveData { isLive = false }
  }

  /// Without RR intervals there are no measurements, so the heart rate is the value that is live or stale.
  package mutating func update(_ notification: HeartRateMeasurement) {
    if !hasMeasurement, notification.plausibleHeartRate != nil { isLive = true }
  }

  /// Call this for each measurement.
  package mutating func receiveMeasurement() { (hasMeasurement, isLive) = (true, true) }
}
