import FakeBlueZ
import Glibc
import HeartRate
import TestSupport
import Testing

@testable import Strap

/// Whole sessions against a bluetoothd that does what it is told.
@Suite(.timeLimit(.minutes(10))) struct SessionTests {
  @Test func everyNotificationArrivesOnceAndInOrder() async throws {
    let air = try Air()
    let sent = air.numbered(500)
    air.strap.stream(sent, rate: 500, count: 500)
    let heard = try await air.source().listen { $0.payloads.count == 500 }
    #expect(heard.payloads == sent)
    #expect(heard.states == [.searching, .connecting, .connected])
    #expect(heard.links.last?.strap == StrapIdentity(address: Air.address, name: "Polar H10 TEST"))
    #expect(heard.batteries == [BatteryLevel(percent: 90)])
    #expect(heard.times == heard.times.sorted())
    // The session asked for the link, so it ended it, on the way out of the scope.
    #expect(air.called.suffix(1) == ["Disconnect"])
    #expect(await air.strap.waitForLink(false))
  }

  @Test func theConsumerRunsOnTheBusThread() async throws {
    let air = try Air()
    air.strap.stream([[0x00, 0x40]], rate: 100)
    var onThread = true
    _ = try await air.source().listen(
      until: { $0.payloads.count == 3 },
      acting: { _ in
        onThread = onThread && BusExecutor.shared.isIsolatingCurrentContext() == true
      })
    #expect(onThread)
  }

  @Test func stopsItsScanBeforeItConnects() async throws {
    let air = try Air { $0.script.connectFailsDuringDiscovery = true }
    _ = try await air.source().listen { $0.states.contains(.connected) }
    let order = air.called.filter {
      ["StartDiscovery", "StopDiscovery", "Connect", "StartNotify"].contains($0)
    }
    #expect(order == ["StartDiscovery", "StopDiscovery", "Connect", "StartNotify"])
  }

  @Test func dataBeforeTheReplyOfStartNotifyAreNotLost() async throws {
    let air = try Air { $0.script.notifyDelay = 0.3 }
    air.strap.stream(air.numbered(50), rate: 100, count: 50)
    let heard = try await air.source().listen { $0.payloads.count == 50 }
    #expect(heard.payloads == air.numbered(50))
  }

  /// Many are read at once, and none of them waits for the next.
  @Test func aBurstComesWhole() async throws {
    let air = try Air()
    air.strap.stream(air.numbered(2_000), rate: 1e6, count: 2_000)
    let heard = try await air.source().listen { $0.payloads.count == 2_000 }
    #expect(heard.payloads == air.numbered(2_000))
    #expect(heard.times == heard.times.sorted())
  }

  @Test func payloadsOfAnyKindComeAsTheyAre() async throws {
    let air = try Air()
    let hostile = Payloads.hostile.map(\.bytes)
    air.strap.stream(hostile + [[0x00, 0x40]], rate: 200, count: hostile.count + 1)
    let heard = try await air.source().listen { $0.payloads.last == [0x00, 0x40] }
    #expect(heard.payloads == hostile + [[0x00, 0x40]])
  }

  @Test func valuesThatAreNoBytesArePassedOver() async throws {
    let air = try Air()
    let heard = try await air.source().listen(
      until: { !$0.payloads.isEmpty },
      acting: { event in
        guard case .link(let change) = event.kind, change.state == .connected else { return }
        air.strap.notify(wrongType: .string("x"))
        air.strap.notify(wrongType: .uint32(7))
        air.strap.notify([0x00, 0x41])
      })
    #expect(heard.payloads == [[0x00, 0x41]])
  }

  @Test func aLinkFromBeforeIsUsedAndLeft() async throws {
    let air = try Air { $0.isKnown = true }
    air.strap.connectUnasked()
    #expect(await air.strap.waitForLink())
    air.strap.stream([[0x00, 0x40]], rate: 50)
    let heard = try await air.source().listen { $0.payloads.count == 3 }
    #expect(heard.states == [.searching, .connected])
    #expect(!air.called.contains("Connect") && !air.called.contains("Disconnect"))
    #expect(air.strap.isConnected)
  }

  @Test func tellsDetailsOnce() async throws {
    let air = try Air()
    air.strap.stream([[0x00, 0x40]], rate: 50)
    let told = Locked<[StrapDetails]>([])
    var source = air.source()
    source.onDetails = { details in told.withLock { $0.append(details) } }
    _ = try await source.listen { _ in told.withLock { !$0.isEmpty } }
    let details = told.withLock { $0 }
    #expect(details.map(\.bodyLocation) == [.chest])
    #expect(details.map(\.battery) == [BatteryLevel(percent: 90)])
    #expect(details.map(\.wasConnected) == [false])
  }

  @Test func followsTheBattery() async throws {
    let air = try Air()
    air.strap.stream([[0x00, 0x40]], rate: 50)
    let heard = try await air.source().listen(
      until: { $0.batteries.count == 2 },
      acting: { event in
        if case .battery(BatteryLevel(percent: 90)) = event.kind { air.strap.setBattery(89) }
      })
    #expect(heard.batteries.map(\.percent) == [90, 89])
  }

  @Test func connectsAgainAfterALoss() async throws {
    let air = try Air()
    air.strap.stream(air.numbered(1000), rate: 100)
    var losses = 0
    var isLinked = false
    let heard = try await air.source().listen(
      until: { $0.states.filter { $0 == .connected }.count == 3 },
      acting: { event in
        if case .link(let change) = event.kind { isLinked = change.state == .connected }
        guard case .notification = event.kind, isLinked, losses < 2 else { return }
        isLinked = false
        losses += 1
        air.strap.loseLink()
      })
    #expect(heard.states.filter { $0 == .lost }.count == 2)
    #expect(Set(heard.payloads).count == heard.payloads.count)
  }

  /// While the bus thread is busy, the last notification and the end of the link come, by two connections.
  @Test func whatWasSentBeforeTheLinkEndedIsNotLost() async throws {
    let air = try Air()
    let heard = try await air.source().listen(
      until: { $0.states.contains(.lost) },
      acting: { event in
        guard case .link(let change) = event.kind, change.state == .connected else { return }
        for payload in air.numbered(100) { air.strap.notify(payload) }
        air.strap.loseLink()
        usleep(50_000)
      })
    #expect(heard.payloads == air.numbered(100))
    #expect(heard.states.last == .lost)
    #expect(heard.times == heard.times.sorted())
  }

  @Test(arguments: [FakeBlueZ.End.terminated, .killed])
  func survivesBluetoothd(_ end: FakeBlueZ.End) async throws {
    let air = try Air { $0.isKnown = true }
    air.strap.stream([[0x00, 0x40]], rate: 50)
    var ended = false
    let heard = try await air.source().listen(
      until: { $0.states.filter { $0 == .connected }.count == 2 },
      acting: {
        event in
        if case .notification = event.kind, !ended {
          ended = true
          air.fake.stopDaemon(end)
        }
        if case .link(let change) = event.kind, change.state == .lost { try air.fake.startDaemon() }
      })
    #expect(heard.states.contains(.lost))
  }

  @Test func survivesTheBus() async throws {
    let air = try Air { $0.isKnown = true }
    air.strap.stream([[0x00, 0x40]], rate: 50)
    var ended = false
    let heard = try await air.source().listen(
      until: { $0.states.filter { $0 == .connected }.count == 2 },
      acting: {
        event in
        if case .notification = event.kind, !ended {
          ended = true
          air.bus.stop()
        }
        if case .link(let change) = event.kind, change.state == .lost {
          try air.bus.start()
          try air.fake.startDaemon()
        }
      })
    #expect(heard.states.contains(.lost))
  }

  @Test func survivesTheAdapter() async throws {
    let air = try Air()
    air.strap.stream([[0x00, 0x40]], rate: 50)
    var step = 0
    let heard = try await air.source().listen(
      until: { $0.states.filter { $0 == .connected }.count == 3 },
      acting: {
        event in
        switch event.kind {
        case .notification where step == 0:
          step = 1
          air.fake.setPower(false)
        case .link(let change) where change.state == .lost && step == 1:
          step = 2
          air.fake.setPower(true)
        case .notification where step == 2:
          step = 3
          // A reset of the USB port: the same adapter under another number.
          air.fake.removeAdapter("hci0")
          air.fake.addAdapter("hci3", address: "00:AA:01:00:00:00")
        default: break
        }
      })
    #expect(heard.states.filter { $0 == .lost }.count == 2)
  }

  /// Each a fault of one Connect; the session gets through.
  @Test(arguments: [
    StrapScript.Connect.claimsSuccess, .fails(.abortedLocally, linkAfter: 0.1), .fails(.canceled),
    .fails(.inProgress), .fails(.alreadyPending), .deviceVanishes,
  ])
  func getsThroughFaultsOfConnect(_ fault: StrapScript.Connect) async throws {
    let air = try Air { $0.script.connects = [fault] }
    air.strap.stream([[0x00, 0x40]], rate: 50)
    let heard = try await air.source().listen { $0.payloads.count == 2 }
    #expect(heard.states.last == .connected)
  }

  @Test(arguments: [
    StrapScript.Resolve.measurementLate(0.4), .flagBeforeObjects(0.4),
  ])
  func waitsForTheCharacteristic(_ resolve: StrapScript.Resolve) async throws {
    let air = try Air { $0.script.resolve = resolve }
    air.strap.stream([[0x00, 0x40]], rate: 50)
    let heard = try await air.source().listen { $0.payloads.count == 2 }
    #expect(heard.states == [.searching, .connecting, .connected])
  }

  @Test func silenceIsMended() async throws {
    let air = try Air()
    var source = air.source()
    source.timing.stale = .milliseconds(300)
    source.timing.silence = .milliseconds(600)
    air.strap.stream([[0x00, 0x40]], rate: 50)
    var freed = false
    let heard = try await source.listen(
      until: { $0.states.filter { $0 == .connected }.count == 2 },
      acting: {
        event in
        if case .notification = event.kind, !freed {
          freed = true
          air.strap.freeSessionsSilently()
        }
      })
    #expect(heard.states == [.searching, .connecting, .connected, .stale, .connected])
  }

  @Test func forgedSignalsAreNotBelieved() async throws {
    let air = try Air()
    let heard = try await air.source().listen(
      until: { !$0.payloads.isEmpty },
      acting: { event in
        guard case .link(let change) = event.kind, change.state == .connected else { return }
        forgeValue([0x00, 0xff], of: air.strap.measurementPath ?? "/", onBusAt: air.bus.address)
        air.strap.notify([0x00, 0x41])
      })
    #expect(heard.payloads == [[0x00, 0x41]])
  }

  @Test func aCancelledSessionUndoesWhatItBegan() async throws {
    let last = try await givenTime { seconds in
      let air = try Air { $0.isAdvertising = false }
      let source = air.source(search: nil)
      let session = Task { try await source.listen { _ in false } }
      #expect(await air.fake.wait { $0.contains { $0.member == "StartDiscovery" } })
      // What was asked for is undone once it is known to have begun.
      try await Task.sleep(for: .milliseconds(100 * seconds))
      session.cancel()
      _ = try? await session.value
      return air.called.last
    } until: {
      $0 == "StopDiscovery"
    }
    #expect(last == "StopDiscovery")
  }

  @Test func anErrorInTheBodyEndsTheSessionToo() async throws {
    struct Oops: Error {}
    let air = try Air()
    air.strap.stream([[0x00, 0x40]], rate: 50)
    await #expect(throws: Oops.self) {
      try await air.source().withEvents { events in
        for try await event in events { if case .notification = event.kind { throw Oops() } }
      }
    }
    #expect(await air.strap.waitForLink(false))
  }
}
