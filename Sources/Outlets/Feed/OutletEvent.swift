package import HeartRate
package import Stress

/// What outlets publish: the newest values, one beat, or a mark.
package enum OutletEvent: Equatable, Sendable {
  case values(LiveValues)
  case beat(RRInterval)
  case marker(String)
}

/// An event and the time at which it occurred, in ns of the boot clock. A beat occurs at the end of its RR interval.
package struct TimedEvent: Equatable, Sendable {
  package var time: Int64
  package var event: OutletEvent

  package init(_ event: OutletEvent, at time: Int64) { (self.event, self.time) = (event, time) }
}

/// All values of a session. A value without data is nil.
package struct LiveValues: Equatable, Sendable {
  /// Whether the values are live. If not, all values are nil: they are withdrawn.
  package var isLive = false
  /// In bpm.
  package var heartRate: Int?
  /// In ms.
  package var rmssd: Double?
  package var sdnn: Double?
  /// 0 to 100.
  package var stress: Double?
  package var category: StressCategory?
  /// 0 to 1.
  package var confidence: Double?
  /// In percent.
  package var battery: Int?

  package init() {}

  package static let withdrawn = LiveValues()
}
