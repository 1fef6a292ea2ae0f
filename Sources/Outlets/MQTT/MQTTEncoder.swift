import JSONLines
import LiveSession
import Stress

/// The values of a night.
package struct NightValues: Equatable, Sendable {
  /// In ms.
  package var rmssd: Double
  /// In bpm.
  package var heartRate: Double
  /// Length of the window of sleep.
  package var hours: Double
  /// The local day of its end, such as `2026-11-21`.
  package var day: String

  package init(rmssd: Double, heartRate: Double, hours: Double, day: String) {
    (self.rmssd, self.heartRate, self.hours, self.day) = (rmssd, heartRate, hours, day)
  }
}

/// Reads the latest night that counts.
package typealias LastNight = @Sendable () -> NightValues?

/// The messages of a device of Home Assistant: discovery, availability, a JSON state at an interval and when the category
/// changes, and the properties of the device.
package struct MQTTEncoder: OutletEncoder {
  private let device: MQTTDevice
  private let lastNight: LastNight?
  private var night: NightValues?
  private var nextNight: Int64?
  private var values = LiveValues.withdrawn
  /// The latest charge of the battery in percent, also after the session.
  private var battery: Int?
  private var sentProperties: [UInt8] = []
  /// Time of the next state in ns, while the values are live.
  private var nextState: Int64?

  /// - Parameter lastNight: reads the latest night that counts; without it, nights are not announced.
  package init(device: MQTTDevice, lastNight: LastNight? = nil) {
    (self.device, self.lastNight) = (device, lastNight)
  }

  /// Time between two readings of the last night in ns.
  private static let nightInterval: Int64 = 600_000_000_000

  /// Time between two states in ns: slightly less than the interval, so that a slow machine keeps it.
  var interval: Int64 { Int64(device.interval) * 1_000_000_000 * 19 / 20 }

  package mutating func encode(_ event: TimedEvent, at now: Int64) -> [MQTTMessage] {
    guard case .values(let new) = event.event else { return [] }
    let old = values
    values = new
    battery = new.battery ?? battery
    return changedProperties() + liveMessages(old, at: now)
  }

  private mutating func liveMessages(_ old: LiveValues, at now: Int64) -> [MQTTMessage] {
    guard values.isLive else {
      nextState = nil
      return old.isLive ? [link, state] : []
    }
    guard old.isLive else { return [link] + publishState(at: now) }
    return values.category == old.category ? due(at: now) : publishState(at: now)
  }

  /// Discovery, properties and availability, and the state while it is live. The strap's availability precedes that of the
  /// program: it replaces a retained one of an earlier run before that counts.
  package mutating func connected(at now: Int64) -> [MQTTMessage] {
    let config = MQTTMessage.retained(
      device.config, HomeAssistantDiscovery(device: device, hasNights: lastNight != nil).payload)
    sentProperties = properties
    night = nil
    return [
      config, .retained(device.properties, sentProperties), link, .retained(device.status, Self.online),
    ]
      + (values.isLive ? publishState(at: now) : []) + changedNight(at: now)
  }

  package var nextDeadline: Int64? { [nextState, nextNight].compactMap(\.self).min() }

  package mutating func due(at now: Int64) -> [MQTTMessage] {
    let nights = nextNight.map { now >= $0 } == true ? changedNight(at: now) : []
    guard let nextState, now >= nextState else { return nights }
    return publishState(at: now) + nights
  }

  private mutating func changedNight(at now: Int64) -> [MQTTMessage] {
    guard let lastNight else { return [] }
    nextNight = now + Self.nightInterval
    guard let new = lastNight(), new != night else { return [] }
    night = new
    var line = JSONLine()
    line.line { line in
      line.put("rmssd_ms", Int(new.rmssd.rounded()))
      line.put("hr_bpm", Int(new.heartRate.rounded()))
      line.put("sleep_h", (new.hours * 10).rounded() / 10)
      line.put("day", new.day)
    }
    return [.value(device.night, line.bytes.dropLast())]
  }

  package mutating func closing() -> [MQTTMessage] { [.retained(device.status, Self.offline)] }

  private mutating func publishState(at now: Int64) -> [MQTTMessage] {
    nextState = now + interval
    return [state]
  }

  private var link: MQTTMessage { .retained(device.link, values.isLive ? Self.online : Self.offline) }

  /// Rounded as all outputs show them: a second rounding of more decimals could differ.
  private var state: MQTTMessage {
    var line = JSONLine()
    line.line { line in
      line.put("hr_bpm", values.heartRate)
      line.put("rmssd_ms", values.rmssd.map { Int($0.rounded()) })
      line.put("sdnn_ms", values.sdnn.map { Int($0.rounded()) })
      line.put("stress", values.stress.map { Int($0.rounded()) })
      line.put("category", values.category?.rawValue)
      line.put("confidence", values.confidence.map { ($0 * 100).rounded() / 100 })
      line.put("battery_percent", values.battery)
    }
    return .value(device.state, line.bytes.dropLast())
  }

  private mutating func changedProperties() -> [MQTTMessage] {
    let new = properties
    guard new != sentProperties else { return [] }
    sentProperties = new
    return [.retained(device.properties, new)]
  }

  /// Contains no health values, because brokers keep it.
  private var properties: [UInt8] {
    var line = JSONLine()
    line.line { line in
      if let name = device.name { line.put("person", name) }
      line.put("battery_percent", battery)
      line.put("connected", values.session?.isConnected ?? false)
      line.put("worn", values.session.map { $0.isConnected ? $0.isWorn : nil } ?? nil)
      line.put("measuring", values.session != nil)
    }
    return line.bytes.dropLast()
  }

  static let online = Array("online".utf8)
  static let offline = Array("offline".utf8)
}

/// Removes the retained messages of a device: an empty message for each topic.
package struct MQTTRemovalEncoder: OutletEncoder {
  let device: MQTTDevice

  package func encode(_ event: TimedEvent, at now: Int64) -> [MQTTMessage] { [] }

  package func connected(at now: Int64) -> [MQTTMessage] {
    device.retainedTopics.map { .retained($0, []) }
  }
}
