import DBus

// Adapter1 and discovery (bluez src/adapter.c).

extension DaemonState {
  // MARK: Adding and removing

  /// Exports an adapter and its stored devices.
  func show(_ adapter: Adapter) {
    var properties: [String: DBusValue] = [
      "Address": .string(adapter.address), "AddressType": .string("public"),
      "Name": .string("stressmon test"), "Alias": .string("stressmon test"), "Class": .uint32(0),
      "Powered": .bool(adapter.powered),
      "Discoverable": .bool(false), "DiscoverableTimeout": .uint32(180), "Pairable": .bool(true),
      "PairableTimeout": .uint32(0), "Discovering": .bool(false), "UUIDs": .strings([]),
      "Modalias": .string("usb:v1D6Bp0246d0542"), "Roles": .strings(["central", "peripheral"]),
    ]
    if options.showsPowerState { properties["PowerState"] = .string(adapter.powerState) }
    export(adapter.path, [Interface.adapter: properties])
    for strap in straps { showIfStored(strap, adapter) }
  }

  func showIfStored(_ strap: Strap, _ adapter: Adapter) {
    guard let stored = storage[adapter.address]?[strap.profile.address] else { return }
    let device = Device(adapter: adapter, strap: strap)
    device.isTemporary = false
    device.paired = stored.paired
    device.trusted = stored.trusted
    devices.append(device)
    export(device.path, [Interface.device: properties(of: device)])
  }

  /// Removes an adapter and its devices, as if unplugged.
  func hide(_ adapter: Adapter) {
    for device in devices where device.adapter === adapter {
      if device.connected { linkIsDown(device) }
      drop(device)
    }
    timers.cancel(adapter.scan)
    adapter.sessions = []
    adapter.filters = [:]
    unexport(adapter.path)
  }

  // MARK: Calls

  func performAdapter(_ call: DBusMessage, _ adapter: Adapter) throws(BusError) -> [DBusValue]? {
    switch (call.member, call.signature) {
    case ("StartDiscovery", ""): return try startDiscovery(call, adapter)
    case ("StopDiscovery", ""): try stopDiscovery(call, adapter)
    case ("SetDiscoveryFilter", "a{sv}"): try setFilter(call, adapter)
    case ("GetDiscoveryFilters", ""):
      return [
        .strings(["UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"])
      ]
    case ("RemoveDevice", "o"): try removeDevice(call, adapter)
    default: throw .unknown(call, objectExists: true)
    }
    return []
  }

  private func removeDevice(_ call: DBusMessage, _ adapter: Adapter) throws(BusError) {
    let path = call.arguments[0].text
    guard let device = devices.first(where: { $0.path == path && $0.adapter === adapter }) else {
      throw .doesNotExist
    }
    guard adapter.powered else { throw .notReady }
    remove(device)
  }

  // MARK: Power

  func setAdapter(_ adapter: Adapter, _ name: String, _ value: DBusValue) throws(BusError) -> [DBusValue] {
    switch (name, value) {
    case ("Powered", .bool(let on)):
      guard !(on && adapter.isBlocked) else { throw .blocked }
      power(adapter, on: on)
    case ("Alias", .string), ("Discoverable", .bool), ("Pairable", .bool):
      publish(adapter.path, Interface.adapter, [name: value])
    case ("Powered", _), ("Alias", _), ("Discoverable", _), ("Pairable", _): throw .invalidSignature(name)
    default:
      throw objects[adapter.path]?[Interface.adapter]?[name] == nil ? .noSuchProperty(name) : .readOnly(name)
    }
    return []
  }

  /// Off: links end, then Powered becomes false, and every discovery ends. The device objects remain.
  func power(_ adapter: Adapter, on: Bool) {
    guard adapter.powered != on else { return }
    if !on {
      publishPowerState(adapter, "on-disabling")
      for device in devices where device.adapter === adapter { linkIsDown(device, .poweredOff) }
      for client in adapter.sessions { endDiscovery(of: client, on: adapter) }
    } else {
      publishPowerState(adapter, "off-enabling")
    }
    adapter.powered = on
    publishPower(adapter)
  }

  /// rfkill: a blocked adapter is off, and stays off when unblocked.
  func block(_ adapter: Adapter, _ blocked: Bool) {
    if blocked { power(adapter, on: false) }
    adapter.isBlocked = blocked
    publishPower(adapter)
  }

  private func publishPower(_ adapter: Adapter) {
    publish(adapter.path, Interface.adapter, ["Powered": .bool(adapter.powered)])
    publishPowerState(adapter, adapter.powerState)
  }

  private func publishPowerState(_ adapter: Adapter, _ state: String) {
    guard options.showsPowerState else { return }
    publish(adapter.path, Interface.adapter, ["PowerState": .string(state)])
  }

  // MARK: Discovery

  private func startDiscovery(_ call: DBusMessage, _ adapter: Adapter) throws(BusError) -> [DBusValue]? {
    guard adapter.powered else { throw .notReady }
    guard !adapter.sessions.contains(call.sender) else { throw .busy }
    let isFirst = adapter.sessions.isEmpty
    adapter.sessions.insert(call.sender)
    if isFirst { publish(adapter.path, Interface.adapter, ["Discovering": .bool(true)]) }
    timers.cancel(adapter.scan)
    adapter.scan = after(options.firstAdvertisement) { [weak adapter] in
      if let adapter { self.hearAdvertisements(adapter) }
    }
    guard options.discoveryDelay > 0 else { return [] }
    adapter.starting.insert(call.sender)
    after(options.discoveryDelay) { [weak adapter] in
      adapter?.starting.remove(call.sender)
      self.reply(call)
    }
    return nil
  }

  private func stopDiscovery(_ call: DBusMessage, _ adapter: Adapter) throws(BusError) {
    guard adapter.powered else { throw .notReady }
    guard adapter.sessions.contains(call.sender) else { throw .noDiscovery }
    guard !adapter.starting.contains(call.sender) else { throw .busy }
    endDiscovery(of: call.sender, on: adapter)
  }

  /// Ends one client's discovery. The end of the last one removes the signal strengths and schedules the removal of unused
  /// devices.
  func endDiscovery(of client: String, on adapter: Adapter) {
    adapter.sessions.remove(client)
    guard adapter.sessions.isEmpty else { return }
    timers.cancel(adapter.scan)
    for device in devices where device.adapter === adapter {
      if objects[device.path]?[Interface.device]?["RSSI"] != nil {
        publish(device.path, Interface.device, [:], invalidated: ["RSSI"])
      }
      scheduleRemoval(device)
    }
    publish(adapter.path, Interface.adapter, ["Discovering": .bool(false)])
  }

  private func setFilter(_ call: DBusMessage, _ adapter: Adapter) throws(BusError) {
    var filter = DiscoveryFilter()
    let given = call.arguments[0].dictionary ?? [:]
    for (name, value) in given {
      switch (name, value) {
      case ("UUIDs", .array("s", let list)): filter.uuids = list.compactMap(\.text).map(fullUUID)
      case ("RSSI", .int16(let bound)): filter.rssi = bound
      case ("Pattern", .string(let pattern)): filter.pattern = pattern
      case ("Transport", .string("le")), ("Transport", .string("auto")), ("Transport", .string("bredr")),
        ("Pathloss", .uint16), ("DuplicateData", .bool), ("Discoverable", .bool):
        break
      default: throw .invalidArguments
      }
    }
    adapter.filters[call.sender] = given.isEmpty ? nil : filter
  }

  private func fullUUID(_ text: String) -> String {
    let lower = text.lowercased()
    return lower.count == 4 ? GATT.uuid(lower) : lower
  }

  /// Sends one round of advertisements and schedules the next.
  private func hearAdvertisements(_ adapter: Adapter) {
    guard adapter.isDiscovering else { return }
    for strap in straps where strap.isReachable && passes(strap, adapter) { hear(strap, adapter) }
    adapter.scan = after(options.advertisementInterval) { [weak adapter] in
      if let adapter { self.hearAdvertisements(adapter) }
    }
  }

  /// The filters of all clients are merged: a device that matches one filter is reported to all clients.
  private func passes(_ strap: Strap, _ adapter: Adapter) -> Bool {
    adapter.sessions.contains { client in
      guard let filter = adapter.filters[client] else { return strap.profile.isDiscoverable }
      let services = strap.profile.advertisedServices
      return (filter.uuids.isEmpty || filter.uuids.contains { services.contains($0) })
        && (filter.rssi.map { strap.profile.rssi >= $0 } ?? true)
        && (filter.pattern.map {
          (strap.profile.name ?? "").hasPrefix($0) || strap.profile.address.hasPrefix($0)
        }
          ?? true)
    }
  }

  private func hear(_ strap: Strap, _ adapter: Adapter) {
    if let device = devices.first(where: { $0.strap === strap && $0.adapter === adapter }) {
      // BlueZ reports a change of 8 dBm and more.
      let shown = objects[device.path]?[Interface.device]?["RSSI"]
      let other = strap.profile.rssi - 8
      let next = shown == .int16(strap.profile.rssi) ? other : strap.profile.rssi
      publish(device.path, Interface.device, ["RSSI": .int16(next)])
    } else {
      let device = Device(adapter: adapter, strap: strap)
      devices.append(device)
      var shown = properties(of: device)
      shown["RSSI"] = .int16(strap.profile.rssi)
      export(device.path, [Interface.device: shown])
    }
  }
}
