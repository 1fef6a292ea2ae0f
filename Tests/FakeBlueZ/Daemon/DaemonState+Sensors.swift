import DBus
import HeartRate
import Simulator

// The sensor streams of a strap: Polar's measurement data service.

extension DaemonState {
  private static let service = "fb005c80-02e7-f387-1cad-8acd2d8df0c8"
  private static let control = "fb005c81-02e7-f387-1cad-8acd2d8df0c8"
  private static let data = "fb005c82-02e7-f387-1cad-8acd2d8df0c8"
  private static let earlierControl = "fb005c52-02e7-f387-1cad-8acd2d8df0c8"

  func exportSensors(_ device: Device) {
    guard let sensors = device.strap.profile.sensors, objects[device.sensorServicePath] == nil else { return }
    exportService(device, device.sensorServicePath, Self.service)
    if sensors.isEarlier {
      return exportCharacteristic(device, device.sensorControlPath, Self.earlierControl, flags: ["notify"])
    }
    exportCharacteristic(
      device, device.sensorControlPath, Self.control, flags: ["read", "write", "indicate", "notify"])
    exportCharacteristic(device, device.sensorDataPath, Self.data, flags: ["notify"])
  }

  /// Handles a call to a sensor characteristic.
  func performSensors(_ call: DBusMessage, _ device: Device) throws(BusError) -> [DBusValue] {
    guard let sensors = device.strap.profile.sensors else { throw .notSupported }
    guard device.connected else { throw .gattNotConnected }
    let characteristic = call.path == device.sensorDataPath ? device.sensorData : device.sensorControl
    switch call.member {
    case "StartNotify":
      if sensors.requiresPairing, !device.paired { throw .notPaired }
      characteristic.subscribers.append(.init(client: call.sender, isRegistered: true))
      setNotifying(call.path, characteristic, true)
      return []
    case "StopNotify":
      dropSubscribers(of: call.sender, call.path, characteristic)
      return []
    case "ReadValue" where call.path == device.sensorControlPath:
      return [.bytes([0x0F, sensors.features] + [UInt8](repeating: 0, count: 15))]
    case "WriteValue" where call.path == device.sensorControlPath:
      guard let value = call.arguments.first?.bytes, value.count >= 2 else {
        throw .failed("ATT error: 0x0d")
      }
      if !sensors.answersNothing { handle(value, device, sensors) }
      return []
    default: throw .notSupported
    }
  }

  private func handle(_ request: [UInt8], _ device: Device, _ sensors: FakeSensors) {
    let (operation, type) = (request[0], request[1])
    var (error, parameters): (UInt8, [UInt8]) = (0, [])
    switch operation {
    case 1: parameters = Self.settings(of: type)
    case 2: error = start(type, device, sensors)
    case 3: error = stop(type, device.strap, "stop")
    default: error = 1
    }
    indicate([0xF0, operation, type, error, 0] + parameters, device)
  }

  /// The settings of an H10 (online_measurement.pdf).
  private static func settings(of type: UInt8) -> [UInt8] {
    type == 0
      ? [0x00, 0x01, 0x82, 0x00, 0x01, 0x01, 0x0E, 0x00]
      : [
        0x00, 0x04, 0x19, 0x00, 0x32, 0x00, 0x64, 0x00, 0xC8, 0x00, 0x01, 0x01, 0x10, 0x00, 0x02, 0x03, 0x02,
        0x00,
        0x04, 0x00, 0x08, 0x00,
      ]
  }

  private func indicate(_ value: [UInt8], _ device: Device) {
    broadcastSensors(device.sensorControlPath, device.sensorControl, value)
  }

  /// - Returns: the error code.
  private func start(_ type: UInt8, _ device: Device, _ sensors: FakeSensors) -> UInt8 {
    let strap = device.strap
    if let error = strap.profile.sensors?.startErrors.first {
      strap.profile.sensors?.startErrors.removeFirst()
      if error != 0 { return error }
    }
    guard strap.sensorStreams[type] == nil else { return 6 }
    guard sensors.features >> type & 1 == 1 else { return 3 }
    strap.sensorLog.append("start \(type)")
    if strap.motion == nil {
      strap.motion = SimulatedStream(
        seed: 1, script: sensors.script, samplesPerFrame: sensors.samplesPerFrame)
    }
    send(type, strap, due: Timers.now + UInt64(sensors.startDelay * 1e9))
    return 0
  }

  /// Ends a stream; `cause` is noted.
  @discardableResult
  func stop(_ type: UInt8, _ strap: Strap, _ cause: String) -> UInt8 {
    guard let timer = strap.sensorStreams.removeValue(forKey: type) else { return 6 }
    timers.cancel(timer)
    strap.sensorLog.append("\(cause) \(type)")
    return 0
  }

  /// The link ended: streams and subscriptions end.
  func endSensors(_ device: Device) {
    for type in device.strap.sensorStreams.keys.sorted() { stop(type, device.strap, "link") }
    for (path, characteristic) in sensorCharacteristics(device) {
      characteristic.subscribers = []
      setNotifying(path, characteristic, false)
    }
  }

  /// A client left the bus.
  func dropSensorSubscriber(_ client: String, _ device: Device) {
    for (path, characteristic) in sensorCharacteristics(device) {
      dropSubscribers(of: client, path, characteristic)
    }
  }

  private func sensorCharacteristics(_ device: Device) -> [(String, Characteristic)] {
    [(device.sensorControlPath, device.sensorControl), (device.sensorDataPath, device.sensorData)]
  }

  private func dropSubscribers(of client: String, _ path: String, _ characteristic: Characteristic) {
    characteristic.subscribers.removeAll { $0.client == client }
    if characteristic.subscribers.isEmpty { setNotifying(path, characteristic, false) }
  }

  private func setNotifying(_ path: String, _ characteristic: Characteristic, _ notifying: Bool) {
    guard characteristic.notifying != notifying else { return }
    characteristic.notifying = notifying
    publish(path, Interface.characteristic, ["Notifying": .bool(notifying)])
  }

  // MARK: Frames

  private func send(_ type: UInt8, _ strap: Strap, due: UInt64) {
    strap.sensorStreams[type] = timers.at(due) { [weak strap] in
      guard let strap else { return }
      let samples = strap.profile.sensors?.samplesPerFrame ?? 36
      self.deliver(self.frame(type, strap), strap)
      self.send(type, strap, due: due + UInt64(samples) * 40_000_000)
    }
  }

  private func frame(_ type: UInt8, _ strap: Strap) -> [UInt8]? {
    switch SensorStream(rawValue: type) {
    case .ecg: ecgFrame(strap)
    case .acceleration: strap.motion?.next().payload
    case .ppi: ppiFrame(strap)
    case nil: nil
    }
  }

  private func ppiFrame(_ strap: Strap) -> [UInt8]? {
    guard let pulses = strap.profile.sensors?.pulses, !pulses.isEmpty else { return nil }
    let number = strap.sentFrames.count
    return SensorFrame.encoded(
      pulses: pulses[number % pulses.count], timestamp: 599_616_000_000_000_000 + UInt64(number))
  }

  private func ecgFrame(_ strap: Strap) -> [UInt8] {
    let number = UInt64(strap.sentFrames.count)
    return SensorFrame.encoded(ecg: (0..<73).map { Int32($0) }, timestamp: 599_616_000_000_000_000 + number)
  }

  private func deliver(_ payload: [UInt8]?, _ strap: Strap) {
    guard let payload, let device = strap.link, !device.sensorData.subscribers.isEmpty else { return }
    strap.sentFrames.append(payload)
    onSensorFrame?(
      FakeBlueZ.Sent(
        strap: strap.profile.address, number: strap.sentFrames.count, payload: payload,
        subscribers: device.sensorData.subscribers.map(\.client), nanoseconds: Timers.now))
    broadcastSensors(device.sensorDataPath, device.sensorData, payload)
  }

  private func broadcastSensors(_ path: String, _ characteristic: Characteristic, _ value: [UInt8]) {
    for _ in characteristic.subscribers {
      emitChange(path, Interface.characteristic, ["Value": .bytes(value)])
    }
  }
}
