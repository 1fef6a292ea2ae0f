import FakeBlueZ
import Testing

@Test func aTerminatedDaemonSaysGoodbyeAndAKilledOneDoesNot() throws {
  for end in [FakeBlueZ.End.terminated, .killed] {
    let scene = try Scene()
    try scene.subscribe()
    scene.client.forgetSignals()
    scene.fake.stopDaemon(end)
    #expect(scene.client.waitForSignal { $0.member == "NameOwnerChanged" && $0.arguments[2] == .string("") })
    let goodbyes = scene.client.signals.filter { $0.member != "NameOwnerChanged" }
    switch end {
    case .terminated:
      #expect(goodbyes.contains { $0.change(of: "Connected") == .bool(false) })
      #expect(goodbyes.contains { $0.member == "InterfacesRemoved" && $0.object == adapterPath })
    case .killed: #expect(goodbyes.isEmpty)
    }
    #expect(
      scene.error(devicePath, device1, "Connect")?.name == "org.freedesktop.DBus.Error.ServiceUnknown")

    try scene.fake.startDaemon()
    let known = try scene.client.managedObjects()
    #expect(known[devicePath]?[device1]?["Connected"] == .bool(false))
    #expect(known[devicePath]?[device1]?["RSSI"] == nil)
    #expect(known[measurementPath] == nil)
    scene.client.forgetSignals()
    try scene.connect()
    #expect(!scene.strap.notify([0x00, 0x48]))
    try scene.client.call(measurementPath, characteristic1, "StartNotify")
    #expect(scene.strap.notify([0x00, 0x48]))
  }
}

@Test func theBusCanEndAndComeBackAtTheSameAddress() async throws {
  let scene = try Scene()
  try scene.subscribe()
  scene.bus.stop()
  #expect(await scene.strap.waitForLink(false))
  try scene.bus.start()
  try scene.fake.startDaemon()
  let client = try scene.anotherClient()
  try client.call(devicePath, device1, "Connect")
  #expect(scene.strap.isConnected)
}

@Test func anAdapterComesBackUnderAnotherName() throws {
  let scene = try Scene()
  try scene.subscribe()
  scene.client.forgetSignals()
  scene.fake.removeAdapter("hci0")
  #expect(scene.client.waitForSignal { $0.member == "InterfacesRemoved" && $0.object == adapterPath })
  let removed = scene.client.signals.filter { $0.member == "InterfacesRemoved" }.compactMap(\.object)
  #expect(removed.last == adapterPath && removed.contains(devicePath) && removed.contains(measurementPath))
  scene.fake.addAdapter("hci1", address: "00:AA:01:00:00:00")
  let objects = try scene.client.managedObjects()
  #expect(objects["/org/bluez/hci1/dev_C0_00_00_00_00_01"]?[device1]?["Connected"] == .bool(false))
  #expect(objects[adapterPath] == nil)
  try scene.client.call("/org/bluez/hci1/dev_C0_00_00_00_00_01", device1, "Connect")
}

@Test func powerOffEndsLinksAndDiscoveries() throws {
  let scene = try Scene()
  try scene.subscribe()
  try scene.client.call(adapterPath, adapter1, "StartDiscovery")
  scene.client.forgetSignals()
  try scene.client.setProperty(adapterPath, adapter1, "Powered", .bool(false))
  try scene.waitFor("Powered", false, of: adapterPath)
  let changes = scene.client.signals.flatMap { signal in
    ["Connected", "Discovering", "Powered"].filter { signal.change(of: $0) == .bool(false) }
  }
  #expect(changes == ["Connected", "Discovering", "Powered"])
  #expect(try scene.client.property(adapterPath, adapter1, "PowerState") == .string("off"))
  #expect(scene.error(adapterPath, adapter1, "StartDiscovery") == .notReady)
  #expect(scene.error(devicePath, device1, "Connect") == .inputOutput)
  #expect(scene.error(devicePath, device1, "Pair") == .authenticationFailed)
  #expect(try scene.client.managedObjects()[devicePath] != nil)
}

@Test func aBlockedAdapterCannotBePoweredOn() throws {
  let scene = try Scene()
  scene.fake.setBlocked(true)
  #expect(try scene.client.property(adapterPath, adapter1, "PowerState") == .string("off-blocked"))
  #expect(throws: BusError.blocked) {
    try scene.client.setProperty(adapterPath, adapter1, "Powered", .bool(true))
  }
  scene.fake.setBlocked(false)
  try scene.client.setProperty(adapterPath, adapter1, "Powered", .bool(true))
  #expect(try scene.client.property(adapterPath, adapter1, "PowerState") == .string("on"))
}

@Test func theBusPolicyMayForbidEverything() throws {
  let scene = try Scene(policy: .noCallsToBlueZ)
  let error = scene.error("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
  #expect(error?.name == "org.freedesktop.DBus.Error.AccessDenied")
  #expect(error?.message.hasPrefix("Rejected send message") == true)
}
