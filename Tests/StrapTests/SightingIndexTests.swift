import DBus
import TestSupport
import Testing

@testable import Strap

/// Security finding R1: devices that appear in a crowd are applied one by one and evaluated together.
@Suite struct SightingIndexTests {
  private static let manager = "org.freedesktop.DBus.ObjectManager"

  private static func signal(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue])
    -> IncomingMessage
  {
    IncomingMessage(sender: ":1.5", path: path, interface: interface, member: member, arguments: arguments)
  }

  /// A random change of one of a few devices, of their characteristics, or of the adapter.
  private static func change(_ random: inout SeededGenerator) -> IncomingMessage {
    let device = "\(ObjectTreeTests.hci1)/dev_C0_00_00_00_00_0\(Int.random(in: 1...4, using: &random))"
    let path = Bool.random(using: &random) ? device : device + "/service0001/char0002"
    let interface = path == device ? Device.interface : "org.bluez.GattCharacteristic1"
    let properties: [String: DBusValue] = [
      "Address": .string("C0:00:00:00:00:0\(device.last ?? "0")"),
      "UUID": .string(GATTUUID.heartRateMeasurement),
      "Connected": .bool(.random(using: &random)), "RSSI": .int16(.random(in: -90 ... -40, using: &random)),
    ]
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return signal("/", manager, "InterfacesRemoved", [.objectPath(path), .strings([interface])])
    case 1:
      return signal(
        path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
        [.string(interface), .properties(properties), .strings(["ServicesResolved"])])
    default:
      return signal(
        "/", manager, "InterfacesAdded",
        [.objectPath(path), .properties([interface: .properties(properties)])])
    }
  }

  @Test("Updated sightings equal those derived from all objects", arguments: 0..<20 as Range<UInt64>)
  func updates(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var tree = ObjectTreeTests.tree()
    let adapter = try #require(tree.adapter("hci1"))
    var index = SightingIndex()
    index.select(adapter, in: tree)
    for _ in 0..<200 {
      let signal = Self.change(&random)
      guard tree.apply(signal) else { continue }
      _ = index.update(ObjectTree.path(of: signal), in: tree)
      var expected = SightingIndex()
      expected.select(adapter, in: tree)
      #expect(index.all == expected.all)
    }
  }

  @Test func aChangeStatesTheAddressOfItsDevice() {
    var tree = ObjectTreeTests.tree()
    var index = SightingIndex()
    index.select(tree.adapter("hci1"), in: tree)
    let characteristic = ObjectTreeTests.device + "/service0001/char0002"
    #expect(index.update(characteristic, in: tree) == "C0:00:00:00:00:01")
    #expect(index.update(ObjectTreeTests.hci1, in: tree) == nil && index.update("/", in: tree) == nil)
    _ = tree.apply(
      Self.signal(
        "/", Self.manager, "InterfacesRemoved",
        [.objectPath(ObjectTreeTests.device), .strings([Device.interface])]))
    #expect(index.update(ObjectTreeTests.device, in: tree) == "C0:00:00:00:00:01" && index.all.isEmpty)
  }

  @Test func otherDevicesAreEvaluatedOncePerInterval() {
    var throttle = EvaluationThrottle()
    let second = Duration.seconds(1)
    #expect(throttle.change(at: .zero, interval: second) == .now)
    throttle.evaluated(at: .zero)
    #expect(throttle.change(at: .milliseconds(200), interval: second) == .after(.milliseconds(800)))
    #expect(throttle.change(at: .milliseconds(300), interval: second) == .scheduled)
    throttle.unschedule()
    throttle.evaluated(at: second)
    #expect(throttle.change(at: .milliseconds(1500), interval: second) == .after(.milliseconds(500)))
    throttle.unschedule()
    #expect(throttle.change(at: .seconds(2), interval: second) == .now)
  }
}
