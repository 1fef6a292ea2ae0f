import HeartRate
package import LiveSession

/// What an OSC target receives.
package struct OSCContent: Equatable, Sendable {
  package var names: [OSCNames]
  /// The text of VRChat's chat box.
  package var chatBox: ValueTemplate?
  package var addresses: [OSCAddress] = []

  package init(names: [OSCNames]) { self.names = names }
}

/// The datagrams of an avatar's parameters, one message each.
///
/// OSC has no absent values. Without a heart rate, `isHRConnected` is false and `HR` is 0; without a stress value,
/// `hasStress` is false and `stress` is 0.
package struct OSCEncoder: OutletEncoder {
  /// Length of the pulse `isHRBeat` in ns.
  static let pulse: Int64 = 100_000_000

  private let content: OSCContent
  private var chatBox: ChatBox?
  private var values = LiveValues.withdrawn
  private var isEven = false
  private var pulseEnd: Int64?

  package init(_ content: OSCContent) {
    self.content = content
    chatBox = content.chatBox.map(ChatBox.init)
  }

  package mutating func encode(_ event: TimedEvent, at now: Int64) -> [[UInt8]] {
    switch event.event {
    case .values(let values):
      self.values = values
      return connected(at: now)
    case .beat(let interval):
      isEven.toggle()
      pulseEnd = now + Self.pulse
      let milliseconds = Int32(clamping: Int(interval.milliseconds.rounded()))
      return datagrams(content.names.flatMap { $0.beat(isEven: isEven, milliseconds: milliseconds) })
    case .marker, .ecg: return []
    }
  }

  package mutating func connected(at now: Int64) -> [[UInt8]] {
    let (bpm, mean) = (values.heartRate ?? 0, values.meanHeartRate ?? 0)
    var messages = content.names.flatMap { $0.heartRate(bpm, mean: mean, isLive: values.isLive) }
    if !content.names.isEmpty { messages += measurement }
    if let battery = values.battery { messages += content.names.flatMap { $0.battery(battery) } }
    messages += content.addresses.map { $0.message(values) }
    chatBox?.update(values)
    return datagrams(messages + (chatBox?.due(at: now) ?? []))
  }

  private var measurement: [OSCMessage] {
    [
      .parameter("hasStress", .bool(values.stress != nil)),
      .parameter("stress", .float(Float((values.stress ?? 0) / 100))),
      .parameter("confidence", .float(Float(values.confidence ?? 0))),
      .parameter("rmssd", .int(Int32(min(max(values.rmssd ?? 0, 0), 255).rounded()))),
    ]
  }

  package var nextDeadline: Int64? { [pulseEnd, chatBox?.nextDeadline].compactMap(\.self).min() }

  package mutating func due(at now: Int64) -> [[UInt8]] {
    let text = chatBox?.due(at: now) ?? []
    guard let pulseEnd, now >= pulseEnd else { return datagrams(text) }
    self.pulseEnd = nil
    return datagrams(content.names.flatMap(\.beatEnd) + text)
  }

  package mutating func closing() -> [[UInt8]] { datagrams(chatBox?.closing() ?? []) + due(at: .max) }

  /// One datagram per address: families share some parameters.
  private func datagrams(_ messages: [OSCMessage]) -> [[UInt8]] {
    guard content.names.count > 1 else { return messages.map(\.bytes) }
    var addresses: Set<String> = []
    return messages.filter { addresses.insert($0.address).inserted }.map(\.bytes)
  }
}
