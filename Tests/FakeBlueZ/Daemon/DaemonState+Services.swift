import DBus

// What service discovery exports (bluez src/gatt-client.c, profiles/battery).

extension DaemonState {
  /// Service discovery ends as the script says.
  func resolve(_ device: Device) {
    guard device.connected, !device.resolved else { return }
    switch device.strap.script.resolve {
    case .never: return
    case .everything: exportServices(device)
    case .withoutMeasurement: exportServices(device, withMeasurement: false)
    case .measurementLate(let seconds):
      exportServices(device, withMeasurement: false)
      later(seconds, device) { self.exportMeasurement(device) }
    case .flagBeforeObjects(let seconds): later(seconds, device) { self.exportServices(device) }
    case .flagOnly: break
    }
    markResolved(device)
  }

  private func later(_ seconds: Double, _ device: Device, _ body: @escaping () -> Void) {
    after(seconds) { if device.connected { body() } }
  }

  /// The services are signalled with the flag. The battery follows on the first link and precedes it on later ones.
  private func markResolved(_ device: Device) {
    device.resolved = true
    var changed: [String: DBusValue] = ["ServicesResolved": .bool(true)]
    if objects[device.servicePath] != nil { changed["UUIDs"] = .strings(services(of: device)) }
    publish(device.path, Interface.device, changed)
    exportBattery(device)
    for body in device.whenResolved { body() }
    device.whenResolved = []
  }

  private func services(of device: Device) -> [String] {
    [GATT.uuid("1800"), GATT.uuid("1801"), GATT.heartRateService]
      + (device.strap.profile.battery == nil ? [] : [GATT.batteryService])
  }

  /// The objects of both services. They survive a lost link; afterwards only the sessions are registered again.
  private func exportServices(_ device: Device, withMeasurement: Bool = true) {
    let profile = device.strap.profile
    let isKnown = objects[device.servicePath] != nil
    if !isKnown { exportService(device, device.servicePath, GATT.heartRateService) }
    exportSensors(device)
    if withMeasurement { exportMeasurement(device) } else { dropMeasurement(device) }
    if profile.sensorLocation != nil {
      exportCharacteristic(device, device.locationPath, GATT.bodySensorLocation, flags: ["read"])
    }
    if profile.battery != nil, objects[device.batteryServicePath] == nil {
      exportService(device, device.batteryServicePath, GATT.batteryService)
      exportCharacteristic(device, device.batteryPath, GATT.batteryLevel, flags: ["read"])
    }
    if isKnown || device.resolved { exportBattery(device) }
  }

  private func exportBattery(_ device: Device) {
    guard let battery = device.strap.profile.battery, objects[device.batteryServicePath] != nil,
      objects[device.path]?[Interface.battery] == nil
    else { return }
    export(device.path, [Interface.battery: ["Percentage": .byte(battery)]])
  }

  func exportService(_ device: Device, _ path: String, _ uuid: String) {
    export(
      path,
      [
        Interface.service: [
          "UUID": .string(uuid), "Device": .objectPath(device.path), "Primary": .bool(true),
          "Includes": .array(of: "o", []),
        ]
      ])
  }

  private func exportMeasurement(_ device: Device) {
    let measurement = device.measurement ?? Characteristic()
    device.measurement = measurement
    if objects[device.measurementPath] == nil {
      exportCharacteristic(device, device.measurementPath, GATT.heartRateMeasurement, flags: ["notify"])
      export(
        device.measurementPath + "/desc0013",
        [
          Interface.descriptor: [
            "UUID": .string(GATT.configuration), "Characteristic": .objectPath(device.measurementPath),
            "Value": .bytes([]),
          ]
        ])
    }
    registerAgain(device, measurement)
  }

  private func dropMeasurement(_ device: Device) {
    closeAcquired(device.measurement)
    device.measurement = nil
    unexportTree(device.measurementPath)
  }

  func exportCharacteristic(_ device: Device, _ path: String, _ uuid: String, flags: [String]) {
    guard objects[path] == nil else { return }
    let service = path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)
    var properties: [String: DBusValue] = [
      "UUID": .string(uuid), "Service": .objectPath(String(service)), "Value": .bytes([]),
      "Flags": .strings(flags), "MTU": .uint16(device.strap.profile.mtu),
    ]
    if flags.contains("notify") {
      properties["Notifying"] = .bool(false)
      properties["NotifyAcquired"] = .bool(false)
    }
    export(path, [Interface.characteristic: properties])
  }
}
