import FakeBlueZ
import Glibc
import Synchronization
import TestSupport

/// A machine with Bluetooth: a private bus, a fake bluetoothd, and a home whose program uses them.
final class Air {
  let bus: PrivateBus
  let fake: FakeBlueZ
  let home: Home
  private let sent = SentPayloads()

  init(
    adapter: String? = "00:AA:01:00:00:00", policy: PrivateBus.Policy = .everything,
    options: FakeBlueZ.Options = .init()
  ) throws {
    bus = try PrivateBus(policy: policy)
    fake = try FakeBlueZ(address: bus.address, adapter: adapter, options: options)
    home = try Home(bus: bus.address)
    fake.onSent { [sent] in sent.append($0.payload) }
  }

  /// The payloads that the straps sent to subscribers, in order.
  var payloads: [[UInt8]] { sent.all }

  /// Adds a strap in range that ends its links quickly.
  @discardableResult
  func strap(
    _ address: String = Air.address, _ name: String? = "Polar H10 TEST",
    _ change: (inout FakeStrap) -> Void = { _ in }
  ) -> StrapControl {
    var strap = FakeStrap(address: address, name: name)
    strap.script.disconnectDelay = 0.05
    change(&strap)
    return fake.add(strap)
  }

  /// Starts a live session with `strap` and JSON output, and waits until it is subscribed.
  func live(_ strap: StrapControl, _ arguments: [String] = []) throws -> Program {
    let program = try home.start(["live", "--json", "--strap", strap.address] + arguments)
    guard strap.subscribed() else { throw NobodySubscribed() }
    return program
  }

  static let address = "C0:00:00:00:00:01"
  static let other = "C0:00:00:00:00:02"

  struct NobodySubscribed: Error {}
}

extension StrapControl {
  /// Waits until a program has subscribed.
  func subscribed() -> Bool { holds { subscriberCount > 0 } }
}

/// Whether `condition` becomes true before a timeout of minutes.
func holds(_ condition: () -> Bool) -> Bool {
  let deadline = monotonicSeconds() + Program.patience
  while !condition() {
    if monotonicSeconds() > deadline { return false }
    usleep(5000)
  }
  return true
}

private final class SentPayloads: Sendable {
  private let payloads = Mutex<[[UInt8]]>([])
  var all: [[UInt8]] { payloads.withLock { $0 } }
  func append(_ payload: [UInt8]) { payloads.withLock { $0.append(payload) } }
}

/// Notifications of one RR each, in 1/1024 s, with heart rate 72.
func beats(_ units: [UInt16]) -> [[UInt8]] {
  units.map { [0x10, 0x48, UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
}

/// Synthetic RR intervals between 700 and 900 ms in 1/1024 s, each different from its neighbours.
func madeUpRR(_ count: Int) -> [UInt16] {
  var generator = SeededGenerator(seed: 7)
  return (0..<count).map { _ in UInt16.random(in: 717...921, using: &generator) }
}

extension [UInt16] {
  /// In ms; exact, because the values are multiples of 1/128 ms.
  var milliseconds: [Double] { map { Double($0) * 125 / 128 } }
}

extension [JSONValue] {
  /// The RR of all notifications, in ms.
  var rr: [Double] { of(type: "notification").flatMap { $0["rr_ms"]?.numbers ?? [] } }
  /// The states of the link in order, without `stale`, which can occur briefly on a busy machine.
  var linkStates: [String] { of(type: "link").compactMap { $0["state"]?.text }.filter { $0 != "stale" } }
}

/// A file of JSON lines.
struct JSONLinesFile {
  let lines: [JSONValue]

  init(_ path: String) throws {
    lines = try (text(ofFile: path) ?? "").split(separator: "\n").map { try JSONValue(String($0)) }
  }
}

extension [UInt8] {
  /// Two digits each.
  var hex: String {
    map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
