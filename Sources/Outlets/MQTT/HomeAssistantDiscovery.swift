import JSONLines
import Platform
import Stress

/// The discovery message of Home Assistant: one device with an entity per value, state and command.
///
/// Device discovery requires Home Assistant 2024.11 or later, and `default_entity_id` 2025.10 or later.
/// https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
struct HomeAssistantDiscovery {
  /// Seconds after which a sensor without a new state becomes unavailable: three states are missing.
  var expiry: Int { max(30, 3 * device.interval) }

  let device: MQTTDevice
  /// Whether the values of the last night are published.
  var hasNights = false

  /// An entity. A sensor of the state is available while the values are live; those of the device, and all others, while the
  /// program is connected.
  struct Entity {
    var key: String
    var name: String
    var platform = "sensor"
    /// The template of a sensor, or the payload of a button.
    var content: String
    var unit: String?
    var deviceClass: String?
    var icon: String?
    var decimals: Int?
    var isDiagnostic = false
    var isLive = true
    var isNight = false

    static func value(
      _ key: String, _ name: String, _ stateKey: String, unit: String? = nil, deviceClass: String? = nil,
      icon: String, decimals: Int? = 0
    ) -> Entity {
      Entity(
        key: key, name: name, content: "{{ value_json.\(stateKey) }}", unit: unit, deviceClass: deviceClass,
        icon: icon, decimals: decimals)
    }

    static func state(_ key: String, _ name: String, deviceClass: String? = nil, icon: String? = nil)
      -> Entity
    {
      Entity(
        key: key, name: name, platform: "binary_sensor",
        content: "{{ none if value_json.\(key) is none else ('ON' if value_json.\(key) else 'OFF') }}",
        deviceClass: deviceClass, icon: icon, isDiagnostic: true, isLive: false)
    }

    static func night(
      _ key: String, _ name: String, unit: String, deviceClass: String? = nil, icon: String, decimals: Int = 0
    ) -> Entity {
      Entity(
        key: "night_\(key)", name: name, content: "{{ value_json.\(key) }}", unit: unit,
        deviceClass: deviceClass, icon: icon, decimals: decimals, isLive: false, isNight: true)
    }

    static func button(_ command: OutletCommand, _ name: String, icon: String) -> Entity {
      Entity(
        key: command.rawValue, name: name, platform: "button", content: command.rawValue, icon: icon,
        isLive: command == .mark)
    }
  }

  static let values: [Entity] = [
    .value("heart_rate", "Heart rate", "hr_bpm", unit: "bpm", icon: "mdi:heart-pulse"),
    .value("rmssd", "RMSSD", "rmssd_ms", unit: "ms", deviceClass: "duration", icon: "mdi:heart-flash"),
    .value("sdnn", "SDNN", "sdnn_ms", unit: "ms", deviceClass: "duration", icon: "mdi:heart-flash"),
    .value("stress", "Stress", "stress", unit: "%", icon: "mdi:gauge"),
    .value("category", "Stress category", "category", deviceClass: "enum", icon: "mdi:leaf", decimals: nil),
    .value("confidence", "Confidence", "confidence", icon: "mdi:check-decagram", decimals: 2),
  ]

  static let states: [Entity] = [
    Entity(
      key: "battery", name: "Battery", content: "{{ value_json.battery_percent }}", unit: "%",
      deviceClass: "battery", decimals: 0, isDiagnostic: true, isLive: false),
    .state("connected", "Strap connected", deviceClass: "connectivity"),
    .state("worn", "Strap worn", icon: "mdi:account-check"),
    .state("measuring", "Measuring", deviceClass: "running"),
  ]

  static let nights: [Entity] = [
    .night("rmssd_ms", "RMSSD of the last night", unit: "ms", deviceClass: "duration", icon: "mdi:sleep"),
    .night("hr_bpm", "Heart rate of the last night", unit: "bpm", icon: "mdi:sleep"),
    .night(
      "sleep_h", "Length of the last night", unit: "h", deviceClass: "duration", icon: "mdi:sleep",
      decimals: 1),
  ]

  static let person = Entity(
    key: "person", name: "Person", content: "{{ value_json.person }}", icon: "mdi:account",
    isDiagnostic: true,
    isLive: false)

  static let buttons: [Entity] = [
    .button(.mark, "Mark", icon: "mdi:bookmark-plus"),
    .button(.measure, "Start a reading", icon: "mdi:play"),
    .button(.breathe, "Breathe", icon: "mdi:weather-windy"),
  ]

  private var entities: [Entity] {
    Self.values + Self.states + (hasNights ? Self.nights : []) + (device.name == nil ? [] : [Self.person])
      + (device.acceptsCommands ? Self.buttons : [])
  }

  var payload: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("device") { line in
        line.put("identifiers", texts: [uniqueID])
        line.put("name", device.name ?? "Heart rate strap")
        line.put("manufacturer", "stressmon")
        line.put("model", "Heart rate strap")
        line.put("sw_version", programVersion)
        if let page = device.page { line.put("configuration_url", page) }
      }
      line.put("origin") { line in
        line.put("name", "stressmon")
        line.put("sw_version", programVersion)
      }
      line.put("components") { line in
        for entity in entities { line.put(entity.key) { put(entity, into: &$0) } }
      }
      line.put("state_topic", device.state)
      line.put("availability", objects: [device.status, device.link]) { $0.put("topic", $1) }
      line.put("availability_mode", "all")
      line.put("qos", 0)
    }
    return line.bytes.dropLast()
  }

  private var uniqueID: String { "stressmon_\(device.identity.id)" }

  private func put(_ entity: Entity, into line: inout JSONLine) {
    line.put("platform", entity.platform)
    line.put("unique_id", "\(uniqueID)_\(entity.key)")
    line.put("default_entity_id", "\(entity.platform).\(device.entityPrefix)_\(entity.key)")
    line.put("name", entity.name)
    if entity.platform == "button" {
      line.put("command_topic", device.command)
      line.put("payload_press", entity.content)
    } else {
      line.put("value_template", entity.content)
    }
    if let deviceClass = entity.deviceClass { line.put("device_class", deviceClass) }
    if let unit = entity.unit { line.put("unit_of_measurement", unit) }
    if entity.decimals != nil { line.put("state_class", "measurement") }
    if entity.deviceClass == "enum" { line.put("options", texts: StressCategory.allCases.map(\.rawValue)) }
    if let decimals = entity.decimals { line.put("suggested_display_precision", decimals) }
    if entity.isDiagnostic { line.put("entity_category", "diagnostic") }
    if let icon = entity.icon { line.put("icon", icon) }
    if !entity.isLive {
      if entity.platform != "button" {
        line.put("state_topic", entity.isNight ? device.night : device.properties)
      }
      line.put("availability", objects: [device.status]) { $0.put("topic", $1) }
    } else if entity.platform == "sensor" {
      line.put("expire_after", expiry)
    }
  }
}
