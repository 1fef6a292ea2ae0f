import DBus
import HeartRate
import TestSupport
import Testing

@testable import Strap

/// Invariants that hold for random sequences of events.
@Suite struct LinkPropertyTests {
  private static let errors: [BusError?] = [
    nil, nil, nil, .bluez("InProgress", "In Progress"), .bluez("Failed", "le-connection-abort-by-local"),
    .bluez("NotReady"), .bluez("NotPermitted", "Notify acquired"), .bluez("NotConnected"), .closed,
    BusError(name: BusError.unknownObject, message: ""), BusError(name: BusError.noReply, message: ""),
  ]

  private static func change(_ snapshot: inout BluetoothSnapshot, _ random: inout SeededGenerator) {
    let strap = Bool.random(using: &random) ? LinkHarness.strap : LinkHarness.other
    switch Int.random(in: 0..<8, using: &random) {
    case 0: snapshot.advertise(strap)
    case 1, 2: snapshot.link(strap)
    case 3: snapshot.resolve(strap, measurement: LinkHarness.path)
    case 4: snapshot.resolve(strap, measurement: nil)
    case 5: snapshot.unlink(strap)
    case 6: snapshot.forget(strap)
    default: snapshot.adapter = Bool.random(using: &random) ? .ready : .off(name: "hci0")
    }
  }

  private static func step(_ link: inout LinkHarness, _ random: inout SeededGenerator) -> [LinkHarness.Action]
  {
    link.now += .milliseconds(Int.random(in: 0..<3000, using: &random))
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: return link.wait()
    case 2, 3: return link.complete(errors.randomElement(using: &random) ?? nil)
    case 4: return link.send(.notification)
    case 5: return link.send(.tick)
    case 6:
      guard Int.random(in: 0..<10, using: &random) == 0 else { return link.send(.serviceAppeared) }
      return link.send(.detached(LinkFailure(kind: .noService, message: "gone")))
    default: return link.see { change(&$0, &random) }
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func invariantsHoldForRandomEvents(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var link = LinkHarness(
      seed % 2 == 0 ? .any : .address(LinkHarness.strap.address), search: seed % 3 == 0 ? .seconds(30) : nil)
    _ = link.send(.start)
    var claimed = LinkChange.State.searching
    var scans = false
    for _ in 0..<500 {
      let was = link.machine.state
      var actions = Self.step(&link, &random)
      // A tick at the deadline moves the deadline, so that the timer does not loop.
      if let deadline = link.machine.nextDeadline, deadline <= link.now { actions += link.send(.tick) }
      if let deadline = link.machine.nextDeadline { #expect(deadline > link.now, "\(link.machine.state)") }
      if was == .ended { #expect(actions.isEmpty) }
      if link.snapshot.adapter != .ready { scans = false }  // it ends with the power
      for operation in actions.operations {
        if case .startScan = operation { scans = true }
        if operation == .stopScan || operation == .attach(startService: false) { scans = false }
        if case .connect = operation { #expect(!scans, "connects while it scans") }
      }
      for state in actions.reports {
        #expect(state != .stale || claimed == .connected, "stale after \(claimed)")
        claimed = state
      }
    }
  }

  /// The limit is the maximum back-off, a Disconnect that has not taken effect yet, and some replies.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func dataResumeWithinTheBackOffAfterRecovery(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var link = LinkHarness(search: nil)
    _ = link.stream()
    for _ in 0..<Int.random(in: 1...300, using: &random) { _ = Self.step(&link, &random) }
    _ = link.see {
      $0.adapter = .ready
      $0.forget(LinkHarness.strap)
    }
    _ = link.send(.serviceAppeared)
    let mended = link.now
    let timing = link.machine.timing
    while !link.machine.state.isStreaming, link.now < mended + .seconds(600) { Self.answer(&link) }
    #expect(link.now - mended <= timing.longestBackoff + timing.disconnect + .seconds(1))
  }

  /// A bluetoothd and a strap without faults; each answer takes 100 ms.
  private static func answer(_ link: inout LinkHarness) {
    guard let operation = link.underWay else {
      _ = link.wait()
      return
    }
    link.now += .milliseconds(100)
    switch operation {
    case .connect where link.snapshot.sighting(of: LinkHarness.strap) != nil:
      _ = link.see {
        $0.link(LinkHarness.strap)
        $0.resolve(LinkHarness.strap, measurement: LinkHarness.path)
      }
      _ = link.complete()
    case .startScan:
      _ = link.complete()
      _ = link.see { $0.advertise(LinkHarness.strap) }
    case .disconnect:
      _ = link.complete()
      _ = link.see { $0.unlink(LinkHarness.strap) }
    default: _ = link.complete()
    }
  }

  @Test func backOffGrowsExponentiallyWithJitter() {
    var backoff = LinkBackoff(seed: 7)
    for failures in [0, 1, 3, 5, 100, .max] {
      let plain = min(0.5 * Double(1 << min(failures, 10)), 15)
      for _ in 0..<1000 {
        let delay = backoff.delay(afterFailures: failures)
        #expect(delay >= .seconds(plain / 2) && delay <= .seconds(min(plain * 1.5, 15)))
      }
    }
  }
}
