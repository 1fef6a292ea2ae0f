import DBus
import FakeBlueZ
import Glibc
import TestSupport
import Testing

/// Security finding R1: in a crowd, bluetoothd adds hundreds of devices per second while another program scans.
@Suite(.ownThreads) struct CrowdTests {
  private static let rate = 200
  private static let seconds = 10

  /// Announces a device as BlueZ does.
  private static func appear(_ number: Int, in air: Air) {
    let address = [0xD0, 0, 0, number >> 16, number >> 8, number].map { [UInt8(truncatingIfNeeded: $0)].hex }
    let properties: [String: DBusValue] = [
      "Address": .string(address.joined(separator: ":")), "Name": .string("Device \(number)"),
      "Alias": .string("Device \(number)"), "AddressType": .string("random"), "RSSI": .int16(-70),
      "Connected": .bool(false), "Paired": .bool(false), "ServicesResolved": .bool(false),
      "Adapter": .objectPath("/org/bluez/hci0"), "UUIDs": .strings([]),
    ]
    air.fake.emitSignal(
      "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
      [
        .objectPath("/org/bluez/hci0/dev_" + address.joined(separator: "_")),
        .properties(["org.bluez.Device1": .properties(properties)]),
      ])
  }

  /// The processor time of a process in seconds.
  private static func processorTime(of process: Int32) throws -> Double {
    let status = try #require(text(ofFile: "/proc/\(process)/stat"))
    let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = try #require(
      fields.count > 12 ? Double(fields[11]).map { $0 + (Double(fields[12]) ?? 0) } : nil)
    return ticks / Double(sysconf(CInt(_SC_CLK_TCK)))
  }

  @Test("200 new devices per second take less than a quarter of a core, and no beat is lost")
  func crowd() throws {
    let air = try Air()
    let strap = air.strap()
    let program = try air.live(strap)
    let (before, start) = (try Self.processorTime(of: program.processID), monotonicSeconds())
    for number in 0..<Self.rate * Self.seconds {
      Self.appear(number, in: air)
      if number % Self.rate == 0 { strap.notify([0x10, 0x48, 0, 4]) }
      let due = start + Double(number + 1) / Double(Self.rate)
      let wait = due - monotonicSeconds()
      if wait > 0 { usleep(UInt32(wait * 1e6)) }
    }
    let notifications = try program.wait(for: Self.seconds, "notification")
    let used = try Self.processorTime(of: program.processID) - before
    let elapsed = monotonicSeconds() - start
    #expect(notifications.rr == Array(repeating: 1000, count: Self.seconds))
    #expect(used / elapsed < 0.25, "\(used) s of \(elapsed) s")
    program.signal(SIGINT)
    #expect(try program.waitForExit() == .signalled(SIGINT))
  }
}
