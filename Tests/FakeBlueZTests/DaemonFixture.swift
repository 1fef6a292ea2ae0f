import DBus
import FakeBlueZ

let strapAddress = "C0:00:00:00:00:01"
let adapterPath = "/org/bluez/hci0"
let devicePath = adapterPath + "/dev_C0_00_00_00_00_01"
let measurementPath = devicePath + "/service0010/char0011"
let locationPath = devicePath + "/service0010/char0014"

let adapter1 = "org.bluez.Adapter1"
let device1 = "org.bluez.Device1"
let characteristic1 = "org.bluez.GattCharacteristic1"
let battery1 = "org.bluez.Battery1"

/// A bus, a fake bluetoothd with one strap, and a client.
final class DaemonFixture {
  let bus: PrivateBus
  let fake: FakeBlueZ
  let strap: StrapControl
  let client: BusClient

  init(
    policy: PrivateBus.Policy = .everything, options: FakeBlueZ.Options = .init(),
    _ change: (inout FakeStrap) -> Void = { _ in }
  ) throws {
    bus = try PrivateBus(policy: policy)
    fake = try FakeBlueZ(address: bus.address, options: options)
    var strap = FakeStrap(address: strapAddress, name: "Polar H10 TEST")
    strap.script.disconnectDelay = 0.05
    change(&strap)
    self.strap = fake.add(strap)
    client = try BusClient(address: bus.address)
  }

  func anotherClient() throws -> BusClient { try BusClient(address: bus.address) }

  /// The calls of a correct client until the link is established.
  func discover() throws {
    try client.call(
      adapterPath, adapter1, "SetDiscoveryFilter",
      [.properties(["Transport": .string("le"), "UUIDs": .strings([GATT.heartRateService])])])
    try client.call(adapterPath, adapter1, "StartDiscovery")
    guard client.waitForSignal(where: { $0.member == "InterfacesAdded" && $0.object == devicePath }) else {
      throw Missing(what: "InterfacesAdded for \(devicePath)")
    }
    try client.call(adapterPath, adapter1, "StopDiscovery")
  }

  func connect() throws {
    try client.call(devicePath, device1, "Connect")
    try waitFor("ServicesResolved", true)
  }

  func subscribe() throws {
    try discover()
    try connect()
    try client.call(measurementPath, characteristic1, "StartNotify")
  }

  func waitFor(_ name: String, _ value: Bool, of path: String = devicePath) throws {
    guard client.waitForSignal(where: { $0.path == path && $0.change(of: name) == .bool(value) }) else {
      throw Missing(what: "\(name) = \(value)")
    }
  }

  /// The error of a call; nil if it succeeds.
  func error(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [])
    -> BusError?
  {
    do throws(BusError) {
      try client.call(path, interface, member, arguments)
      return nil
    } catch { return error }
  }

  /// The signalled values of the strap's characteristic.
  var values: [[UInt8]] {
    client.signals.filter { $0.path == measurementPath }.compactMap { $0.change(of: "Value")?.bytes }
  }

  struct Missing: Error { let what: String }
}
