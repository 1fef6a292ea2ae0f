import DBus
import FakeBlueZ
import Glibc
import Synchronization
import TestSupport
import Testing

/// A service on a private bus.
@Suite struct BusServiceTests {
  private static let object = ServedObject(path: "/a/b", interface: "x.Y", introspection: "<node/>")

  /// A source whose property counts, as fast as its waits end.
  private struct Counter: BusServiceSource {
    let end: Ended
    var count = 0.0

    var properties: [String: DBusValue] { ["Count": .double(count)] }
    var hasEnded: Bool { end.value.withLock { $0 } }

    mutating func wait(atMost milliseconds: CInt, polling others: [pollfd]) {
      var others = others
      _ = poll(&others, nfds_t(others.count), min(milliseconds, 20))
      count += 1
    }

    mutating func perform(_ call: IncomingMessage, _ signature: String) throws(BusError) -> [DBusValue]? {
      guard call.member == "Fail" else { return nil }
      throw BusError(name: "x.Y.Error.No", message: "it")
    }

    mutating func takeSignals() -> [(member: String, arguments: [DBusValue])] { [] }
    var changed: [DBusValue] { Array(properties.values) }
  }

  private final class Ended: Sendable { let value = Mutex(false) }

  /// Lines of a report.
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func append(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  private func service(
    at address: String, _ ended: Ended = Ended(), _ lines: Lines = Lines()
  ) -> BusService {
    let service = BusService(at: address, name: "x.Y", object: Self.object) { lines.append($0) }
    service.start { Counter(end: ended) }
    return service
  }

  private func count(_ address: String) -> Double? {
    let call = MethodCall(
      destination: "x.Y", path: "/a/b", interface: StandardInterface.properties, member: "Get",
      arguments: [.string("x.Y"), .string("Count")])
    let values = try? PolledBusConnection(address: address).call(call)
    return if case .double(let count)? = values?.first?.unwrapped { count } else { nil }
  }

  private func owner(_ address: String) -> String? {
    let call = MethodCall.onDaemon("GetNameOwner", [.string("x.Y")])
    return try? PolledBusConnection(address: address).call(call).first?.string
  }

  @Test("The second service takes over when the first one ends") func takeOver() throws {
    let bus = try PrivateBus()
    let (first, second) = (Ended(), Ended())
    let services = [service(at: bus.address, first)]
    #expect(holds { count(bus.address) != nil })
    let owner = owner(bus.address)
    let next = service(at: bus.address, second)
    usleep(200_000)
    #expect(self.owner(bus.address) == owner)
    first.value.withLock { $0 = true }
    #expect(holds { self.owner(bus.address).map { $0 != owner } ?? false })
    #expect(count(bus.address) != nil)
    next.stop()
    #expect(holds { self.owner(bus.address) == nil })
    for service in services { service.stop() }
  }

  @Test("Signals arrive at most once per second, however fast the values change") func rate() throws {
    let bus = try PrivateBus()
    let listener = try PolledBusConnection(address: bus.address)
    listener.addMatch("type='signal',path='/a/b'")
    listener.flush()
    let service = service(at: bus.address)
    defer { service.stop() }
    var members: [String] = []
    let end = monotonicSeconds() + 3.5
    while monotonicSeconds() < end {
      _ = listener.transfer(milliseconds: 50)
      while let message = listener.next() {
        if message.path == "/a/b" { members.append(message.member) }
      }
    }
    #expect((2...4).contains(members.count { $0 == "PropertiesChanged" }), "\(members)")
    #expect(members.count { $0 == "PropertiesChanged" } == members.count { $0 == "Changed" })
  }

  @Test("A missing bus is reported once; a bus that returns is used again") func restart() throws {
    let bus = try PrivateBus()
    bus.stop()
    let lines = Lines()
    let service = service(at: bus.address, Ended(), lines)
    defer { service.stop() }
    #expect(holds { !lines.all.isEmpty })
    try bus.start()
    #expect(holds { count(bus.address) != nil })
    #expect(lines.all.count == 1, "\(lines.all)")
    bus.stop()
    #expect(holds { lines.all.contains { $0.contains("ended") } })
    try bus.start()
    #expect(holds { count(bus.address) != nil })
  }

  @Test("Errors of methods are error replies, and text of megabytes does not end the service")
  func errors() throws {
    let bus = try PrivateBus()
    let service = service(at: bus.address)
    defer { service.stop() }
    #expect(holds { count(bus.address) != nil })
    let client = try PolledBusConnection(address: bus.address)
    func call(_ member: String, _ arguments: [DBusValue] = []) -> String? {
      do {
        try client.call(
          MethodCall(
            destination: "x.Y", path: "/a/b", interface: "x.Y", member: member, arguments: arguments))
        return nil
      } catch { return error.name }
    }
    #expect(call("Fail") == "x.Y.Error.No")
    #expect(call("Fall", [.string(String(repeating: "x", count: 4 << 20))]) == BusError.unknownMethod)
    #expect(count(bus.address) != nil)
  }
}

/// Whether `condition` becomes true before a timeout of minutes.
private func holds(_ condition: () -> Bool) -> Bool {
  let deadline = monotonicSeconds() + Program.patience
  while !condition() {
    if monotonicSeconds() > deadline { return false }
    usleep(5000)
  }
  return true
}
