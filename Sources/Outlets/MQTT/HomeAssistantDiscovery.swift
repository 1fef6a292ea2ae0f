import JSONLines
import Platform
import Stress

/// The discovery message of Home Assistant: one device with one sensor per value.
///
/// https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
struct HomeAssistantDiscovery {
  /// Seconds after which a sensor without a new state becomes unavailable: three states are missing.
  static let expiry = 30

  let device: OutletIdentity

  struct Sensor {
    var key: String
    var name: String
    var stateKey: String
    var unit: String?
    var deviceClass: String?
    var icon: String?
    var decimals: Int?
    var isDiagnostic = false

    /// A text has no unit and no statistics.
    var isNumber: Bool { deviceClass != "enum" }
  }

  static let sensors = [
    Sensor(
      key: "heart_rate", name: "Heart rate", stateKey: "hr_bpm", unit: "bpm", icon: "mdi:heart-pulse",
      decimals: 0),
    Sensor(
      key: "rmssd", name: "RMSSD", stateKey: "rmssd_ms", unit: "ms", deviceClass: "duration",
      icon: "mdi:heart-flash", decimals: 0),
    Sensor(
      key: "sdnn", name: "SDNN", stateKey: "sdnn_ms", unit: "ms", deviceClass: "duration",
      icon: "mdi:heart-flash", decimals: 0),
    Sensor(key: "stress", name: "Stress", stateKey: "stress", unit: "%", icon: "mdi:gauge", decimals: 0),
    Sensor(
      key: "category", name: "Stress category", stateKey: "category", deviceClass: "enum", icon: "mdi:leaf"),
    Sensor(
      key: "confidence", name: "Confidence", stateKey: "confidence", icon: "mdi:check-decagram", decimals: 2),
    Sensor(
      key: "battery", name: "Battery", stateKey: "battery_percent", unit: "%", deviceClass: "battery",
      decimals: 0, isDiagnostic: true),
  ]

  var payload: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("device") { line in
        line.put("identifiers", texts: [uniqueID])
        line.put("name", "Heart rate strap")
        line.put("manufacturer", "stressmon")
        line.put("sw_version", programVersion)
      }
      line.put("origin") { line in
        line.put("name", "stressmon")
        line.put("sw_version", programVersion)
      }
      line.put("components") { line in
        for sensor in Self.sensors { line.put(sensor.key) { put(sensor, into: &$0) } }
      }
      line.put("state_topic", device.state)
      line.put("availability", objects: [device.status, device.link]) { $0.put("topic", $1) }
      line.put("availability_mode", "all")
      line.put("qos", 0)
    }
    return line.bytes.dropLast()
  }

  private var uniqueID: String { "stressmon_\(device.id)" }

  private func put(_ sensor: Sensor, into line: inout JSONLine) {
    line.put("platform", "sensor")
    line.put("unique_id", "\(uniqueID)_\(sensor.key)")
    line.put("default_entity_id", "sensor.stressmon_\(sensor.key)")
    line.put("name", sensor.name)
    line.put("value_template", "{{ value_json.\(sensor.stateKey) }}")
    if let deviceClass = sensor.deviceClass { line.put("device_class", deviceClass) }
    if let unit = sensor.unit { line.put("unit_of_measurement", unit) }
    if sensor.isNumber {
      line.put("state_class", "measurement")
    } else {
      line.put("options", texts: StressCategory.allCases.map(\.rawValue))
    }
    if let decimals = sensor.decimals { line.put("suggested_display_precision", decimals) }
    if sensor.isDiagnostic { line.put("entity_category", "diagnostic") }
    if let icon = sensor.icon { line.put("icon", icon) }
    line.put("expire_after", Self.expiry)
  }
}

/// The topics of a device. None contains a wildcard, because each is derived from the escaped identity.
extension OutletIdentity {
  static let discoveryPrefix = "homeassistant"
  /// Home Assistant publishes `online` here when it has started.
  static let homeAssistantStatus = discoveryPrefix + "/status"

  var config: String { "\(Self.discoveryPrefix)/device/stressmon_\(id)/config" }
  var state: String { "stressmon/\(id)/state" }
  /// `online` while the program is connected to the broker; `offline` is the Last Will.
  var status: String { "stressmon/\(id)/status" }
  /// `online` while the values of the strap are live.
  var link: String { "stressmon/\(id)/link" }
}
