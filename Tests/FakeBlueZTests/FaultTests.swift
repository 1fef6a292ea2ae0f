import FakeBlueZ
import Testing

@Test func connectMayClaimSuccessWithoutALink() throws {
  let scene = try Scene { $0.script.connects = [.claimsSuccess] }
  try scene.discover()
  try scene.client.call(devicePath, device1, "Connect")
  #expect(try scene.client.property(devicePath, device1, "Connected") == .bool(false))
  try scene.connect()
}

@Test(arguments: [BusError.inProgress, .alreadyPending, .abortedLocally, .canceled])
func connectMayFailAndTheLinkComeAllTheSame(error: BusError) throws {
  let scene = try Scene { $0.script.connects = [.fails(error, linkAfter: 0.05)] }
  try scene.discover()
  #expect(scene.error(devicePath, device1, "Connect") == error)
  try scene.waitFor("Connected", true)
  try scene.waitFor("ServicesResolved", true)
}

@Test func aSilentStrapIsGivenUpAndAPendingConnectCanBeCanceled() throws {
  let scene = try Scene {
    $0.isKnown = true
    $0.isAdvertising = false
    $0.script.connectTimeout = 0.1
  }
  #expect(scene.error(devicePath, device1, "Connect") == .abortedLocally)

  scene.strap.script { $0.connectTimeout = 40 }
  let pending = scene.client.begin(devicePath, device1, "Connect")
  #expect(scene.error(devicePath, device1, "Connect") == .inProgress)
  try scene.client.call(devicePath, device1, "Disconnect")
  #expect(throws: BusError.canceled) { try scene.client.reply(to: pending) }

  let late = scene.client.begin(devicePath, device1, "Connect")
  scene.client.listen(seconds: 0.1)
  scene.strap.advertise(true)
  #expect(try scene.client.reply(to: late) == [])
}

@Test func theDeviceMayVanishBeforeConnect() throws {
  let scene = try Scene { $0.script.connects = [.deviceVanishes] }
  try scene.discover()
  #expect(scene.error(devicePath, device1, "Connect")?.name == "org.freedesktop.DBus.Error.UnknownObject")
  #expect(try scene.client.managedObjects()[devicePath] == nil)
}

@Test(arguments: [
  StrapScript.Resolve.withoutMeasurement, .flagOnly, .measurementLate(0.2), .flagBeforeObjects(0.2),
])
func resolvedMayComeWithoutTheCharacteristic(resolve: StrapScript.Resolve) throws {
  let scene = try Scene { $0.script.resolve = resolve }
  try scene.discover()
  try scene.connect()
  #expect(try scene.client.managedObjects()[measurementPath] == nil)
  let comes = scene.client.waitForSignal(seconds: 0.5) {
    $0.member == "InterfacesAdded" && $0.object == measurementPath
  }
  switch resolve {
  case .measurementLate, .flagBeforeObjects: #expect(comes)
  default: #expect(!comes)
  }
}

@Test func servicesMayNeverResolve() throws {
  let scene = try Scene { $0.script.resolve = .never }
  try scene.discover()
  try scene.client.call(devicePath, device1, "Connect")
  scene.client.listen(seconds: 0.2)
  #expect(try scene.client.property(devicePath, device1, "ServicesResolved") == .bool(false))
}

@Test func servicesMayResolveBeforeConnectIsAnswered() throws {
  let scene = try Scene { $0.script.resolvesBeforeConnectReply = true }
  try scene.discover()
  try scene.client.call(devicePath, device1, "Connect")
  #expect(scene.client.signals.contains { $0.change(of: "ServicesResolved") == .bool(true) })
}

@Test func startNotifyMayStaySilentOrUnansweredOrFail() throws {
  let scene = try Scene { $0.script.notifies = [.neverAnswered, .fails(.notifyAcquired), .silent] }
  try scene.discover()
  try scene.connect()
  let unanswered = scene.client.begin(measurementPath, characteristic1, "StartNotify")
  #expect(try scene.client.reply(to: unanswered, seconds: 0.2) == nil)
  #expect(scene.error(measurementPath, characteristic1, "StartNotify") == .notifyAcquired)
  try scene.client.call(measurementPath, characteristic1, "StartNotify")
  #expect(try scene.client.property(measurementPath, characteristic1, "Notifying") == .bool(true))
  #expect(!scene.strap.notify([0x00, 0x48]))
}

@Test func sessionsOutliveTheLink() throws {
  let scene = try Scene()
  try scene.subscribe()
  scene.strap.loseLink()
  try scene.waitFor("Connected", false)
  try scene.waitFor("ServicesResolved", false)
  #expect(scene.client.waitForSignal { $0.member == "InterfacesRemoved" && $0.object == devicePath })
  let objects = try scene.client.managedObjects()
  #expect(objects[devicePath]?[battery1] == nil)
  #expect(objects[measurementPath]?[characteristic1]?["Notifying"] == .bool(true))
  #expect(!scene.strap.notify([0x00, 0x48]))
  scene.client.forgetSignals()
  try scene.connect()
  #expect(scene.strap.notify([0x00, 0x48]))
}

@Test func notifyingMayBeStaleAfterAReconnect() throws {
  let scene = try Scene { $0.script.sessionsAfterReconnect = .freedSilently }
  try scene.subscribe()
  scene.strap.loseLink()
  try scene.waitFor("ServicesResolved", false)
  scene.client.forgetSignals()
  try scene.connect()
  #expect(try scene.client.property(measurementPath, characteristic1, "Notifying") == .bool(true))
  #expect(!scene.strap.notify([0x00, 0x48]))
  try scene.client.call(measurementPath, characteristic1, "StartNotify")
  #expect(scene.strap.notify([0x00, 0x48]))
}

@Test func anotherClientEndsTheLinkAWhileLater() throws {
  let scene = try Scene { $0.script.disconnectDelay = 0.3 }
  try scene.subscribe()
  let other = try scene.anotherClient()
  let pending = other.begin(devicePath, device1, "Disconnect")
  #expect(try other.reply(to: pending, seconds: 0.05) == nil)
  // Until then notifications go on, a Connect succeeds on the old link, and nobody can subscribe.
  #expect(scene.strap.notify([0x00, 0x48]))
  try scene.client.call(devicePath, device1, "Connect")
  #expect(throws: BusError.notConnected) { try other.call(measurementPath, characteristic1, "StartNotify") }
  #expect(try other.reply(to: pending) == [])
  try scene.waitFor("Connected", false)
}

@Test func propertiesMayHaveTheWrongType() throws {
  let scene = try Scene { $0.isKnown = true }
  scene.fake.setProperty(devicePath, device1, "Connected", .string("yes"))
  scene.fake.setProperty(devicePath, device1, "Address", .array(of: "i", [.int32(7)]))
  #expect(try scene.client.property(devicePath, device1, "Connected") == .string("yes"))
  #expect(try scene.client.property(devicePath, device1, "Address") == .array(of: "i", [.int32(7)]))
  #expect(scene.client.waitForSignal { $0.change(of: "Connected") == .string("yes") })
}
