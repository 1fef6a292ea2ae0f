import HeartRate

// The calls, each with its own deadline.
extension BlueZClient {
  /// Starts a scan of our own, or changes its filter. The filters of all clients are merged, so every match has
  /// to be checked again.
  func startDiscovery(wide: Bool) async throws(BusError) {
    let adapter = try poweredAdapter()
    var filter: [String: MethodCall.Option] = ["Transport": .string("le")]
    if !wide { filter["UUIDs"] = .strings([GATTUUID.heartRate]) }
    try await bus.call(
      .onBlueZ(adapter.path, Adapter.interface, "SetDiscoveryFilter", [.options(filter)]),
      deadline: CallTimeout.service)
    do throws(BusError) {
      try await bus.call(
        .onBlueZ(adapter.path, Adapter.interface, "StartDiscovery"), deadline: CallTimeout.service)
    } catch  where error.name == "org.bluez.Error.InProgress" {
      return  // our own session runs already
    }
  }

  func stopDiscoveryNow() async throws(BusError) {
    let adapter = try poweredAdapter()
    try await bus.call(
      .onBlueZ(adapter.path, Adapter.interface, "StopDiscovery"), deadline: CallTimeout.service)
  }

  /// Stops our scan if there is one; that there is none is no error.
  func stopDiscovery() async { try? await stopDiscoveryNow() }

  func connect(_ strap: StrapIdentity) async throws(BusError) {
    let path = try device(of: strap).path
    let outcome: Result<Void, BusError>
    do throws(BusError) {
      try await bus.call(.onBlueZ(path, Device.interface, "Connect"), deadline: CallTimeout.connect)
      outcome = .success(())
    } catch {
      outcome = .failure(error)
    }
    await readAgain(path)
    try outcome.get()
  }

  /// BlueZ 5.66 does not signal `Connected` when the kernel announces the link only after its socket has been
  /// opened ("is already connected" in its log), so after Connect the properties are asked for.
  private func readAgain(_ path: String) async {
    let call = MethodCall.onBlueZ(
      path, "org.freedesktop.DBus.Properties", "GetAll", [.string(Device.interface)])
    guard let reply = try? await bus.call(call, deadline: CallTimeout.service),
      let properties = reply.first?.dictionary
    else { return }
    replaceProperties(of: Device.interface, at: path, with: properties)
  }

  func disconnect(_ strap: StrapIdentity, timeout: Duration = CallTimeout.disconnect) async throws(BusError) {
    let path = try device(of: strap).path
    try await bus.call(.onBlueZ(path, Device.interface, "Disconnect"), deadline: timeout)
  }

  /// Subscribes on `bus`, a connection of its own: closing it ends the subscription for certain. The signals are
  /// asked for first, since data may come before the reply.
  func subscribe(
    to strap: StrapIdentity, on bus: Bus, receive: @escaping @Sendable ([UInt8], Int64) -> Void
  ) async throws(BusError) {
    let device = try device(of: strap)
    guard let path = tree.characteristic(GATTUUID.heartRateMeasurement, of: device), let owner else {
      throw BusError(name: BusError.unknownObject, message: "\(strap) has no 0x2A37")
    }
    if tree.isNotifying(path) { noteOtherSubscriber(strap) }
    try await bus.open(busAddress)
    await bus.subscribe(ValueSubscription(sender: owner, path: path, receive: receive))
    let rule =
      "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',"
      + "member='PropertiesChanged',path='\(path)',arg0='org.bluez.GattCharacteristic1'"
    try await bus.call(.onDaemon("AddMatch", [.string(rule)]), deadline: CallTimeout.daemon)
    try await bus.call(
      .onBlueZ(path, "org.bluez.GattCharacteristic1", "StartNotify"), deadline: CallTimeout.startNotify)
  }

  /// What the strap tells about itself; what it does not tell is nil.
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
      .onBlueZ(path, "org.bluez.GattCharacteristic1", "ReadValue", [.options([:])]),
      deadline: CallTimeout.readValue)
    return reply?.first?.bytes.flatMap { BodySensorLocation(payload: $0) }
  }
}
