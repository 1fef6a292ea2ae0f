import FakeBlueZ
import Testing

@Test func aStrapIsFoundConnectedReadAndHeard() throws {
  let scene = try Scene()
  #expect(try scene.client.managedObjects()[devicePath] == nil)
  try scene.discover()
  let found = try scene.client.managedObjects()[devicePath]?[device1]
  #expect(found?["Address"] == .string(strapAddress))
  #expect(found?["Adapter"] == .path(adapterPath))
  #expect(found?["Connected"] == .bool(false))
  #expect(found?["RSSI"] == nil)

  try scene.connect()
  let objects = try scene.client.managedObjects()
  #expect(objects[measurementPath]?[characteristic1]?["UUID"] == .string(GATT.heartRateMeasurement))
  #expect(objects[devicePath]?[battery1]?["Percentage"] == .byte(90))
  let location = try scene.client.call(locationPath, characteristic1, "ReadValue", [.properties([:])])
  #expect(location == [.bytes([1])])

  #expect(!scene.strap.notify([0x00, 0x48]))
  try scene.client.call(measurementPath, characteristic1, "StartNotify")
  #expect(try scene.client.property(measurementPath, characteristic1, "Notifying") == .bool(true))
  let payloads: [[UInt8]] = [[0x10, 0x48, 0x43, 0x03], [0x10, 0x48, 0x43, 0x03], [0x00, 0x49]]
  for payload in payloads { #expect(scene.strap.notify(payload)) }
  _ = scene.client.waitForSignal { $0.change(of: "Value") == .bytes([0x00, 0x49]) }
  #expect(scene.values == payloads)

  try scene.client.call(measurementPath, characteristic1, "StopNotify")
  #expect(!scene.strap.notify([0x00, 0x48]))
  try scene.client.call(devicePath, device1, "Disconnect")
  #expect(!scene.strap.isConnected)
}

/// The order in which BlueZ 5.66 on Debian 12 was seen to tell of a first link, its end, and the next one.
@Test func signalsComeInTheOrderOfBluetoothd() throws {
  let scene = try Scene()
  try scene.discover()
  scene.client.forgetSignals()
  try scene.connect()
  try scene.client.call(devicePath, device1, "Disconnect")
  try scene.waitFor("Connected", false)
  try scene.client.call(measurementPath, characteristic1, "StartNotify")
  let firstLink = scene.client.signals.map(summary)
  #expect(
    firstLink == [
      "Connected=true", "+service0010", "+char0011", "+desc0013", "+char0014", "+service0016", "+char0017",
      "ServicesResolved=true", "+Battery1", "-Battery1", "ServicesResolved=false", "Connected=false",
    ])
  scene.client.forgetSignals()
  try scene.connect()
  #expect(
    scene.client.signals.map(summary) == [
      "Connected=true", "Notifying=true", "+Battery1", "ServicesResolved=true",
    ])
}

/// "+object", "-object" or "Property=value".
private func summary(_ signal: BusClient.Signal) -> String {
  for name in ["Connected", "ServicesResolved", "Notifying"] {
    if let value = signal.change(of: name)?.flag { return "\(name)=\(value)" }
  }
  let object = signal.object ?? ""
  let isDevice = object == devicePath
  let name = isDevice ? "Battery1" : String(object.split(separator: "/").last ?? "")
  return (signal.member == "InterfacesAdded" ? "+" : "-") + name
}

@Test func hostilePayloadsArriveAsTheyAre() throws {
  let scene = try Scene()
  try scene.subscribe()
  for payload in Payloads.hostile { scene.strap.notify(payload.bytes) }
  scene.strap.notify(wrongType: .string("72"))
  _ = scene.client.waitForSignal { $0.change(of: "Value") == .string("72") }
  #expect(scene.values == Payloads.hostile.map(\.bytes))
}

@Test func everySubscribedClientAddsOneCopy() throws {
  let scene = try Scene()
  try scene.subscribe()
  let others = try (0..<2).map { _ in try scene.anotherClient() }
  for other in others { try other.call(measurementPath, characteristic1, "StartNotify") }
  scene.strap.notify([0x00, 0x48])
  scene.client.listen(seconds: 0.2)
  #expect(scene.values == [[0x00, 0x48], [0x00, 0x48], [0x00, 0x48]])
}

@Test func aClientThatLeavesTakesItsSessionsAlong() async throws {
  let scene = try Scene()
  try scene.subscribe()
  do {
    let other = try scene.anotherClient()
    try other.call(measurementPath, characteristic1, "StartNotify")
    try other.call(adapterPath, adapter1, "StartDiscovery")
    #expect(scene.strap.subscriberCount == 2)
  }
  #expect(scene.client.waitForSignal { $0.change(of: "Discovering") == .bool(true) })
  scene.client.forgetSignals()
  try scene.waitFor("Discovering", false, of: adapterPath)
  #expect(scene.strap.subscriberCount == 1)
}

private let readOnly = BusError(
  "org.freedesktop.DBus.Error.PropertyReadOnly", "Property 'Connected' is not writable")
private let wrongType = BusError(
  "org.freedesktop.DBus.Error.InvalidSignature", "Invalid signature for 'Trusted'")

@Test func errorsAreThoseOfBluetoothd() throws {
  let scene = try Scene()
  #expect(scene.error(adapterPath, adapter1, "StopDiscovery") == .noDiscovery)
  try scene.client.call(adapterPath, adapter1, "StartDiscovery")
  #expect(scene.error(adapterPath, adapter1, "StartDiscovery") == .busy)
  #expect(
    scene.error(adapterPath, adapter1, "SetDiscoveryFilter", [.properties(["UUIDs": .string("x")])])
      == .invalidArguments)
  let missing = scene.error("/org/bluez/hci0/dev_00", device1, "Connect")
  #expect(missing?.name == "org.freedesktop.DBus.Error.UnknownObject")
  #expect(
    missing?.message
      == "Method \"Connect\" with signature \"\" on interface \"org.bluez.Device1\" doesn't exist\n")
  _ = scene.client.waitForSignal { $0.object == devicePath }
  #expect(scene.error(devicePath, device1, "Fly")?.name == "org.freedesktop.DBus.Error.UnknownMethod")
  #expect(scene.error(devicePath, device1, "CancelPairing") == .doesNotExist)
  try scene.connect()
  #expect(scene.error(measurementPath, characteristic1, "StopNotify") == .noNotifySession)
  #expect(
    scene.error(measurementPath, characteristic1, "ReadValue", [.properties([:])])
      == .notPermitted("Read not permitted"))
  #expect(throws: readOnly) { try scene.client.setProperty(devicePath, device1, "Connected", .bool(false)) }
  #expect(throws: wrongType) { try scene.client.setProperty(devicePath, device1, "Trusted", .string("x")) }
}

@Test func aFoundDeviceGoesSomeTimeAfterTheDiscovery() throws {
  var options = FakeBlueZ.Options()
  options.temporaryTimeout = 0.1
  let scene = try Scene(options: options)
  try scene.discover()
  #expect(scene.client.waitForSignal { $0.member == "InterfacesRemoved" && $0.object == devicePath })
  #expect(scene.error(devicePath, device1, "Connect")?.name == "org.freedesktop.DBus.Error.UnknownObject")
}

@Test func discoveryHonoursTheFiltersOfAllClients() throws {
  let scene = try Scene { $0.advertisedServices = [] }
  let filter = DBusValue.properties(["UUIDs": .strings(["180d"]), "Transport": .string("le")])
  try scene.client.call(adapterPath, adapter1, "SetDiscoveryFilter", [filter])
  try scene.client.call(adapterPath, adapter1, "StartDiscovery")
  #expect(!scene.client.waitForSignal(seconds: 0.2) { $0.object == devicePath })
  let other = try scene.anotherClient()
  try other.call(adapterPath, adapter1, "SetDiscoveryFilter", [.properties(["Transport": .string("le")])])
  try other.call(adapterPath, adapter1, "StartDiscovery")
  #expect(scene.client.waitForSignal { $0.member == "InterfacesAdded" && $0.object == devicePath })
}

@Test func acquireNotifyGivesAllDatagramsToOneClient() throws {
  let scene = try Scene()
  try scene.discover()
  try scene.connect()
  let answer = try scene.client.call(
    measurementPath, characteristic1, "AcquireNotify", [.properties([:])])
  #expect(answer.count == 2 && answer[1] == .uint16(247))
  #expect(scene.error(measurementPath, characteristic1, "StartNotify") == .notifyAcquired)
  scene.strap.notify([0x00, 0x48])
  guard case .descriptor(let descriptor) = answer[0] else { throw Scene.Missing(what: "descriptor") }
  #expect(readDatagram(descriptor) == [0x00, 0x48])
  scene.strap.loseLink()
  #expect(readDatagram(descriptor) == [])
}

@Test func aStreamKeepsItsRateAndItsOrder() async throws {
  let scene = try Scene()
  try scene.subscribe()
  let payloads = (0..<200).map { [0x00, UInt8($0)] }
  scene.strap.stream(payloads, rate: 1000, count: 400)
  #expect(await scene.strap.waitForSent(400))
  scene.strap.notify([0xff])
  #expect(scene.client.waitForSignal { $0.change(of: "Value") == .bytes([0xff]) })
  #expect(scene.values == payloads + payloads + [[0xff]])
}
