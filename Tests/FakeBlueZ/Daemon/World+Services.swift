// What service discovery exports (bluez src/gatt-client.c, profiles/battery).

extension World {
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

  private func markResolved(_ device: Device) {
    device.resolved = true
    publish(device.path, Interface.device, ["ServicesResolved": .bool(true)])
    for body in device.whenResolved { body() }
    device.whenResolved = []
  }

  /// The objects of the heart rate service, and the battery. They stay over a lost link; then only the sessions
  /// are registered again.
  private func exportServices(_ device: Device, withMeasurement: Bool = true) {
    let profile = device.strap.profile
    if objects[device.servicePath] == nil {
      let services = [GATT.uuid("1800"), GATT.uuid("1801"), GATT.heartRateService]
      publish(
        device.path, Interface.device,
        ["UUIDs": .strings(services + (profile.battery == nil ? [] : [GATT.batteryService]))])
      export(
        device.servicePath,
        [
          Interface.service: [
            "UUID": .string(GATT.heartRateService), "Device": .path(device.path), "Primary": .bool(true),
            "Includes": .array(of: "o", []),
          ]
        ])
    }
    if withMeasurement { exportMeasurement(device) } else { dropMeasurement(device) }
    if profile.sensorLocation != nil { exportLocation(device) }
    // bluetoothd keeps the battery service for itself.
    if let battery = profile.battery {
      export(
        device.path,
        [Interface.battery: ["Percentage": .byte(battery), "Source": .string("GATT Battery Service")]])
    }
  }

  private func exportMeasurement(_ device: Device) {
    let measurement = device.measurement ?? Characteristic()
    device.measurement = measurement
    if objects[device.measurementPath] == nil {
      exportCharacteristic(device, device.measurementPath, GATT.heartRateMeasurement, flags: ["notify"])
      publish(
        device.measurementPath, Interface.characteristic,
        ["Notifying": .bool(measurement.notifying), "NotifyAcquired": .bool(false)])
      export(
        device.measurementPath + "/desc0013",
        [
          Interface.descriptor: [
            "UUID": .string(GATT.configuration), "Characteristic": .path(device.measurementPath),
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

  private func exportLocation(_ device: Device) {
    guard objects[device.locationPath] == nil else { return }
    exportCharacteristic(device, device.locationPath, GATT.bodySensorLocation, flags: ["read"])
  }

  private func exportCharacteristic(_ device: Device, _ path: String, _ uuid: String, flags: [String]) {
    var properties: [String: DBusValue] = [
      "UUID": .string(uuid), "Service": .path(device.servicePath), "Value": .bytes([]),
      "Flags": .strings(flags), "MTU": .uint16(device.strap.profile.mtu),
    ]
    if flags.contains("notify") {
      properties["Notifying"] = .bool(false)
      properties["NotifyAcquired"] = .bool(false)
    }
    export(path, [Interface.characteristic: properties])
  }
}
