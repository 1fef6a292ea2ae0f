package import HeartRate
package import LiveSession

/// What outlets publish: the newest values, one beat, or a mark.
package enum OutletEvent: Equatable, Sendable {
  case values(LiveValues)
  case beat(RRInterval)
  case marker(String)
  /// Samples of an electrocardiogram in µV, and their rate in Hz; the time of the event is that of the last one.
  case ecg([Double], rate: Double)
}

/// An event and the time at which it occurred, in ns of the boot clock. A beat occurs at the end of its RR interval.
package struct TimedEvent: Equatable, Sendable {
  package var time: Int64
  package var event: OutletEvent

  package init(_ event: OutletEvent, at time: Int64) { (self.event, self.time) = (event, time) }
}
