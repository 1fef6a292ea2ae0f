import DBus
import FakeBlueZ
import Testing

@Test func connectMaySucceedWithoutALink() throws {
  let fixture = try DaemonFixture { $0.script.connects = [.claimsSuccess] }
  try fixture.discover()
  try fixture.client.call(devicePath, device1, "Connect")
  #expect(try fixture.client.property(devicePath, device1, "Connected") == .bool(false))
  try fixture.connect()
}

@Test(arguments: [BusError.inProgress, .alreadyPending, .abortedLocally, .canceled])
func connectMayFailAlthoughTheLinkIsEstablished(error: BusError) throws {
  let fixture = try DaemonFixture { $0.script.connects = [.fails(error, linkAfter: 0.05)] }
  try fixture.discover()
  #expect(fixture.error(devicePath, device1, "Connect") == error)
  try fixture.waitFor("Connected", true)
  try fixture.waitFor("ServicesResolved", true)
}

@Test func connectToAnAbsentStrapTimesOutAndCanBeCanceled() throws {
  let fixture = try DaemonFixture {
    $0.isKnown = true
    $0.isAdvertising = false
    $0.script.connectTimeout = 0.1
  }
  #expect(fixture.error(devicePath, device1, "Connect") == .abortedLocally)

  fixture.strap.script { $0.connectTimeout = 40 }
  let pending = fixture.client.begin(devicePath, device1, "Connect")
  #expect(fixture.error(devicePath, device1, "Connect") == .inProgress)
  try fixture.client.call(devicePath, device1, "Disconnect")
  #expect(throws: BusError.canceled) { try fixture.client.reply(to: pending) }

  let late = fixture.client.begin(devicePath, device1, "Connect")
  fixture.client.listen(seconds: 0.1)
  fixture.strap.advertise(true)
  #expect(try fixture.client.reply(to: late) == [])
}

@Test func theDeviceMayVanishBeforeConnect() throws {
  let fixture = try DaemonFixture { $0.script.connects = [.deviceVanishes] }
  try fixture.discover()
  #expect(fixture.error(devicePath, device1, "Connect")?.name == "org.freedesktop.DBus.Error.UnknownObject")
  #expect(try fixture.client.managedObjects()[devicePath] == nil)
}

@Test(arguments: [
  StrapScript.Resolve.withoutMeasurement, .flagOnly, .measurementLate(0.2), .flagBeforeObjects(0.2),
])
func servicesMayResolveWithoutTheCharacteristic(resolve: StrapScript.Resolve) throws {
  let fixture = try DaemonFixture { $0.script.resolve = resolve }
  try fixture.discover()
  try fixture.connect()
  #expect(try fixture.client.managedObjects()[measurementPath] == nil)
  let comes = fixture.client.waitForSignal(seconds: 0.5) {
    $0.member == "InterfacesAdded" && $0.object == measurementPath
  }
  switch resolve {
  case .measurementLate, .flagBeforeObjects: #expect(comes)
  default: #expect(!comes)
  }
}

@Test func servicesMayNeverResolve() throws {
  let fixture = try DaemonFixture { $0.script.resolve = .never }
  try fixture.discover()
  try fixture.client.call(devicePath, device1, "Connect")
  fixture.client.listen(seconds: 0.2)
  #expect(try fixture.client.property(devicePath, device1, "ServicesResolved") == .bool(false))
}

@Test func servicesMayResolveBeforeConnectIsAnswered() throws {
  let fixture = try DaemonFixture { $0.script.resolvesBeforeConnectReply = true }
  try fixture.discover()
  try fixture.client.call(devicePath, device1, "Connect")
  #expect(fixture.client.signals.contains { $0.change(of: "ServicesResolved") == .bool(true) })
}

@Test func startNotifyMayFailOrRemainUnansweredOrSendNoData() throws {
  let fixture = try DaemonFixture { $0.script.notifies = [.neverAnswered, .fails(.notifyAcquired), .silent] }
  try fixture.discover()
  try fixture.connect()
  let unanswered = fixture.client.begin(measurementPath, characteristic1, "StartNotify")
  #expect(try fixture.client.reply(to: unanswered, seconds: 0.2) == nil)
  #expect(fixture.error(measurementPath, characteristic1, "StartNotify") == .notifyAcquired)
  try fixture.client.call(measurementPath, characteristic1, "StartNotify")
  #expect(try fixture.client.property(measurementPath, characteristic1, "Notifying") == .bool(true))
  #expect(!fixture.strap.notify([0x00, 0x48]))
}

@Test func sessionsOutliveTheLink() throws {
  let fixture = try DaemonFixture()
  try fixture.subscribe()
  fixture.strap.loseLink()
  try fixture.waitFor("Connected", false)
  try fixture.waitFor("ServicesResolved", false)
  #expect(fixture.client.waitForSignal { $0.member == "InterfacesRemoved" && $0.object == devicePath })
  let objects = try fixture.client.managedObjects()
  #expect(objects[devicePath]?[battery1] == nil)
  #expect(objects[measurementPath]?[characteristic1]?["Notifying"] == .bool(true))
  #expect(!fixture.strap.notify([0x00, 0x48]))
  fixture.client.forgetSignals()
  try fixture.connect()
  #expect(fixture.strap.notify([0x00, 0x48]))
}

@Test func notifyingMayBeStaleAfterAReconnect() throws {
  let fixture = try DaemonFixture { $0.script.sessionsAfterReconnect = .freedSilently }
  try fixture.subscribe()
  fixture.strap.loseLink()
  try fixture.waitFor("ServicesResolved", false)
  fixture.client.forgetSignals()
  try fixture.connect()
  #expect(try fixture.client.property(measurementPath, characteristic1, "Notifying") == .bool(true))
  #expect(!fixture.strap.notify([0x00, 0x48]))
  try fixture.client.call(measurementPath, characteristic1, "StartNotify")
  #expect(fixture.strap.notify([0x00, 0x48]))
}

@Test func disconnectByAnotherClientTakesEffectLater() throws {
  let fixture = try DaemonFixture { $0.script.disconnectDelay = 0.3 }
  try fixture.subscribe()
  let other = try fixture.anotherClient()
  let pending = other.begin(devicePath, device1, "Disconnect")
  #expect(try other.reply(to: pending, seconds: 0.05) == nil)
  // Until then, notifications continue, Connect succeeds on the old link, and subscriptions fail.
  #expect(fixture.strap.notify([0x00, 0x48]))
  try fixture.client.call(devicePath, device1, "Connect")
  #expect(throws: BusError.notConnected) { try other.call(measurementPath, characteristic1, "StartNotify") }
  #expect(try other.reply(to: pending) == [])
  try fixture.waitFor("Connected", false)
}

@Test func propertiesMayHaveTheWrongType() throws {
  let fixture = try DaemonFixture { $0.isKnown = true }
  fixture.fake.setProperty(devicePath, device1, "Connected", .string("yes"))
  fixture.fake.setProperty(devicePath, device1, "Address", .array(of: "i", [.int32(7)]))
  #expect(try fixture.client.property(devicePath, device1, "Connected") == .string("yes"))
  #expect(try fixture.client.property(devicePath, device1, "Address") == .array(of: "i", [.int32(7)]))
  #expect(fixture.client.waitForSignal { $0.change(of: "Connected") == .string("yes") })
}
