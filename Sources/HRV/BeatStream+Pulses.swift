public import HeartRate

// Pulse-to-pulse intervals of optical bands that send no RR intervals (Polar PPI).

extension BeatStream {
  /// The PPI frame in `payload`. Other frames are ignored, as are PPI frames on a link whose notifications contain RR
  /// intervals.
  @usableFromInline
  func pulses(_ payload: [UInt8]) -> SensorFrame? {
    guard !sendsIntervals, SensorFrame.stream(of: payload) == .ppi,
      let frame = try? SensorFrame(payload: payload), frame.count > 0
    else { return nil }
    return frame
  }

  /// Processes the intervals of a PPI frame like those of a notification. Intervals that are blocked, or whose error
  /// estimate exceeds ``PulseInterval/largestError``, count as missing data.
  @inlinable @inline(__always)
  mutating func append(
    _ pulses: SensorFrame, arrival: SessionTime, _ emit: (Event) throws -> Void
  ) rethrows {
    let intervals = RRIntervals(pulsesOf: pulses)
    let rate = pulses.pulseInterval(at: pulses.count - 1).heartRate
    try emit(
      .notification(HeartRateMeasurement(heartRate: rate == 0 ? nil : UInt16(rate), rrIntervals: intervals)))
    try append(
      intervals, arrival: arrival, isReliable: { pulses.pulseInterval(at: $0).isReliable }, emit)
  }

  /// Reports an interval that is not reliable as a gap.
  @inlinable @inline(__always)
  mutating func omit(_ rr: RRInterval, end: SessionTime, _ emit: (Event) throws -> Void) rethrows {
    interrupt()
    try emit(.gap(Gap(start: end - rr, end: end, cause: .dataMissing)))
  }
}
