import FakeBlueZ
import Testing

private let agentManager1 = "org.bluez.AgentManager1"

extension Scene {
  /// Registers the client as the default agent, which answers RequestPasskey with `passkey`.
  fileprivate func registerAgent(_ capability: String, passkey: UInt32 = 0, refuses: Bool = false) throws {
    client.answer = { member, _ in
      if refuses { return .failure(BusError("org.bluez.Error.Rejected", "no")) }
      return .success(member == "RequestPasskey" ? [.uint32(passkey)] : [])
    }
    try client.call(
      "/org/bluez", agentManager1, "RegisterAgent", [.path("/agent"), .string(capability)])
    try client.call("/org/bluez", agentManager1, "RequestDefaultAgent", [.path("/agent")])
  }
}

@Test(arguments: [
  (FakeStrap.Pairing.justWorks, "NoInputNoOutput", "RequestAuthorization"),
  (.passkeyEntry(123_456), "KeyboardOnly", "RequestPasskey"),
  (.passkeyDisplay(7), "DisplayOnly", "DisplayPasskey"),
  (.confirmation(42), "KeyboardDisplay", "RequestConfirmation"),
])
func pairingAsksTheAgent(pairing: FakeStrap.Pairing, capability: String, question: String) throws {
  let scene = try Scene { $0.pairing = pairing }
  try scene.discover()
  try scene.registerAgent(capability, passkey: 123_456)
  try scene.client.call(devicePath, device1, "Pair")
  #expect(scene.client.questions == [question])
  for name in ["Paired", "Bonded", "Connected", "ServicesResolved"] {
    #expect(try scene.client.property(devicePath, device1, name) == .bool(true))
  }
  #expect(scene.error(devicePath, device1, "Pair") == .alreadyExists)
}

@Test func pairingFailsWithoutAnAgentOrWithAWrongPasskeyOrARefusal() throws {
  let scene = try Scene { $0.pairing = .passkeyEntry(123_456) }
  try scene.discover()
  #expect(scene.error(devicePath, device1, "Pair") == .authenticationFailed)
  try scene.registerAgent("KeyboardOnly", passkey: 1)
  #expect(scene.error(devicePath, device1, "Pair") == .authenticationFailed)
  scene.strap.change { $0.pairing = .justWorks }
  try scene.client.call("/org/bluez", agentManager1, "UnregisterAgent", [.path("/agent")])
  try scene.registerAgent("KeyboardDisplay", refuses: true)
  #expect(scene.error(devicePath, device1, "Pair") == .authenticationFailed)
  #expect(try scene.client.property(devicePath, device1, "Paired") == .bool(false))
}

@Test func pairingCanBeCanceled() throws {
  let scene = try Scene {
    $0.pairing = .passkeyDisplay(7)
    $0.script.pairingDelay = 60
  }
  try scene.discover()
  try scene.registerAgent("DisplayOnly")
  let pending = scene.client.begin(devicePath, device1, "Pair")
  try scene.waitFor("Connected", true)
  #expect(scene.error(devicePath, device1, "Pair") == .inProgress)
  try scene.client.call(devicePath, device1, "CancelPairing")
  #expect(throws: BusError.authenticationCanceled) { try scene.client.reply(to: pending) }
}

@Test func aStrapMayWantToBePairedBeforeItSends() throws {
  let scene = try Scene { $0.security = .pairedOnly }
  try scene.discover()
  try scene.connect()
  #expect(scene.error(measurementPath, characteristic1, "StartNotify") == .notPaired)
  try scene.registerAgent("NoInputNoOutput")
  try scene.client.call(devicePath, device1, "Pair")
  try scene.client.call(measurementPath, characteristic1, "StartNotify")
  #expect(scene.strap.notify([0x00, 0x48]))
}

@Test func subscribingMayPairOnDemand() throws {
  var options = FakeBlueZ.Options()
  options.attributeTimeout = 0.1
  let scene = try Scene(options: options) { $0.security = .pairsOnDemand }
  try scene.discover()
  try scene.connect()
  // Without an agent there is no answer, and then no device, with no Connected=false before.
  let unanswered = scene.client.begin(measurementPath, characteristic1, "StartNotify")
  #expect(scene.client.waitForSignal { $0.member == "InterfacesRemoved" && $0.object == devicePath })
  #expect(!scene.client.signals.contains { $0.change(of: "Connected") == .bool(false) })
  #expect(try scene.client.reply(to: unanswered, seconds: 0.1) == nil)

  scene.client.forgetSignals()
  try scene.discover()
  try scene.connect()
  try scene.registerAgent("NoInputNoOutput")
  try scene.client.call(measurementPath, characteristic1, "StartNotify")
  #expect(scene.client.questions == ["RequestAuthorization"])
  #expect(try scene.client.property(devicePath, device1, "Paired") == .bool(true))
}

@Test func aRefusedPairingOnDemandIsAnAttributeError() throws {
  let scene = try Scene {
    $0.security = .pairsOnDemand
    $0.pairing = .rejected
  }
  try scene.discover()
  try scene.connect()
  try scene.registerAgent("NoInputNoOutput")
  #expect(
    scene.error(measurementPath, characteristic1, "StartNotify")
      == .failed("Operation failed with ATT error: 0x0e"))
}
