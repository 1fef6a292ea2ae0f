import DBus
import HeartRate
import TestSupport
import Testing

@testable import Strap

@Suite struct ObjectTreeTests {
  static let hci1 = "/org/bluez/hci1"
  static let device = hci1 + "/dev_C0_00_00_00_00_01"

  static func tree() -> ObjectTree {
    let adapter = { (address: String, powered: Bool) -> DBusValue in
      .properties([
        "org.bluez.Adapter1": .properties(["Address": .string(address), "Powered": .bool(powered)])
      ])
    }
    let characteristic = { (uuid: String) -> DBusValue in
      .properties(["org.bluez.GattCharacteristic1": .properties(["UUID": .string(uuid)])])
    }
    return ObjectTree(managedObjects: [
      .properties([
        "/org/bluez/hci10": adapter("00:00:00:00:00:10", true),
        "/org/bluez/hci2": adapter("00:00:00:00:00:02", true),
        hci1: adapter("00:00:00:00:00:01", false),
        device: .properties([
          "org.bluez.Device1": .properties([
            "Address": .string("C0:00:00:00:00:01"), "Name": .string("Polar H10 TEST"), "RSSI": .int16(127),
            "ServiceData": .properties([GATTUUID.heartRate: .bytes([])]),
          ]),
          "org.bluez.Battery1": .properties(["Percentage": .byte(87)]),
        ]),
        hci1 + "0/dev_X": .properties(["org.bluez.Device1": .properties(["Address": .string("X")])]),
        device + "/service0001/char0002": characteristic(GATTUUID.heartRateMeasurement.uppercased()),
        device + "1/service0001/char0002": characteristic(GATTUUID.bodySensorLocation),
      ])
    ])!
  }

  @Test func theFirstPoweredOrTheRequestedAdapterIsSelected() {
    let tree = Self.tree()
    #expect(tree.adapters.map(\.name) == ["hci1", "hci2", "hci10"])
    #expect(tree.adapter(nil)?.name == "hci2")
    #expect(tree.adapter("hci1")?.name == "hci1")
    #expect(tree.adapter("00:00:00:00:00:10")?.name == "hci10")
    #expect(tree.adapter("hci3") == nil)
  }

  /// `hci1` is a prefix of `hci10`; device paths have the same problem.
  @Test func pathsWithACommonPrefixAreDistinguished() throws {
    let tree = Self.tree()
    let adapter = try #require(tree.adapter("hci1"))
    let device = try #require(tree.devices(of: adapter).first)
    #expect(tree.devices(of: adapter).count == 1)
    #expect(
      tree.characteristic(GATTUUID.heartRateMeasurement, of: device) == Self.device + "/service0001/char0002")
    #expect(tree.characteristic(GATTUUID.bodySensorLocation, of: device) == nil)
    #expect(tree.battery(of: device) == BatteryLevel(percent: 87))
    #expect(device.found == FoundStrap(strap: StrapIdentity(address: device.address, name: "Polar H10 TEST")))
  }

  @Test func signalsUpdateTheTree() throws {
    var tree = Self.tree()
    func signal(_ interface: String, _ member: String, _ arguments: [DBusValue]) -> IncomingMessage {
      IncomingMessage(
        sender: ":1.5", path: Self.device, interface: interface, member: member, arguments: arguments)
    }
    let properties = "org.freedesktop.DBus.Properties"
    let manager = "org.freedesktop.DBus.ObjectManager"
    _ = tree.apply(
      signal(
        properties, "PropertiesChanged",
        [.string("org.bluez.Device1"), .properties(["Connected": .bool(true)]), .strings(["RSSI"])]))
    let adapter = try #require(tree.adapter("hci1"))
    var device = try #require(tree.device(address: "C0:00:00:00:00:01", of: adapter))
    #expect(device.connected)
    #expect(device.rssi == nil)
    _ = tree.apply(
      signal(
        manager, "InterfacesRemoved", [.objectPath(Self.device), .strings(["org.bluez.Battery1"])]))
    #expect(tree.battery(of: device) == nil)
    let battery = DBusValue.properties(["org.bluez.Battery1": .properties(["Percentage": .byte(101)])])
    _ = tree.apply(signal(manager, "InterfacesAdded", [.objectPath(Self.device), battery]))
    #expect(tree.battery(of: device) == nil)
    device.path += "9"
    let before = tree
    _ = tree.apply(
      IncomingMessage(
        sender: ":1.5", path: device.path, interface: properties, member: "PropertiesChanged",
        arguments: [.string("org.bluez.Device1"), .properties(["Connected": .bool(true)]), .strings([])]))
    #expect(tree == before)
  }

  @Test(arguments: [
    [], [DBusValue.string("x")], [.objectPath("/a")], [.objectPath("/a"), .string("x")],
    [.uint32(1), .uint32(2), .uint32(3)], [.string("x"), .string("y"), .string("z")],
  ])
  func unexpectedSignalsAreIgnored(_ arguments: [DBusValue]) {
    var tree = Self.tree()
    for member in ["InterfacesAdded", "InterfacesRemoved", "PropertiesChanged"] {
      for interface in ["org.freedesktop.DBus.Properties", "org.freedesktop.DBus.ObjectManager"] {
        _ = tree.apply(
          IncomingMessage(sender: "", path: "/", interface: interface, member: member, arguments: arguments))
      }
    }
    #expect(tree == Self.tree())
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func corruptedSignalsAreAppliedOrIgnoredWithoutATrap(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let signal = try #require(
      DBusMessage.signal(
        Self.device, "org.freedesktop.DBus.Properties", "PropertiesChanged",
        [.string("org.bluez.Device1"), .properties(["Connected": .bool(true)]), .strings(["RSSI"])]))
    var applied = 0
    for _ in 0..<2000 {
      guard let message = DBusMessage(bytes: signal.bytes.corrupted(using: &random)) else { continue }
      var tree = Self.tree()
      if tree.apply(message.incoming) { applied += 1 }
      _ = ObjectTree(managedObjects: message.arguments)
    }
    #expect(applied > 0)
  }
}
