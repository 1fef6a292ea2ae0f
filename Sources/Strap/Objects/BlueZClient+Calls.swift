import DBus
import HeartRate

// The method calls, each with its timeout.
extension BlueZClient {
  /// Starts this client's scan, or changes its filter. BlueZ merges the filters of all clients, so the caller has to check
  /// every result.
  func startDiscovery(wide: Bool) async throws(BusError) {
    let adapter = try poweredAdapter()
    var filter: [String: DBusValue] = ["Transport": .string("le")]
    if !wide { filter["UUIDs"] = .strings([GATTUUID.heartRate]) }
    try await bus.call(
      .onBlueZ(adapter.path, Adapter.interface, "SetDiscoveryFilter", [.properties(filter)]),
      timeout: CallTimeout.service)
    do throws(BusError) {
      try await bus.call(
        .onBlueZ(adapter.path, Adapter.interface, "StartDiscovery"), timeout: CallTimeout.service)
    } catch  where error.name == "org.bluez.Error.InProgress" {
      return  // this client's discovery already runs
    }
  }

  func stopDiscoveryNow() async throws(BusError) {
    let adapter = try poweredAdapter()
    try await bus.call(
      .onBlueZ(adapter.path, Adapter.interface, "StopDiscovery"), timeout: CallTimeout.service)
  }

  /// Stops this client's scan; errors, for example if there is none, are ignored.
  func stopDiscovery() async { try? await stopDiscoveryNow() }

  func connect(_ strap: StrapIdentity) async throws(BusError) {
    let path = try device(of: strap).path
    let outcome: Result<Void, BusError>
    do throws(BusError) {
      try await bus.call(.onBlueZ(path, Device.interface, "Connect"), timeout: CallTimeout.connect)
      outcome = .success(())
    } catch {
      outcome = .failure(error)
    }
    await refreshProperties(of: path)
    try outcome.get()
  }

  /// Workaround: BlueZ 5.66 does not signal `Connected` if the kernel announces the link after its socket was opened ("is
  /// already connected" in its log), so the properties are read after Connect.
  private func refreshProperties(of path: String) async {
    let call = MethodCall.onBlueZ(
      path, "org.freedesktop.DBus.Properties", "GetAll", [.string(Device.interface)])
    guard let reply = try? await bus.call(call, timeout: CallTimeout.service),
      let properties = reply.first?.dictionary
    else { return }
    replaceProperties(of: Device.interface, at: path, with: properties)
  }

  func disconnect(_ strap: StrapIdentity) async throws(BusError) {
    let path = try device(of: strap).path
    try await bus.call(.onBlueZ(path, Device.interface, "Disconnect"), timeout: CallTimeout.disconnect)
  }

  /// Subscribes on `bus`, a separate connection, because closing it reliably ends the subscription. The match rule is added
  /// first, since data may arrive before the reply of StartNotify.
  func subscribe(
    to strap: StrapIdentity, on bus: BusConnection, receive: @escaping @Sendable ([UInt8], Int64) -> Void
  ) async throws(BusError) {
    let device = try device(of: strap)
    guard let path = tree.characteristic(GATTUUID.heartRateMeasurement, of: device) else {
      throw BusError(name: BusError.unknownObject, message: "\(strap) has no 0x2A37")
    }
    if tree.isNotifying(path) { noteOtherSubscriber(strap) }
    try await subscribe(to: path, on: bus, receive: receive)
  }

  /// Opens `bus` and subscribes to the values of the characteristic at `path`.
  func subscribe(
    to path: String, on bus: BusConnection, receive: @escaping @Sendable ([UInt8], Int64) -> Void
  ) async throws(BusError) {
    guard let owner else { throw BusError(name: BusError.nameHasNoOwner, message: "org.bluez has no owner") }
    try await bus.open(busAddress)
    await bus.subscribe(
      PropertySubscription(
        sender: owner, path: path, interface: "org.bluez.GattCharacteristic1", property: "Value",
        receive: receive))
    let rule =
      "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',"
      + "member='PropertiesChanged',path='\(path)',arg0='org.bluez.GattCharacteristic1'"
    try await bus.call(.onDaemon("AddMatch", [.string(rule)]), timeout: CallTimeout.daemon)
    try await bus.call(
      .onBlueZ(path, "org.bluez.GattCharacteristic1", "StartNotify"), timeout: CallTimeout.startNotify)
  }

  /// Reads the details of the strap; values that it does not provide are nil.
  func details(of strap: StrapIdentity) async -> StrapDetails {
    StrapDetails(
      strap: strap, bodyLocation: await bodyLocation(of: strap), battery: battery(of: strap),
      isPaired: (try? device(of: strap).paired) ?? false, wasConnected: false)
  }

  private func bodyLocation(of strap: StrapIdentity) async -> BodySensorLocation? {
    guard let device = try? device(of: strap),
      let path = tree.characteristic(GATTUUID.bodySensorLocation, of: device)
    else { return nil }
    let reply = try? await bus.call(
      .onBlueZ(path, "org.bluez.GattCharacteristic1", "ReadValue", [.properties([:])]),
      timeout: CallTimeout.readValue)
    return reply?.first?.bytes.flatMap { BodySensorLocation(payload: $0) }
  }
}

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
