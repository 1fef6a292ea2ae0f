import DBus
import FakeBlueZ
import Glibc
import TestSupport
import Testing

/// Live sessions during the loss and return of the strap, bluetoothd or the adapter.
@Suite(.ownThreads) struct LinkFaultTests {
  /// A fault, with its repair if it does not end by itself.
  enum Fault: CaseIterable {
    case linkLost
    case anotherClientDisconnects
    case daemonTerminated
    case daemonKilled
    case adapterOff
    case adapterReplugged

    func happen(_ air: Air, _ strap: StrapControl) throws {
      switch self {
      case .linkLost: strap.loseLink()
      case .anotherClientDisconnects: strap.disconnectByAnotherClient()
      case .daemonTerminated, .daemonKilled:
        air.fake.stopDaemon(self == .daemonKilled ? .killed : .terminated)
        try air.fake.startDaemon()
      case .adapterOff:
        air.fake.setPower(false)
        air.fake.setPower(true)
      case .adapterReplugged:
        // The kernel assigns the next number.
        air.fake.removeAdapter("hci0")
        air.fake.addAdapter("hci1", address: "00:AA:01:00:00:00")
      }
    }
  }

  @Test(arguments: Fault.allCases)
  func aLostLinkIsAGapAndTheSessionContinues(fault: Fault) throws {
    let air = try Air()
    let strap = air.strap()
    let program = try air.live(strap)
    // Intervals are constant before and after the gap, so any difference above zero crosses it.
    strap.stream(beats([300]), rate: 1024 / 300, count: 10)
    try program.wait(for: 10, "measurement")
    try fault.happen(air, strap)
    try program.waitForLine { $0.contains("\"state\":\"lost\"") }
    #expect(strap.subscribed())
    strap.stream(beats([350]), rate: 1024 / 350, count: 10)
    try program.wait(for: 20, "measurement")
    program.signal(SIGINT)
    let live = try program.outcome()

    let lines = try live.json()
    #expect(lines.rr == (Array(repeating: 300, count: 10) + Array(repeating: 350, count: 10)).milliseconds)
    let gaps = lines.of(type: "gap")
    #expect(gaps.map { $0["cause"]?.text } == ["link-lost"])
    #expect((gaps.first?["duration_s"]?.number ?? 0) > 0)
    #expect(lines.of(type: "measurement").compactMap { $0["rmssd_ms"]?.number }.allSatisfy { $0 == 0 })
    let after = lines.drop { $0["state"]?.text != "lost" }
    let staleness = after.compactMap { $0["stale"]?.bool }
    // Values are stale from the loss to the next measurement, in every state of the link.
    #expect(staleness.prefix { $0 }.count >= 2 && staleness.drop { $0 }.first == false)
    #expect(after.first { $0["stale"]?.bool == false }?["type"]?.text == "measurement")
    let states = lines.linkStates
    let lost = try #require(states.firstIndex(of: "lost"))
    #expect(states[..<lost].last == "connected" && states.last == "connected")
    try expectStoredAsShown(live, air.home)
  }

  @Test func aSilentStrapIsStaleAndThenRecovers() throws {
    let air = try Air()
    let strap = air.strap()
    let program = try air.live(strap)
    strap.stream(beats([800]), rate: 10, count: 10)
    try program.wait(for: 10, "measurement")
    let stale = try JSONValue(program.waitForLine { $0.contains("\"state\":\"stale\"") })
    #expect(stale["stale"]?.bool == true)
    strap.stream(beats([800]), rate: 10)
    try program.waitForLines(2) { $0.contains("\"state\":\"connected\"") }
    program.signal(SIGINT)
    try expectStoredAsShown(try program.outcome(), air.home)
  }

  @Test func subscriptionsDroppedByBluetoothdAreRenewed() throws {
    let air = try Air()
    let strap = air.strap()
    let program = try air.live(strap)
    strap.stream(beats([800]), rate: 10)
    try program.wait(for: 10, "notification")
    strap.freeSessionsSilently()
    try program.waitForLine { $0.contains("\"state\":\"stale\"") }
    try program.waitForLines(2) { $0.contains("\"state\":\"connected\"") }
    program.signal(SIGINT)
    #expect(try program.waitForExit() == .signalled(SIGINT))
  }

  @Test func malformedPayloadsDoNotEndTheSession() throws {
    let air = try Air()
    let strap = air.strap()
    let program = try air.live(strap)
    let well = beats([800])[0]
    for payload in Payloads.hostile.map(\.bytes) {
      for bytes in [payload, well] { #expect(strap.notify(bytes)) }
    }
    strap.notify(wrongType: .string("no bytes"))
    strap.notify(wrongType: .uint32(7))
    strap.notify(wrongType: .array(of: "i", [.int32(7)]))
    #expect(strap.notify(well))
    let count = Payloads.hostile.count * 2 + 1
    try program.wait(for: count, "notification")
    program.signal(SIGINT)
    let live = try program.outcome()
    #expect(live.status == .signalled(SIGINT))
    let notifications = try live.json().of(type: "notification")
    #expect(notifications.count == count)
    func line(_ name: String) throws -> JSONValue {
      notifications[2 * (try #require(Payloads.hostile.firstIndex { $0.name == name }))]
    }
    #expect(try line("empty")["hex"]?.text == "")
    #expect(try line("empty")["error"]?.text != nil)
    #expect(try line("flags only")["hex"]?.text == "10")
    #expect(try line("odd trailing byte")["leftover_bytes"]?.number == 1)
    #expect(
      try line("odd trailing byte")["rr_ms"]?.numbers == [[0x343]].flatMap { $0 as [UInt16] }.milliseconds)
    #expect(try line("energy expended")["energy_kj"]?.number == 0x1234)
    #expect(try line("uint16 heart rate")["hr_bpm"]?.number == 0x48)
    #expect(try line("heart rate 255")["hr_bpm"] != nil)
    #expect(try line("heart rate 0")["hr_bpm"] == .null)
    #expect(try line("20 RR")["rr_ms"]?.numbers?.count == 20)
    try expectStoredAsShown(live, air.home)
  }

  /// Expects a replay of the history to equal the live output byte for byte.
  private func expectStoredAsShown(_ live: Outcome, _ home: Home) throws {
    let session = try #require(live.json().first?["session"]?.text)
    let stored = try home.run("replay", "--session", session, "--speed", "max", "--json")
    #expect(stored.output == live.output)
    #expect(stored.status == .exited(0))
  }
}
