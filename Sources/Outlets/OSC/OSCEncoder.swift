import HeartRate

/// The datagrams of an avatar's parameters, one message each.
///
/// OSC has no absent values. Without a heart rate, `isHRConnected` is false and `HR` is 0; without a stress value,
/// `confidence` is 0.
package struct OSCEncoder: OutletEncoder {
  /// Length of the pulse `isHRBeat` in ns.
  static let pulse: Int64 = 100_000_000

  private let names: OSCNames
  private var values = LiveValues.withdrawn
  private var isEven = false
  private var pulseEnd: Int64?

  package init(names: OSCNames) { self.names = names }

  package mutating func encode(_ event: TimedEvent, at now: Int64) -> [[UInt8]] {
    switch event.event {
    case .values(let values):
      self.values = values
      return connected(at: now)
    case .beat(let interval):
      isEven.toggle()
      pulseEnd = now + Self.pulse
      let milliseconds = Int32(clamping: Int(interval.milliseconds.rounded()))
      return names.beat(isEven: isEven, milliseconds: milliseconds).map(\.bytes)
    case .marker: return []
    }
  }

  package mutating func connected(at now: Int64) -> [[UInt8]] {
    var messages = names.heartRate(values.heartRate ?? 0, isLive: values.isLive)
    messages += [
      .parameter("stress", .float(Float((values.stress ?? 0) / 100))),
      .parameter("confidence", .float(Float(values.confidence ?? 0))),
      .parameter("rmssd", .int(Int32(min(max(values.rmssd ?? 0, 0), 255).rounded()))),
    ]
    if let battery = values.battery { messages += names.battery(battery) }
    return messages.map(\.bytes)
  }

  package var nextDeadline: Int64? { pulseEnd }

  package mutating func due(at now: Int64) -> [[UInt8]] {
    guard let pulseEnd, now >= pulseEnd else { return [] }
    self.pulseEnd = nil
    return names.beatEnd.map(\.bytes)
  }

  package mutating func closing() -> [[UInt8]] { due(at: .max) }
}
