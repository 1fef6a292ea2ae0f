import DBus
import FakeBlueZ
import Testing

@Test func aStrapIsFoundConnectedReadAndSubscribed() throws {
  let fixture = try DaemonFixture()
  #expect(try fixture.client.managedObjects()[devicePath] == nil)
  try fixture.discover()
  let found = try fixture.client.managedObjects()[devicePath]?[device1]
  #expect(found?["Address"] == .string(strapAddress))
  #expect(found?["Adapter"] == .objectPath(adapterPath))
  #expect(found?["Connected"] == .bool(false))
  #expect(found?["RSSI"] == nil)

  try fixture.connect()
  let objects = try fixture.client.managedObjects()
  #expect(objects[measurementPath]?[characteristic1]?["UUID"] == .string(GATT.heartRateMeasurement))
  #expect(objects[devicePath]?[battery1]?["Percentage"] == .byte(90))
  let location = try fixture.client.call(locationPath, characteristic1, "ReadValue", [.properties([:])])
  #expect(location == [.bytes([1])])

  #expect(!fixture.strap.notify([0x00, 0x48]))
  try fixture.client.call(measurementPath, characteristic1, "StartNotify")
  #expect(try fixture.client.property(measurementPath, characteristic1, "Notifying") == .bool(true))
  let payloads: [[UInt8]] = [[0x10, 0x48, 0x43, 0x03], [0x10, 0x48, 0x43, 0x03], [0x00, 0x49]]
  for payload in payloads { #expect(fixture.strap.notify(payload)) }
  _ = fixture.client.waitForSignal { $0.change(of: "Value") == .bytes([0x00, 0x49]) }
  #expect(fixture.values == payloads)

  try fixture.client.call(measurementPath, characteristic1, "StopNotify")
  #expect(!fixture.strap.notify([0x00, 0x48]))
  try fixture.client.call(devicePath, device1, "Disconnect")
  #expect(!fixture.strap.isConnected)
}

/// The signals of BlueZ 5.66 on Debian 12 for a first link, its end, and the next link, as observed.
@Test func signalsArriveInBluetoothdsOrder() throws {
  let fixture = try DaemonFixture()
  try fixture.discover()
  fixture.client.forgetSignals()
  try fixture.connect()
  try fixture.client.call(devicePath, device1, "Disconnect")
  try fixture.waitFor("Connected", false)
  try fixture.client.call(measurementPath, characteristic1, "StartNotify")
  let firstLink = fixture.client.signals.map(summary)
  #expect(
    firstLink == [
      "Connected=true", "+service0010", "+char0011", "+desc0013", "+char0014", "+service0016", "+char0017",
      "ServicesResolved=true", "+Battery1", "-Battery1", "ServicesResolved=false", "Connected=false",
    ])
  fixture.client.forgetSignals()
  try fixture.connect()
  #expect(
    fixture.client.signals.map(summary) == [
      "Connected=true", "Notifying=true", "+Battery1", "ServicesResolved=true",
    ])
}

/// "+object", "-object" or "Property=value".
private func summary(_ signal: BusClient.Signal) -> String {
  for name in ["Connected", "ServicesResolved", "Notifying"] {
    if let value = signal.change(of: name)?.bool { return "\(name)=\(value)" }
  }
  let object = signal.object ?? ""
  let isDevice = object == devicePath
  let name = isDevice ? "Battery1" : String(object.split(separator: "/").last ?? "")
  return (signal.member == "InterfacesAdded" ? "+" : "-") + name
}

@Test func malformedPayloadsArriveUnchanged() throws {
  let fixture = try DaemonFixture()
  try fixture.subscribe()
  for payload in Payloads.hostile { fixture.strap.notify(payload.bytes) }
  fixture.strap.notify(wrongType: .string("72"))
  _ = fixture.client.waitForSignal { $0.change(of: "Value") == .string("72") }
  #expect(fixture.values == Payloads.hostile.map(\.bytes))
}

@Test func eachSubscribedClientAddsOneDuplicate() throws {
  let fixture = try DaemonFixture()
  try fixture.subscribe()
  let others = try (0..<2).map { _ in try fixture.anotherClient() }
  for other in others { try other.call(measurementPath, characteristic1, "StartNotify") }
  fixture.strap.notify([0x00, 0x48])
  fixture.client.listen(seconds: 0.2)
  #expect(fixture.values == [[0x00, 0x48], [0x00, 0x48], [0x00, 0x48]])
}

@Test func theSessionsOfADisconnectedClientEnd() async throws {
  let fixture = try DaemonFixture()
  try fixture.subscribe()
  do {
    let other = try fixture.anotherClient()
    try other.call(measurementPath, characteristic1, "StartNotify")
    try other.call(adapterPath, adapter1, "StartDiscovery")
    #expect(fixture.strap.subscriberCount == 2)
  }
  #expect(fixture.client.waitForSignal { $0.change(of: "Discovering") == .bool(true) })
  fixture.client.forgetSignals()
  try fixture.waitFor("Discovering", false, of: adapterPath)
  #expect(fixture.strap.subscriberCount == 1)
}

private let readOnly = BusError(
  name: "org.freedesktop.DBus.Error.PropertyReadOnly", message: "Property 'Connected' is not writable")
private let wrongType = BusError(
  name: "org.freedesktop.DBus.Error.InvalidSignature", message: "Invalid signature for 'Trusted'")

@Test func errorsEqualThoseOfBluetoothd() throws {
  let fixture = try DaemonFixture()
  #expect(fixture.error(adapterPath, adapter1, "StopDiscovery") == .noDiscovery)
  try fixture.client.call(adapterPath, adapter1, "StartDiscovery")
  #expect(fixture.error(adapterPath, adapter1, "StartDiscovery") == .busy)
  #expect(
    fixture.error(adapterPath, adapter1, "SetDiscoveryFilter", [.properties(["UUIDs": .string("x")])])
      == .invalidArguments)
  let missing = fixture.error("/org/bluez/hci0/dev_00", device1, "Connect")
  #expect(missing?.name == "org.freedesktop.DBus.Error.UnknownObject")
  #expect(
    missing?.message
      == "Method \"Connect\" with signature \"\" on interface \"org.bluez.Device1\" doesn't exist\n")
  _ = fixture.client.waitForSignal { $0.object == devicePath }
  #expect(fixture.error(devicePath, device1, "Fly")?.name == "org.freedesktop.DBus.Error.UnknownMethod")
  #expect(fixture.error(devicePath, device1, "CancelPairing") == .doesNotExist)
  try fixture.connect()
  #expect(fixture.error(measurementPath, characteristic1, "StopNotify") == .noNotifySession)
  #expect(
    fixture.error(measurementPath, characteristic1, "ReadValue", [.properties([:])])
      == .notPermitted("Read not permitted"))
  #expect(throws: readOnly) { try fixture.client.setProperty(devicePath, device1, "Connected", .bool(false)) }
  #expect(throws: wrongType) { try fixture.client.setProperty(devicePath, device1, "Trusted", .string("x")) }
}

@Test func aFoundDeviceIsRemovedAfterTheDiscovery() throws {
  var options = FakeBlueZ.Options()
  options.temporaryTimeout = 0.1
  let fixture = try DaemonFixture(options: options)
  try fixture.discover()
  #expect(fixture.client.waitForSignal { $0.member == "InterfacesRemoved" && $0.object == devicePath })
  #expect(fixture.error(devicePath, device1, "Connect")?.name == "org.freedesktop.DBus.Error.UnknownObject")
}

@Test func discoveryMergesTheFiltersOfAllClients() throws {
  let fixture = try DaemonFixture { $0.advertisedServices = [] }
  let filter = DBusValue.properties(["UUIDs": .strings(["180d"]), "Transport": .string("le")])
  try fixture.client.call(adapterPath, adapter1, "SetDiscoveryFilter", [filter])
  try fixture.client.call(adapterPath, adapter1, "StartDiscovery")
  #expect(!fixture.client.waitForSignal(seconds: 0.2) { $0.object == devicePath })
  let other = try fixture.anotherClient()
  try other.call(adapterPath, adapter1, "SetDiscoveryFilter", [.properties(["Transport": .string("le")])])
  try other.call(adapterPath, adapter1, "StartDiscovery")
  #expect(fixture.client.waitForSignal { $0.member == "InterfacesAdded" && $0.object == devicePath })
}

@Test func acquireNotifyDeliversAllDatagramsToOneClient() throws {
  let fixture = try DaemonFixture()
  try fixture.discover()
  try fixture.connect()
  let answer = try fixture.client.call(
    measurementPath, characteristic1, "AcquireNotify", [.properties([:])])
  #expect(answer.count == 2 && answer[1] == .uint16(247))
  #expect(fixture.error(measurementPath, characteristic1, "StartNotify") == .notifyAcquired)
  fixture.strap.notify([0x00, 0x48])
  guard case .descriptor(let descriptor) = answer[0] else { throw DaemonFixture.Missing(what: "descriptor") }
  #expect(readDatagram(descriptor) == [0x00, 0x48])
  fixture.strap.loseLink()
  #expect(readDatagram(descriptor) == [])
}

@Test func aStreamKeepsItsRateAndOrder() async throws {
  let fixture = try DaemonFixture()
  try fixture.subscribe()
  let payloads = (0..<200).map { [0x00, UInt8($0)] }
  fixture.strap.stream(payloads, rate: 1000, count: 400)
  #expect(await fixture.strap.waitForSent(400))
  fixture.strap.notify([0xff])
  #expect(fixture.client.waitForSignal { $0.change(of: "Value") == .bytes([0xff]) })
  #expect(fixture.values == payloads + payloads + [[0xff]])
}
