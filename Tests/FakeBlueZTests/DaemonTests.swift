import DBus
import FakeBlueZ
import Testing

@Test func onlyATerminatedDaemonRemovesItsObjects() throws {
  for end in [FakeBlueZ.End.terminated, .killed] {
    let fixture = try DaemonFixture()
    try fixture.subscribe()
    fixture.client.forgetSignals()
    fixture.fake.stopDaemon(end)
    #expect(
      fixture.client.waitForSignal { $0.member == "NameOwnerChanged" && $0.arguments[2] == .string("") })
    let goodbyes = fixture.client.signals.filter { $0.member != "NameOwnerChanged" }
    switch end {
    case .terminated:
      #expect(goodbyes.contains { $0.change(of: "Connected") == .bool(false) })
      #expect(goodbyes.contains { $0.member == "InterfacesRemoved" && $0.object == adapterPath })
    case .killed: #expect(goodbyes.isEmpty)
    }
    #expect(
      fixture.error(devicePath, device1, "Connect")?.name == "org.freedesktop.DBus.Error.ServiceUnknown")

    try fixture.fake.startDaemon()
    let known = try fixture.client.managedObjects()
    #expect(known[devicePath]?[device1]?["Connected"] == .bool(false))
    #expect(known[devicePath]?[device1]?["RSSI"] == nil)
    #expect(known[measurementPath] == nil)
    fixture.client.forgetSignals()
    try fixture.connect()
    #expect(!fixture.strap.notify([0x00, 0x48]))
    try fixture.client.call(measurementPath, characteristic1, "StartNotify")
    #expect(fixture.strap.notify([0x00, 0x48]))
  }
}

@Test func theBusRestartsAtTheSameAddress() async throws {
  let fixture = try DaemonFixture()
  try fixture.subscribe()
  fixture.bus.stop()
  #expect(await fixture.strap.waitForLink(false))
  try fixture.bus.start()
  try fixture.fake.startDaemon()
  let client = try fixture.anotherClient()
  try client.call(devicePath, device1, "Connect")
  #expect(fixture.strap.isConnected)
}

@Test func anAdapterReturnsWithAnotherName() throws {
  let fixture = try DaemonFixture()
  try fixture.subscribe()
  fixture.client.forgetSignals()
  fixture.fake.removeAdapter("hci0")
  #expect(fixture.client.waitForSignal { $0.member == "InterfacesRemoved" && $0.object == adapterPath })
  let removed = fixture.client.signals.filter { $0.member == "InterfacesRemoved" }.compactMap(\.object)
  #expect(removed.last == adapterPath && removed.contains(devicePath) && removed.contains(measurementPath))
  fixture.fake.addAdapter("hci1", address: "00:AA:01:00:00:00")
  let objects = try fixture.client.managedObjects()
  #expect(objects["/org/bluez/hci1/dev_C0_00_00_00_00_01"]?[device1]?["Connected"] == .bool(false))
  #expect(objects[adapterPath] == nil)
  try fixture.client.call("/org/bluez/hci1/dev_C0_00_00_00_00_01", device1, "Connect")
}

@Test func powerOffEndsLinksAndDiscoveries() throws {
  let fixture = try DaemonFixture()
  try fixture.subscribe()
  try fixture.client.call(adapterPath, adapter1, "StartDiscovery")
  fixture.client.forgetSignals()
  try fixture.client.setProperty(adapterPath, adapter1, "Powered", .bool(false))
  try fixture.waitFor("Powered", false, of: adapterPath)
  let changes = fixture.client.signals.flatMap { signal in
    ["Connected", "Discovering", "Powered"].filter { signal.change(of: $0) == .bool(false) }
  }
  #expect(changes == ["Connected", "Discovering", "Powered"])
  #expect(try fixture.client.property(adapterPath, adapter1, "PowerState") == .string("off"))
  #expect(fixture.error(adapterPath, adapter1, "StartDiscovery") == .notReady)
  #expect(fixture.error(devicePath, device1, "Connect") == .inputOutput)
  #expect(fixture.error(devicePath, device1, "Pair") == .authenticationFailed)
  #expect(try fixture.client.managedObjects()[devicePath] != nil)
}

@Test func aBlockedAdapterCannotBePoweredOn() throws {
  let fixture = try DaemonFixture()
  fixture.fake.setBlocked(true)
  #expect(try fixture.client.property(adapterPath, adapter1, "PowerState") == .string("off-blocked"))
  #expect(throws: BusError.blocked) {
    try fixture.client.setProperty(adapterPath, adapter1, "Powered", .bool(true))
  }
  fixture.fake.setBlocked(false)
  try fixture.client.setProperty(adapterPath, adapter1, "Powered", .bool(true))
  #expect(try fixture.client.property(adapterPath, adapter1, "PowerState") == .string("on"))
}

@Test func theBusPolicyDeniesCalls() throws {
  let fixture = try DaemonFixture(policy: .noCallsToBlueZ)
  let error = fixture.error("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
  #expect(error?.name == "org.freedesktop.DBus.Error.AccessDenied")
  #expect(error?.message.hasPrefix("Rejected send message") == true)
}
