import DBus
import FakeBlueZ
import Glibc
import HeartRate
import Platform
import TestSupport
import Testing

@testable import Strap

/// Complete sessions with a fake bluetoothd.
@Suite(.timeLimit(.minutes(30))) struct SessionTests {
  @Test func everyNotificationArrivesOnceAndInOrder() async throws {
    let fixture = try StrapFixture()
    let sent = fixture.numbered(500)
    fixture.strap.stream(sent, rate: 500, count: 500)
    let received = try await fixture.source().listen { $0.payloads.count == 500 }
    #expect(received.payloads == sent)
    #expect(received.states == [.searching, .connecting, .connected])
    #expect(
      received.links.last?.strap == StrapIdentity(address: StrapFixture.address, name: "Polar H10 TEST"))
    #expect(received.batteries == [BatteryLevel(percent: 90)])
    #expect(received.times == received.times.sorted())
    // The session requested the link, so it ends the link when its scope is left.
    #expect(fixture.called.suffix(1) == ["Disconnect"])
    #expect(await fixture.strap.waitForLink(false))
  }

  @Test func theConsumerRunsOnTheBusThread() async throws {
    let fixture = try StrapFixture()
    fixture.strap.stream([[0x00, 0x40]], rate: 100)
    var onThread = true
    _ = try await fixture.source().listen(
      until: { $0.payloads.count == 3 },
      acting: { _ in
        onThread = onThread && BusExecutor.shared.isIsolatingCurrentContext() == true
      })
    #expect(onThread)
  }

  @Test func theScanStopsBeforeConnect() async throws {
    let fixture = try StrapFixture { $0.script.connectFailsDuringDiscovery = true }
    _ = try await fixture.source().listen { $0.states.contains(.connected) }
    let order = fixture.called.filter {
      ["StartDiscovery", "StopDiscovery", "Connect", "StartNotify"].contains($0)
    }
    #expect(order == ["StartDiscovery", "StopDiscovery", "Connect", "StartNotify"])
  }

  @Test func dataBeforeTheReplyOfStartNotifyAreNotLost() async throws {
    let fixture = try StrapFixture { $0.script.notifyDelay = 0.3 }
    fixture.strap.stream(fixture.numbered(50), rate: 100, count: 50)
    let received = try await fixture.source().listen { $0.payloads.count == 50 }
    #expect(received.payloads == fixture.numbered(50))
  }

  /// Many notifications are read at once, and each is delivered without waiting for the next.
  @Test func aBurstArrivesCompletely() async throws {
    let fixture = try StrapFixture()
    fixture.strap.stream(fixture.numbered(2_000), rate: 1e6, count: 2_000)
    let received = try await fixture.source().listen { $0.payloads.count == 2_000 }
    #expect(received.payloads == fixture.numbered(2_000))
    #expect(received.times == received.times.sorted())
  }

  @Test func malformedPayloadsArriveUnchanged() async throws {
    let fixture = try StrapFixture()
    let hostile = Payloads.hostile.map(\.bytes)
    fixture.strap.stream(hostile + [[0x00, 0x40]], rate: 200, count: hostile.count + 1)
    let received = try await fixture.source().listen { $0.payloads.last == [0x00, 0x40] }
    #expect(received.payloads == hostile + [[0x00, 0x40]])
  }

  @Test func valuesOfOtherTypesAreIgnored() async throws {
    let fixture = try StrapFixture()
    let received = try await fixture.source().listen(
      until: { !$0.payloads.isEmpty },
      acting: { event in
        guard case .link(let change) = event.kind, change.state == .connected else { return }
        fixture.strap.notify(wrongType: .string("x"))
        fixture.strap.notify(wrongType: .uint32(7))
        fixture.strap.notify([0x00, 0x41])
      })
    #expect(received.payloads == [[0x00, 0x41]])
  }

  @Test func anExistingLinkIsUsedAndKept() async throws {
    let fixture = try StrapFixture { $0.isKnown = true }
    fixture.strap.connectUnasked()
    #expect(await fixture.strap.waitForLink())
    fixture.strap.stream([[0x00, 0x40]], rate: 50)
    let received = try await fixture.source().listen { $0.payloads.count == 3 }
    #expect(received.states == [.searching, .connected])
    #expect(!fixture.called.contains("Connect") && !fixture.called.contains("Disconnect"))
    #expect(fixture.strap.isConnected)
  }

  @Test func detailsAreReportedOnce() async throws {
    let fixture = try StrapFixture()
    fixture.strap.stream([[0x00, 0x40]], rate: 50)
    let told = Locked<[StrapDetails]>([])
    var source = fixture.source()
    source.onDetails = { details in told.withLock { $0.append(details) } }
    _ = try await source.listen { _ in told.withLock { !$0.isEmpty } }
    let details = told.withLock { $0 }
    #expect(details.map(\.bodyLocation) == [.chest])
    #expect(details.map(\.battery) == [BatteryLevel(percent: 90)])
    #expect(details.map(\.wasConnected) == [false])
  }

  @Test func batteryChangesAreReported() async throws {
    let fixture = try StrapFixture()
    fixture.strap.stream([[0x00, 0x40]], rate: 50)
    let received = try await fixture.source().listen(
      until: { $0.batteries.count == 2 },
      acting: { event in
        if case .battery(BatteryLevel(percent: 90)) = event.kind { fixture.strap.setBattery(89) }
      })
    #expect(received.batteries.map(\.percent) == [90, 89])
  }

  @Test func theSessionReconnectsAfterALoss() async throws {
    let fixture = try StrapFixture()
    fixture.strap.stream(fixture.numbered(1000), rate: 100)
    var losses = 0
    var isLinked = false
    let received = try await fixture.source().listen(
      until: { $0.states.filter { $0 == .connected }.count == 3 },
      acting: { event in
        if case .link(let change) = event.kind { isLinked = change.state == .connected }
        guard case .notification = event.kind, isLinked, losses < 2 else { return }
        isLinked = false
        losses += 1
        fixture.strap.loseLink()
      })
    #expect(received.states.filter { $0 == .lost }.count == 2)
    #expect(Set(received.payloads).count == received.payloads.count)
  }

  /// The last notifications and the end of the link arrive on two connections while the bus thread is busy.
  @Test func notificationsSentBeforeALossAreNotLost() async throws {
    let fixture = try StrapFixture()
    let received = try await fixture.source().listen(
      until: { $0.states.contains(.lost) },
      acting: { event in
        guard case .link(let change) = event.kind, change.state == .connected else { return }
        for payload in fixture.numbered(100) { fixture.strap.notify(payload) }
        fixture.strap.loseLink()
        usleep(50_000)
      })
    #expect(received.payloads == fixture.numbered(100))
    #expect(received.states.last == .lost)
    #expect(received.times == received.times.sorted())
  }

  @Test(arguments: [FakeBlueZ.End.terminated, .killed])
  func theSessionSurvivesTheEndOfBluetoothd(_ end: FakeBlueZ.End) async throws {
    let fixture = try StrapFixture { $0.isKnown = true }
    fixture.strap.stream([[0x00, 0x40]], rate: 50)
    var ended = false
    let received = try await fixture.source().listen(
      until: { $0.states.filter { $0 == .connected }.count == 2 },
      acting: {
        event in
        if case .notification = event.kind, !ended {
          ended = true
          fixture.fake.stopDaemon(end)
        }
        if case .link(let change) = event.kind, change.state == .lost { try fixture.fake.startDaemon() }
      })
    #expect(received.states.contains(.lost))
  }

  @Test func theSessionSurvivesTheEndOfTheBus() async throws {
    let fixture = try StrapFixture { $0.isKnown = true }
    fixture.strap.stream([[0x00, 0x40]], rate: 50)
    var ended = false
    let received = try await fixture.source().listen(
      until: { $0.states.filter { $0 == .connected }.count == 2 },
      acting: {
        event in
        if case .notification = event.kind, !ended {
          ended = true
          fixture.bus.stop()
        }
        if case .link(let change) = event.kind, change.state == .lost {
          try fixture.bus.start()
          try fixture.fake.startDaemon()
        }
      })
    #expect(received.states.contains(.lost))
  }

  @Test func theSessionSurvivesTheLossOfTheAdapter() async throws {
    let fixture = try StrapFixture()
    fixture.strap.stream([[0x00, 0x40]], rate: 50)
    var step = 0
    let received = try await fixture.source().listen(
      until: { $0.states.filter { $0 == .connected }.count == 3 },
      acting: {
        event in
        switch event.kind {
        case .notification where step == 0:
          step = 1
          fixture.fake.setPower(false)
        case .link(let change) where change.state == .lost && step == 1:
          step = 2
          fixture.fake.setPower(true)
        case .notification where step == 2:
          step = 3
          // A reset of the USB port: the same adapter returns with another number.
          fixture.fake.removeAdapter("hci0")
          fixture.fake.addAdapter("hci3", address: "00:AA:01:00:00:00")
        default: break
        }
      })
    #expect(received.states.filter { $0 == .lost }.count == 2)
  }

  /// Each argument is a fault of one Connect.
  @Test(arguments: [
    StrapScript.Connect.claimsSuccess, .fails(.abortedLocally, linkAfter: 0.1), .fails(.canceled),
    .fails(.inProgress), .fails(.alreadyPending), .deviceVanishes,
  ])
  func theSessionSurvivesFaultsOfConnect(_ fault: StrapScript.Connect) async throws {
    let fixture = try StrapFixture { $0.script.connects = [fault] }
    fixture.strap.stream([[0x00, 0x40]], rate: 50)
    let received = try await fixture.source().listen { $0.payloads.count == 2 }
    #expect(received.states.last == .connected)
  }

  @Test(arguments: [
    StrapScript.Resolve.measurementLate(0.4), .flagBeforeObjects(0.4),
  ])
  func theSessionWaitsForTheCharacteristic(_ resolve: StrapScript.Resolve) async throws {
    let fixture = try StrapFixture { $0.script.resolve = resolve }
    fixture.strap.stream([[0x00, 0x40]], rate: 50)
    let received = try await fixture.source().listen { $0.payloads.count == 2 }
    #expect(received.states == [.searching, .connecting, .connected])
  }

  @Test func theSessionRepairsASilentLink() async throws {
    let fixture = try StrapFixture()
    var source = fixture.source()
    source.timing.stale = .milliseconds(300)
    source.timing.silence = .milliseconds(600)
    fixture.strap.stream([[0x00, 0x40]], rate: 50)
    var freed = false
    let received = try await source.listen(
      until: { $0.states.filter { $0 == .connected }.count == 2 },
      acting: {
        event in
        if case .notification = event.kind, !freed {
          freed = true
          fixture.strap.freeSessionsSilently()
        }
      })
    #expect(received.states == [.searching, .connecting, .connected, .stale, .connected])
  }

  @Test func spoofedSignalsAreIgnored() async throws {
    let fixture = try StrapFixture()
    let received = try await fixture.source().listen(
      until: { !$0.payloads.isEmpty },
      acting: { event in
        guard case .link(let change) = event.kind, change.state == .connected else { return }
        sendSpoofedValue(
          [0x00, 0xff], of: fixture.strap.measurementPath ?? "/", onBusAt: fixture.bus.address)
        fixture.strap.notify([0x00, 0x41])
      })
    #expect(received.payloads == [[0x00, 0x41]])
  }

  @Test func aCancelledSessionStopsItsDiscovery() async throws {
    let last = try await givenTime { seconds in
      let fixture = try StrapFixture { $0.isAdvertising = false }
      let source = fixture.source(search: nil)
      let session = Task { try await source.listen { _ in false } }
      #expect(await fixture.fake.wait { $0.contains { $0.member == "StartDiscovery" } })
      // A request is undone only after it has begun.
      try await Task.sleep(for: .milliseconds(100 * seconds))
      session.cancel()
      _ = try? await session.value
      return fixture.called.last
    } until: {
      $0 == "StopDiscovery"
    }
    #expect(last == "StopDiscovery")
  }

  @Test func anErrorInTheBodyEndsTheSession() async throws {
    struct Oops: Error {}
    let fixture = try StrapFixture()
    fixture.strap.stream([[0x00, 0x40]], rate: 50)
    await #expect(throws: Oops.self) {
      try await fixture.source().withEvents { events in
        for try await event in events { if case .notification = event.kind { throw Oops() } }
      }
    }
    #expect(await fixture.strap.waitForLink(false))
  }
}
