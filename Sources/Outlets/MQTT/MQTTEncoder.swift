import JSONLines
import LiveSession
import Stress

/// The messages of a device of Home Assistant: discovery, availability, and a JSON state every ten seconds and when the
/// category changes.
package struct MQTTEncoder: OutletEncoder {
  /// Time between two states in ns: they are at most 10 s apart.
  static let interval: Int64 = 9_500_000_000

  private let device: OutletIdentity
  private var values = LiveValues.withdrawn
  /// Time of the next state in ns, while the values are live.
  private var nextState: Int64?

  package init(device: OutletIdentity) { self.device = device }

  package mutating func encode(_ event: TimedEvent, at now: Int64) -> [MQTTMessage] {
    guard case .values(let new) = event.event else { return [] }
    let old = values
    values = new
    guard new.isLive else {
      nextState = nil
      return old.isLive ? [link, state] : []
    }
    guard old.isLive else { return [link] + publishState(at: now) }
    return new.category == old.category ? due(at: now) : publishState(at: now)
  }

  /// Discovery and availability, and the state while it is live. The strap's availability precedes that of the program: it
  /// replaces a retained one of an earlier run before that counts.
  package mutating func connected(at now: Int64) -> [MQTTMessage] {
    let config = MQTTMessage.retained(device.config, HomeAssistantDiscovery(device: device).payload)
    return [config, link, .retained(device.status, Self.online)]
      + (values.isLive ? publishState(at: now) : [])
  }

  package var nextDeadline: Int64? { nextState }

  package mutating func due(at now: Int64) -> [MQTTMessage] {
    guard let nextState, now >= nextState else { return [] }
    return publishState(at: now)
  }

  package mutating func closing() -> [MQTTMessage] { [.retained(device.status, Self.offline)] }

  private mutating func publishState(at now: Int64) -> [MQTTMessage] {
    nextState = now + Self.interval
    return [state]
  }

  private var link: MQTTMessage { .retained(device.link, values.isLive ? Self.online : Self.offline) }

  private var state: MQTTMessage {
    var line = JSONLine()
    line.line { line in
      line.put("hr_bpm", values.heartRate)
      line.put("rmssd_ms", values.rmssd)
      line.put("sdnn_ms", values.sdnn)
      line.put("stress", values.stress)
      line.put("category", values.category?.rawValue)
      line.put("confidence", values.confidence)
      line.put("battery_percent", values.battery)
    }
    return .value(device.state, line.bytes.dropLast())
  }

  static let online = Array("online".utf8)
  static let offline = Array("offline".utf8)
}
