import DBus
import FakeBlueZ
import Testing

private let agentManager1 = "org.bluez.AgentManager1"

extension DaemonFixture {
  /// Registers the client as the default agent, which answers RequestPasskey with `passkey`.
  fileprivate func registerAgent(_ capability: String, passkey: UInt32 = 0, refuses: Bool = false) throws {
    client.answer = { member, _ in
      if refuses { return .failure(BusError(name: "org.bluez.Error.Rejected", message: "no")) }
      return .success(member == "RequestPasskey" ? [.uint32(passkey)] : [])
    }
    try client.call(
      "/org/bluez", agentManager1, "RegisterAgent", [.objectPath("/agent"), .string(capability)])
    try client.call("/org/bluez", agentManager1, "RequestDefaultAgent", [.objectPath("/agent")])
  }
}

@Test(arguments: [
  (FakeStrap.Pairing.justWorks, "NoInputNoOutput", "RequestAuthorization"),
  (.passkeyEntry(123_456), "KeyboardOnly", "RequestPasskey"),
  (.passkeyDisplay(7), "DisplayOnly", "DisplayPasskey"),
  (.confirmation(42), "KeyboardDisplay", "RequestConfirmation"),
])
func pairingCallsTheAgent(pairing: FakeStrap.Pairing, capability: String, question: String) throws {
  let fixture = try DaemonFixture { $0.pairing = pairing }
  try fixture.discover()
  try fixture.registerAgent(capability, passkey: 123_456)
  try fixture.client.call(devicePath, device1, "Pair")
  #expect(fixture.client.questions == [question])
  for name in ["Paired", "Bonded", "Connected", "ServicesResolved"] {
    #expect(try fixture.client.property(devicePath, device1, name) == .bool(true))
  }
  #expect(fixture.error(devicePath, device1, "Pair") == .alreadyExists)
}

@Test func pairingFailsWithoutAnAgentOrWithAWrongPasskeyOrARefusal() throws {
  let fixture = try DaemonFixture { $0.pairing = .passkeyEntry(123_456) }
  try fixture.discover()
  #expect(fixture.error(devicePath, device1, "Pair") == .authenticationFailed)
  try fixture.registerAgent("KeyboardOnly", passkey: 1)
  #expect(fixture.error(devicePath, device1, "Pair") == .authenticationFailed)
  fixture.strap.change { $0.pairing = .justWorks }
  try fixture.client.call("/org/bluez", agentManager1, "UnregisterAgent", [.objectPath("/agent")])
  try fixture.registerAgent("KeyboardDisplay", refuses: true)
  #expect(fixture.error(devicePath, device1, "Pair") == .authenticationFailed)
  #expect(try fixture.client.property(devicePath, device1, "Paired") == .bool(false))
}

@Test func pairingCanBeCanceled() throws {
  let fixture = try DaemonFixture {
    $0.pairing = .passkeyDisplay(7)
    $0.script.pairingDelay = 60
  }
  try fixture.discover()
  try fixture.registerAgent("DisplayOnly")
  let pending = fixture.client.begin(devicePath, device1, "Pair")
  try fixture.waitFor("Connected", true)
  #expect(fixture.error(devicePath, device1, "Pair") == .inProgress)
  try fixture.client.call(devicePath, device1, "CancelPairing")
  #expect(throws: BusError.authenticationCanceled) { try fixture.client.reply(to: pending) }
}

@Test func aStrapMayRequirePairingBeforeItSends() throws {
  let fixture = try DaemonFixture { $0.security = .pairedOnly }
  try fixture.discover()
  try fixture.connect()
  #expect(fixture.error(measurementPath, characteristic1, "StartNotify") == .notPaired)
  try fixture.registerAgent("NoInputNoOutput")
  try fixture.client.call(devicePath, device1, "Pair")
  try fixture.client.call(measurementPath, characteristic1, "StartNotify")
  #expect(fixture.strap.notify([0x00, 0x48]))
}

@Test func subscribingMayPairOnDemand() throws {
  var options = FakeBlueZ.Options()
  options.attributeTimeout = 0.1
  let fixture = try DaemonFixture(options: options) { $0.security = .pairsOnDemand }
  try fixture.discover()
  try fixture.connect()
  // Without an agent there is no answer; then the device is removed without a preceding Connected=false.
  let unanswered = fixture.client.begin(measurementPath, characteristic1, "StartNotify")
  #expect(fixture.client.waitForSignal { $0.member == "InterfacesRemoved" && $0.object == devicePath })
  #expect(!fixture.client.signals.contains { $0.change(of: "Connected") == .bool(false) })
  #expect(try fixture.client.reply(to: unanswered, seconds: 0.1) == nil)

  fixture.client.forgetSignals()
  try fixture.discover()
  try fixture.connect()
  try fixture.registerAgent("NoInputNoOutput")
  try fixture.client.call(measurementPath, characteristic1, "StartNotify")
  #expect(fixture.client.questions == ["RequestAuthorization"])
  #expect(try fixture.client.property(devicePath, device1, "Paired") == .bool(true))
}

@Test func aRefusedPairingOnDemandIsAnAttributeError() throws {
  let fixture = try DaemonFixture {
    $0.security = .pairsOnDemand
    $0.pairing = .rejected
  }
  try fixture.discover()
  try fixture.connect()
  try fixture.registerAgent("NoInputNoOutput")
  #expect(
    fixture.error(measurementPath, characteristic1, "StartNotify")
      == .failed("Operation failed with ATT error: 0x0e"))
}
