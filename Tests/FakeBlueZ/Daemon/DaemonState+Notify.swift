import DBus
import Glibc

// GattCharacteristic1: reads, notify sessions, and what the strap sends (bluez src/gatt-client.c).

extension DaemonState {
  func performCharacteristic(_ call: DBusMessage, _ device: Device) throws(BusError) -> [DBusValue]? {
    if call.path == device.sensorControlPath || call.path == device.sensorDataPath {
      return try performSensors(call, device)
    }
    switch (call.member, call.signature) {
    case ("ReadValue", "a{sv}"): return try readValue(call, device)
    // No characteristic here has a write flag.
    case ("WriteValue", "aya{sv}"): throw .notSupported
    default: break
    }
    guard call.path == device.measurementPath, let measurement = device.measurement else {
      throw .notSupported
    }
    switch (call.member, call.signature) {
    case ("StartNotify", ""): return try startNotify(call, device, measurement)
    case ("StopNotify", ""): return try stopNotify(call, device, measurement)
    case ("AcquireNotify", "a{sv}"): return try acquireNotify(call, device, measurement)
    default: throw .unknown(call, objectExists: true)
    }
  }

  private func readValue(_ call: DBusMessage, _ device: Device) throws(BusError) -> [DBusValue] {
    guard device.connected else { throw .gattNotConnected }
    let profile = device.strap.profile
    let values = [device.locationPath: profile.sensorLocation, device.batteryPath: profile.battery]
    guard let value = values[call.path] ?? nil else { throw .notPermitted("Read not permitted") }
    publish(call.path, Interface.characteristic, ["Value": .bytes([value])])
    return [.bytes([value])]
  }

  // MARK: StartNotify and StopNotify

  private func startNotify(
    _ call: DBusMessage, _ device: Device, _ measurement: Characteristic
  ) throws(BusError) -> [DBusValue]? {
    guard device.disconnectTimer == nil else { throw .notConnected }
    guard measurement.acquired == nil else { throw .notifyAcquired }
    if let own = measurement.subscribers.first(where: { $0.client == call.sender }) {
      guard own.isRegistered else { throw .inProgress }
      return []
    }
    let script = device.strap.script
    let outcome = script.notifies.isEmpty ? .succeeds : device.strap.script.notifies.removeFirst()
    switch outcome {
    case .neverAnswered: return nil
    case .fails(let error): throw error
    case .silent: measurement.isSilent = true
    case .succeeds: break
    }
    measurement.subscribers.append(.init(client: call.sender, isRegistered: false))
    // Without a link it is registered on the next one.
    guard device.connected else { return [] }
    try secure(call, device) { error in
      if let error {
        measurement.subscribers.removeAll { $0.client == call.sender }
        self.reply(call, error)
      } else if script.notifyDelay > 0 {
        self.after(script.notifyDelay) { self.register(call, device, measurement) }
      } else {
        self.register(call, device, measurement)
      }
    }
    return nil
  }

  private func register(_ call: DBusMessage, _ device: Device, _ measurement: Characteristic) {
    guard device.connected,
      let index = measurement.subscribers.firstIndex(where: { $0.client == call.sender })
    else { return }
    measurement.subscribers[index].isRegistered = true
    setNotifying(device, measurement, true)
    reply(call)
  }

  /// Applies the strap's security to a subscription.
  private func secure(
    _ call: DBusMessage, _ device: Device, then finished: @escaping (BusError?) -> Void
  ) throws(BusError) {
    guard !device.paired else { return finished(nil) }
    switch device.strap.profile.security {
    case .open: finished(nil)
    case .pairedOnly:
      device.measurement?.subscribers.removeAll { $0.client == call.sender }
      throw .notPaired
    case .pairsOnDemand: pairOnDemand(call, device, finished)
    }
  }

  private func stopNotify(
    _ call: DBusMessage, _ device: Device, _ measurement: Characteristic
  ) throws(BusError) -> [DBusValue] {
    if measurement.acquired?.client == call.sender {
      releaseAcquired(device, measurement)
      return []
    }
    guard measurement.subscribers.contains(where: { $0.client == call.sender }) else {
      throw .noNotifySession
    }
    unsubscribe(call.sender, device, measurement)
    return []
  }

  func unsubscribe(_ client: String, _ device: Device, _ measurement: Characteristic) {
    measurement.subscribers.removeAll { $0.client == client }
    if measurement.subscribers.isEmpty { setNotifying(device, measurement, false) }
  }

  private func setNotifying(_ device: Device, _ measurement: Characteristic, _ notifying: Bool) {
    guard measurement.notifying != notifying else { return }
    measurement.notifying = notifying
    publish(device.measurementPath, Interface.characteristic, ["Notifying": .bool(notifying)])
  }

  // MARK: A lost link

  /// The sessions outlive the link, unregistered; Notifying stays as it was. An acquired socket ends.
  func suspendSubscribers(_ device: Device) {
    guard let measurement = device.measurement else { return }
    for index in measurement.subscribers.indices { measurement.subscribers[index].isRegistered = false }
    measurement.isSilent = false
    if measurement.acquired != nil { releaseAcquired(device, measurement) }
  }

  func registerAgain(_ device: Device, _ measurement: Characteristic) {
    guard !measurement.subscribers.isEmpty else { return }
    switch device.strap.script.sessionsAfterReconnect {
    case .freedSilently: measurement.subscribers = []
    case .registeredAgain:
      for index in measurement.subscribers.indices { measurement.subscribers[index].isRegistered = true }
      setNotifying(device, measurement, true)
    }
  }

  // MARK: AcquireNotify

  private func acquireNotify(
    _ call: DBusMessage, _ device: Device, _ measurement: Characteristic
  ) throws(BusError) -> [DBusValue]? {
    guard measurement.acquired == nil else { throw .notifyAcquired }
    guard measurement.subscribers.isEmpty else { throw .inProgress }
    guard device.connected else { throw .gattNotConnected }
    let acquires = device.strap.script.acquires
    let outcome = acquires.isEmpty ? .succeeds : device.strap.script.acquires.removeFirst()
    switch outcome {
    case .neverAnswered: return nil
    case .fails(let error): throw error
    case .silent: measurement.isSilent = true
    case .succeeds: break
    }
    var ends: [CInt] = [-1, -1]
    let kind = CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .failed("Too many open files") }
    // The message holds its own copy of the descriptor.
    defer { close(ends[1]) }
    measurement.acquired = (call.sender, ends[0])
    publish(device.measurementPath, Interface.characteristic, ["NotifyAcquired": .bool(true)])
    reply(call, [.descriptor(ends[1]), .uint16(device.strap.profile.mtu)])
    return nil
  }

  func releaseAcquired(_ device: Device, _ measurement: Characteristic) {
    closeAcquired(measurement)
    publish(device.measurementPath, Interface.characteristic, ["NotifyAcquired": .bool(false)])
  }

  func closeAcquired(_ measurement: Characteristic?) {
    if let descriptor = measurement?.acquired?.descriptor { close(descriptor) }
    measurement?.acquired = nil
  }

  // MARK: Notifications

  /// Sends one notification to the subscribers; false if there are none.
  @discardableResult
  func notify(_ strap: Strap, _ payload: [UInt8]) -> Bool {
    guard let device = strap.link, let measurement = device.measurement, measurement.isSubscribed,
      !measurement.isSilent
    else { return false }
    strap.sent += 1
    onSent?(
      FakeBlueZ.Sent(
        strap: strap.profile.address, number: strap.sent, payload: payload,
        subscribers: measurement.subscribers.filter(\.isRegistered).map(\.client), nanoseconds: Timers.now))
    if let acquired = measurement.acquired {
      // Dropped when the reader is too slow, as bluetoothd does.
      _ = payload.withUnsafeBytes { send(acquired.descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
    } else {
      broadcast(device, measurement, .bytes(payload))
    }
    return true
  }

  /// Every registered session broadcasts its own signal, so that N clients receive each value N times.
  func broadcast(_ device: Device, _ measurement: Characteristic, _ value: DBusValue) {
    for subscriber in measurement.subscribers where subscriber.isRegistered {
      emitChange(device.measurementPath, Interface.characteristic, ["Value": value])
    }
    objects[device.measurementPath]?[Interface.characteristic]?["Value"] = value
  }
}
