import FakeBlueZ
import HeartRate
import Logging

@testable import Strap

/// A private bus with a fake bluetoothd and a strap.
final class StrapFixture {
  static let address = "C0:00:00:00:00:01"

  let bus: PrivateBus
  let fake: FakeBlueZ
  let strap: StrapControl

  init(
    policy: PrivateBus.Policy = .everything, options: FakeBlueZ.Options = .init(),
    _ change: (inout FakeStrap) -> Void = { _ in }
  ) throws {
    bus = try PrivateBus(policy: policy)
    fake = try FakeBlueZ(address: bus.address, options: options)
    var strap = FakeStrap(address: Self.address, name: "Polar H10 TEST")
    strap.script.disconnectDelay = 0.05
    change(&strap)
    self.strap = fake.add(strap)
  }

  static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// Shortened timeouts, in the same order as the defaults.
  static var timing: LinkTiming {
    var timing = LinkTiming()
    timing.settle = .milliseconds(300)
    timing.narrowScan = .milliseconds(500)
    timing.adapterGrace = .milliseconds(200)
    timing.link = .milliseconds(500)
    timing.confirm = .milliseconds(200)
    timing.search = .seconds(20)
    return timing
  }

  func source(_ selection: StrapSelection = .address(address), search: Duration? = .seconds(20)) -> BlueZStrap
  {
    var source = BlueZStrap(selection, logger: Self.quiet)
    source.busAddress = bus.address
    source.timing = Self.timing
    source.timing.search = search
    return source
  }

  var bluez: BlueZ {
    var bluez = BlueZ(logger: Self.quiet)
    bluez.busAddress = bus.address
    bluez.timing = Self.timing
    return bluez
  }

  /// The names of the methods called so far.
  var called: [String] { fake.calls.map(\.member) }

  func numbered(_ count: Int) -> [[UInt8]] {
    (0..<count).map { [0x00, 0x40, UInt8($0 & 0xff), UInt8($0 >> 8)] }
  }
}

/// The events of a session, by kind.
struct ReceivedEvents: Sendable {
  var payloads: [[UInt8]] = []
  var times: [SessionTime] = []
  var links: [LinkChange] = []
  var batteries: [BatteryLevel] = []
  var frames: [[UInt8]] = []
  var streams: [SensorStreamChange] = []

  var states: [LinkChange.State] { links.map(\.state) }

  mutating func add(_ event: SessionEvent) {
    times.append(event.at)
    switch event.kind {
    case .notification(let payload): payloads.append(payload)
    case .link(let change): links.append(change)
    case .battery(let level): batteries.append(level)
    case .sensorFrame(let payload): frames.append(payload)
    case .stream(let change): streams.append(change)
    default: break
    }
  }
}

extension BlueZStrap {
  /// Runs a session until `isEnough` returns true; `act` is called with each event before.
  func listen(
    until isEnough: (ReceivedEvents) -> Bool, acting act: (SessionEvent) async throws -> Void = { _ in }
  ) async throws -> ReceivedEvents {
    try await withEvents { events in
      var received = ReceivedEvents()
      for try await event in events {
        received.add(event)
        try await act(event)
        if isEnough(received) { break }
      }
      return received
    }
  }
}
