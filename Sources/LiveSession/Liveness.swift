package import HeartRate

/// Whether the newest values of a session are live, as its lines state. A reader also limits the time without data
/// (``LiveSnapshot/isLive(at:)``).
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

/// The limits of live values. No other file states one, except for the time after which the link itself reports a silent strap
/// (5 s), which is shorter than ``silence``.
package enum LiveLimits {
  /// Time without data after which the values of a feed are not live, in ns, even if no line reports that the link is lost.
  package static let silence: Int64 = 6_000_000_000

  /// The ages in s of a stored measurement that can be live, if one is stored each `interval` s. The age is slightly negative
  /// after the clock was set back.
  package static func storedAges(interval: Int64) -> ClosedRange<Int64> { -5...(2 * interval + 10) }
}

extension LiveSnapshot {
  /// The time at which the values are no longer live unless new data arrive, in ns. Values that are not live have none.
  package var deadline: Int64? { isStale ? nil : dataArrival.map { $0 + LiveLimits.silence } }

  /// Whether the values are live at `now`, in ns of the boot clock: the lines state it, and the latest data are recent.
  package func isLive(at now: Int64) -> Bool { deadline.map { now < $0 } ?? false }
}
