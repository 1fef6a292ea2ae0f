import DBus

// Device1: its properties, its link, its end (bluez src/device.c).

extension DaemonState {
  func properties(of device: Device) -> [String: DBusValue] {
    let profile = device.strap.profile
    var shown: [String: DBusValue] = [
      "Address": .string(profile.address), "AddressType": .string(profile.addressType),
      // Without a name the alias is the address with dashes.
      "Alias": .string(profile.name ?? profile.address.map { $0 == ":" ? "-" : String($0) }.joined()),
      // A heart rate belt.
      "Appearance": .uint16(0x0341), "Paired": .bool(device.paired), "Bonded": .bool(device.paired),
      "Trusted": .bool(device.trusted),
      "Blocked": .bool(false), "LegacyPairing": .bool(false), "Connected": .bool(device.connected),
      "UUIDs": .strings(profile.advertisedServices), "Adapter": .objectPath(device.adapter.path),
      "ServicesResolved": .bool(device.resolved),
    ]
    if let name = profile.name { shown["Name"] = .string(name) }
    return shown
  }

  // MARK: Calls

  func performDevice(_ call: DBusMessage, _ device: Device) throws(BusError) -> [DBusValue]? {
    switch (call.member, call.signature) {
    case ("Connect", ""): return try connect(call, device)
    case ("Disconnect", ""): return disconnect(call, device)
    case ("Pair", ""): return try pair(call, device)
    case ("CancelPairing", ""): return try cancelPairing(device)
    default: throw .unknown(call, objectExists: true)
    }
  }

  func setDevice(_ device: Device, _ name: String, _ value: DBusValue) throws(BusError) -> [DBusValue] {
    switch (name, value) {
    case ("Trusted", .bool(let trusted)):
      device.trusted = trusted
      store(device)
    case ("Alias", .string), ("Blocked", .bool): break
    case ("Trusted", _), ("Alias", _), ("Blocked", _): throw .invalidSignature(name)
    default:
      throw objects[device.path]?[Interface.device]?[name] == nil ? .noSuchProperty(name) : .readOnly(name)
    }
    publish(device.path, Interface.device, [name: value])
    return []
  }

  private func connect(_ call: DBusMessage, _ device: Device) throws(BusError) -> [DBusValue]? {
    guard device.adapter.powered else { throw .inputOutput }
    // Success on the old link, even while a Disconnect is under way.
    guard !device.connected else { return [] }
    guard device.pendingConnect == nil, device.bonding == nil else { throw .inProgress }
    keep(device)
    let strap = device.strap
    if strap.script.connectFailsDuringDiscovery, device.adapter.isDiscovering { throw .abortedLocally }
    let outcome = strap.script.connects.isEmpty ? .succeeds : strap.script.connects.removeFirst()
    switch outcome {
    case .succeeds: beginConnect(call, device)
    case .claimsSuccess: after(strap.script.connectDelay) { self.reply(call) }
    case .neverAnswered: break
    case .fails(let error, let linkAfter):
      after(strap.script.connectDelay) { self.reply(call, error) }
      if let linkAfter {
        after(strap.script.connectDelay + linkAfter) { [weak device] in
          if let device { self.linkIsUp(device) }
        }
      }
    case .deviceVanishes:
      remove(device)
      throw .unknown(call, objectExists: false)
    }
    return nil
  }

  private func beginConnect(_ call: DBusMessage, _ device: Device) {
    device.pendingConnect = call
    if device.strap.isReachable { reach(device) }
    device.connectTimer = after(device.strap.script.connectTimeout) { [weak device] in
      if let device { self.endConnect(device, .abortedLocally) }
    }
  }

  /// The strap answers: the link is established, and a pending Connect is answered.
  func reach(_ device: Device) {
    let script = device.strap.script
    after(script.connectDelay) { [weak device] in
      guard let device, device.pendingConnect != nil, device.strap.isReachable else { return }
      self.linkIsUp(device)
    }
  }

  private func endConnect(_ device: Device, _ error: BusError?) {
    timers.cancel(device.connectTimer)
    guard let call = device.pendingConnect else { return }
    device.pendingConnect = nil
    if let error { reply(call, error) } else { reply(call) }
  }

  private func disconnect(_ call: DBusMessage, _ device: Device) -> [DBusValue]? {
    endConnect(device, .canceled)
    guard device.connected else { return [] }
    device.pendingDisconnects.append(call)
    scheduleDisconnect(device)
    return nil
  }

  /// Ends the link after a delay, as bluetoothd does for any client.
  func scheduleDisconnect(_ device: Device) {
    guard device.connected, device.disconnectTimer == nil else { return }
    device.disconnectTimer = after(device.strap.script.disconnectDelay) { [weak device] in
      if let device { self.linkIsDown(device, .disconnected) }
    }
  }

  // MARK: The link

  /// Sets Connected, which also answers a pending Connect: at once, or with the services.
  func linkIsUp(_ device: Device) {
    guard devices.contains(where: { $0 === device }), device.adapter.powered, device.strap.link == nil else {
      return
    }
    device.connected = true
    device.strap.link = device
    keep(device)
    publish(device.path, Interface.device, ["Connected": .bool(true)])
    if device.strap.script.resolvesBeforeConnectReply {
      device.whenResolved.append { self.endConnect(device, nil) }
    } else {
      endConnect(device, nil)
    }
    after(device.strap.script.resolveDelay) { [weak device] in if let device { self.resolve(device) } }
  }

  func linkIsDown(_ device: Device, _ end: LinkEnd = .lost(reason: "Timeout")) {
    endConnect(device, .canceled)
    guard device.connected else { return }
    timers.cancel(device.disconnectTimer)
    device.disconnectTimer = nil
    device.connected = false
    device.resolved = false
    device.strap.link = nil
    device.whenResolved = []
    finish(device, .authenticationCanceled)
    announceEnd(device, end)
    suspendSubscribers(device)
    endSensors(device)
    for call in device.pendingDisconnects { reply(call) }
    device.pendingDisconnects = []
    reconsiderPendingConnects(of: device.strap)
  }

  /// The signals in the orders observed with BlueZ 5.66.
  private func announceEnd(_ device: Device, _ end: LinkEnd) {
    let disconnected: [String: DBusValue] = ["Connected": .bool(false)]
    let unresolved: [String: DBusValue] = ["ServicesResolved": .bool(false)]
    switch end {
    case .lost:
      publish(device.path, Interface.device, disconnected)
      publish(device.path, Interface.device, unresolved)
      unexport(device.path, Interface.battery)
    case .disconnected:
      unexport(device.path, Interface.battery)
      publish(device.path, Interface.device, unresolved)
      publish(device.path, Interface.device, disconnected)
    case .poweredOff:
      publish(device.path, Interface.device, disconnected.merging(unresolved) { old, _ in old })
      unexport(device.path, Interface.battery)
    }
    guard options.sendsDisconnected else { return }
    emit(
      device.path, Interface.device, "Disconnected",
      [.string("org.bluez.Reason." + end.reason), .string("Link ended")])
  }

  /// A pending Connect reaches a strap that advertises again.
  func reconsiderPendingConnects(of strap: Strap) {
    guard strap.isReachable else { return }
    for device in devices where device.strap === strap && device.pendingConnect != nil { reach(device) }
  }

  // MARK: The end of a device

  /// Connect and Pair make a device permanent, also in storage.
  func keep(_ device: Device) {
    device.isTemporary = false
    timers.cancel(device.removalTimer)
    store(device)
  }

  func store(_ device: Device) {
    guard !device.isTemporary else { return }
    storage[device.adapter.address, default: [:]][device.strap.profile.address] =
      StoredDevice(paired: device.paired, trusted: device.trusted)
  }

  /// An unused device is removed some time after the discovery.
  func scheduleRemoval(_ device: Device) {
    guard device.isTemporary else { return }
    timers.cancel(device.removalTimer)
    device.removalTimer = after(options.temporaryTimeout) { [weak device] in
      guard let device, device.isTemporary else { return }
      if device.adapter.isDiscovering { return self.scheduleRemoval(device) }
      self.drop(device)
    }
  }

  /// RemoveDevice: ends the link and removes the device from storage.
  func remove(_ device: Device) {
    if device.connected { linkIsDown(device, .disconnected) }
    storage[device.adapter.address]?[device.strap.profile.address] = nil
    drop(device)
  }

  /// Removes only the object.
  func drop(_ device: Device) {
    endConnect(device, .canceled)
    closeAcquired(device.measurement)
    endSensors(device)
    if device.strap.link === device { device.strap.link = nil }
    device.connected = false
    devices.removeAll { $0 === device }
    unexportTree(device.path)
  }
}
