import DBus
import HeartRate
import Platform

/// `org.bluez.Device1`: a strap or any other device.
struct Device: Equatable, Sendable {
  var path: String
  var address: String
  var name: String?
  /// In dBm. Present while a scan receives the device; 127 if the controller does not measure it.
  var rssi: Int16?
  var paired: Bool
  var connected: Bool
  var servicesResolved: Bool
  /// Advertised or found in an earlier connection; in lower case.
  var services: [String]

  static let interface = "org.bluez.Device1"

  init(path: String, properties: ObjectTree.Properties) {
    self.path = path
    address = (properties["Address"]?.string ?? "").uppercased()
    name = properties["Name"]?.string?.asStrapName
    rssi = properties["RSSI"]?.int16
    paired = properties["Paired"]?.bool ?? false
    connected = properties["Connected"]?.bool ?? false
    servicesResolved = properties["ServicesResolved"]?.bool ?? false
    let advertised = properties["ServiceData"]?.dictionary.map { Array($0.keys) } ?? []
    services = ((properties["UUIDs"]?.strings ?? []) + advertised).map { $0.lowercased() }
  }

  var found: FoundStrap {
    FoundStrap(
      strap: StrapIdentity(address: address, name: name), rssi: rssi.flatMap { $0 == 127 ? nil : Int($0) },
      isPaired: paired, isConnected: connected, hasHeartRate: services.contains(GATTUUID.heartRate),
      isAnswering: connected || rssi != nil)
  }
}

/// The objects of Polar's measurement data service (PMD) of a device.
struct SensorCharacteristics: Equatable, Sendable {
  /// Path of the control point.
  var control: String
  /// Path of the data.
  var data: String
  /// Whether a program on this machine receives the data.
  var isShared: Bool
}

/// The UUIDs of services and characteristics in BlueZ's notation.
enum GATTUUID {
  static let heartRate = full("180d")
  static let heartRateMeasurement = full("2a37")
  static let bodySensorLocation = full("2a38")
  /// Polar's measurement data service (PMD): control point and data.
  static let sensorControl = "fb005c81-02e7-f387-1cad-8acd2d8df0c8"
  static let sensorData = "fb005c82-02e7-f387-1cad-8acd2d8df0c8"
  /// The control point of H10 firmware before 3.0, whose protocol differs.
  static let earlierSensorControl = "fb005c52-02e7-f387-1cad-8acd2d8df0c8"

  private static func full(_ short: String) -> String { "0000\(short)-0000-1000-8000-00805f9b34fb" }
}

extension Device {
  func belongs(to adapter: Adapter, _ properties: ObjectTree.Properties) -> Bool {
    path.hasPrefix(adapter.path + "/") || properties["Adapter"]?.objectPath == adapter.path
  }
}

extension ObjectTree {
  /// The devices of `adapter`, sorted by path.
  func devices(of adapter: Adapter) -> [Device] {
    all(with: Device.interface).compactMap { path, properties in
      let device = Device(path: path, properties: properties)
      return device.belongs(to: adapter, properties) ? device : nil
    }
  }

  func device(address: String, of adapter: Adapter) -> Device? {
    devices(of: adapter).first { $0.address == address }
  }

  /// The path of the characteristic `uuid` of `device`, if it exists.
  func characteristic(_ uuid: String, of device: Device) -> String? {
    all(with: "org.bluez.GattCharacteristic1")
      .first { $0.path.hasPrefix(device.path + "/") && $0.properties["UUID"]?.string?.lowercased() == uuid }?
      .path
  }

  /// The sensor characteristics of `device`, if it has any.
  func sensors(of device: Device) -> SensorCharacteristics? {
    guard device.connected, let control = characteristic(GATTUUID.sensorControl, of: device),
      let data = characteristic(GATTUUID.sensorData, of: device)
    else { return nil }
    return SensorCharacteristics(control: control, data: data, isShared: isNotifying(data))
  }

  /// Whether BlueZ reports a subscriber of the characteristic; the property may be outdated.
  func isNotifying(_ characteristic: String) -> Bool {
    properties(of: "org.bluez.GattCharacteristic1", at: characteristic)?["Notifying"]?.bool ?? false
  }

  /// The charge that bluetoothd has read; its battery plug-in hides the service 0x180F.
  func battery(of device: Device) -> BatteryLevel? {
    properties(of: "org.bluez.Battery1", at: device.path)?["Percentage"]?.byte
      .flatMap(BatteryLevel.init(percent:))
  }
}
