import DBus
import HeartRate

// The sensor characteristics (Polar PMD).
extension BlueZClient {
  /// Whether bluetoothd currently exports the sensor characteristics of a linked strap.
  func sensors(of strap: StrapIdentity) throws(BusError) -> SensorCharacteristics {
    guard let sensors = tree.sensors(of: try device(of: strap)) else {
      throw BusError(name: BusError.unknownObject, message: "\(strap) has no sensor characteristics")
    }
    return sensors
  }

  /// Whether another program on this machine receives the data. The property is read, because its changes are not
  /// subscribed to.
  func sensorsAreShared(of strap: StrapIdentity) async throws(BusError) -> Bool {
    let path = try sensors(of: strap).data
    let reply = try await bus.call(
      .onBlueZ(
        path, "org.freedesktop.DBus.Properties", "Get",
        [.string("org.bluez.GattCharacteristic1"), .string("Notifying")]), timeout: CallTimeout.service)
    return reply.first?.unwrapped.bool ?? false
  }

  /// Stops a stream. Retries while another GATT operation is under way; other errors mean that the link, and with it the
  /// stream, has ended.
  func stopStream(_ stream: SensorStream, of strap: StrapIdentity) async {
    for _ in 0..<5 {
      do throws(BusError) {
        try await writeSensorControl(
          SensorRequest.stop(stream).encoded, of: strap, timeout: CallTimeout.stopStream)
        return
      } catch {
        guard LinkFailure(error).kind == .busy else { return }
        try? await Task.sleep(for: .milliseconds(200))
      }
    }
  }

  /// Subscribes to the control point and to the data on separate bus connections: closing a connection reliably ends its
  /// subscription.
  func subscribe(
    toSensorsOf strap: StrapIdentity, control: BusConnection, data: BusConnection,
    respond: @escaping @Sendable ([UInt8], Int64) -> Void,
    receive: @escaping @Sendable ([UInt8], Int64) -> Void
  ) async throws(BusError) {
    let sensors = try sensors(of: strap)
    try await subscribe(to: sensors.control, on: control, receive: respond)
    try await subscribe(to: sensors.data, on: data, receive: receive)
  }

  func readSensorFeatures(of strap: StrapIdentity) async throws(BusError) -> [UInt8] {
    let path = try sensors(of: strap).control
    let reply = try await bus.call(
      .onBlueZ(path, "org.bluez.GattCharacteristic1", "ReadValue", [.properties([:])]),
      timeout: CallTimeout.readValue)
    return reply.first?.bytes ?? []
  }

  /// Writes to the control point and waits for the acknowledgement of the strap.
  func writeSensorControl(
    _ value: [UInt8], of strap: StrapIdentity, timeout: Duration = CallTimeout.writeValue
  ) async throws(BusError) {
    let path = try sensors(of: strap).control
    try await bus.call(
      .onBlueZ(
        path, "org.bluez.GattCharacteristic1", "WriteValue",
        [.bytes(value), .properties(["type": .string("request")])]), timeout: timeout)
  }
}
