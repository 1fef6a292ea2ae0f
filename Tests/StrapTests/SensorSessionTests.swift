import DBus
import FakeBlueZ
import HeartRate
import Simulator
import Testing

@testable import Strap

@Suite struct SensorSessionTests {
  private func fixture(
    isKnown: Bool = false, _ change: (inout FakeSensors) -> Void = { _ in }
  ) throws -> StrapFixture {
    let fixture = try StrapFixture { strap in
      strap.isKnown = isKnown
      var sensors = FakeSensors(script: MotionScript("walking")!)
      sensors.samplesPerFrame = 5
      change(&sensors)
      strap.sensors = sensors
    }
    fixture.strap.stream(Payloads.onePerBeat((0..<500).map { 700 + Double($0) }), rate: 5)
    return fixture
  }

  private func source(_ fixture: StrapFixture, _ streams: [SensorStream] = [.acceleration]) -> BlueZStrap {
    var source = fixture.source()
    source.streams = streams
    return source
  }

  @Test func framesArriveOnceAndInOrderAndTheStreamStopsWithTheSession() async throws {
    let fixture = try fixture()
    let received = try await source(fixture).listen { $0.frames.count >= 12 }
    #expect(received.frames == Array(fixture.strap.sentFrames.prefix(received.frames.count)))
    #expect(received.times == received.times.sorted())
    #expect(received.streams.first?.settings == SensorSettings(rate: 25, resolution: 16, range: 8))
    #expect(fixture.strap.runningStreams == [])
    #expect(fixture.strap.sensorLog == ["start 2", "stop 2"])
  }

  @Test func lostLinkRestartsTheStreamWithoutDuplicates() async throws {
    let fixture = try fixture()
    var losses = 0
    let received = try await source(fixture).listen(
      until: { $0.frames.count >= 30 },
      acting: { event in
        guard case .sensorFrame = event.kind, losses < 2, fixture.strap.sentFrames.count >= 8 * (losses + 1)
        else {
          return
        }
        losses += 1
        fixture.strap.loseLink()
      })
    #expect(Set(received.frames).count == received.frames.count)
    #expect(received.frames == fixture.strap.sentFrames.filter(Set(received.frames).contains))
    #expect(received.streams.map(\.state) == [.started, .stopped, .started, .stopped, .started])
    #expect(fixture.strap.runningStreams == [])
  }

  @Test func restartOfBluetoothdRestartsTheStream() async throws {
    let fixture = try fixture()
    var isRestarted = false
    let received = try await source(fixture).listen(
      until: { $0.frames.count >= 20 },
      acting: { event in
        guard case .sensorFrame = event.kind, !isRestarted, fixture.strap.sentFrames.count >= 6
        else { return }
        isRestarted = true
        fixture.fake.stopDaemon(.killed)
        try fixture.fake.startDaemon()
      })
    #expect(received.frames == fixture.strap.sentFrames.filter(Set(received.frames).contains))
    #expect(fixture.strap.runningStreams == [])
  }

  @Test func streamLeftByAKilledProgramIsStoppedByTheNextSession() async throws {
    let fixture = try fixture(isKnown: true)
    fixture.strap.connectUnasked()
    let control = try #require(fixture.strap.devicePath) + "/service0020/char0021"
    _ = await fixture.strap.waitForServices()
    try BusClient(address: fixture.bus.address).call(
      control, "org.bluez.GattCharacteristic1", "WriteValue",
      [.bytes([2, 2, 0, 1, 25, 0]), .properties([:])])
    #expect(fixture.strap.runningStreams == [2])
    // Frames of the stream that was left can arrive before it is stopped.
    _ = try await source(fixture).listen { received in
      received.frames.count >= 3 && received.streams.contains { $0.state == .started }
    }
    #expect(fixture.strap.sensorLog == ["start 2", "stop 2", "start 2", "stop 2"])
  }

  @Test func strapWithoutTheServiceSendsNoStreamEvents() async throws {
    let fixture = try StrapFixture()
    fixture.strap.stream([[0x00, 0x40]], rate: 20)
    let received = try await source(fixture).listen { $0.payloads.count >= 20 }
    #expect(received.streams.isEmpty && received.frames.isEmpty)
  }

  @Test func disabledStreamsLeaveTheServiceUntouched() async throws {
    let fixture = try fixture()
    _ = try await source(fixture, []).listen { $0.payloads.count >= 10 }
    #expect(fixture.strap.sensorLog.isEmpty)
    #expect(!fixture.called.contains("WriteValue"))
  }

  @Test(
    arguments: [
      { sensors in sensors.requiresPairing = true }, { sensors in sensors.startErrors = [10] },
      { sensors in sensors.isEarlier = true },
    ] as [@Sendable (inout FakeSensors) -> Void])
  func unavailableStreamIsReportedAndTheHeartRateContinues(
    _ change: @Sendable (inout FakeSensors) -> Void
  ) async throws {
    let fixture = try fixture(change)
    let received = try await source(fixture).listen { $0.payloads.count >= 15 && !$0.streams.isEmpty }
    #expect(received.streams.map(\.state) == [.unavailable])
    #expect(received.streams.first?.reason != nil)
  }

  @Test func bandWithoutRRIntervalsSendsPulseIntervals() async throws {
    let pulses = (0..<4).map { (UInt16(800 + 10 * $0)) }.map {
      [PulseInterval(heartRate: 72, milliseconds: $0, error: 5)]
    }
    let fixture = try fixture { sensors in
      sensors.features = 0x0C
      sensors.pulses = pulses
    }
    fixture.strap.stopStream()
    fixture.strap.stream([[0x00, 72], [0x00, 73]], rate: 50)
    let received = try await source(fixture, [.acceleration, .ppi]).listen {
      $0.frames.count { $0[0] == 3 } >= 3 && $0.streams.count >= 2
    }
    #expect(received.payloads.count >= 20)
    #expect(received.streams.map(\.stream).prefix(2) == [.acceleration, .ppi])
    #expect(fixture.strap.runningStreams == [])
  }

  @Test func bandWithSmoothedIntervalsSendsPulseIntervalsOnRequest() async throws {
    let fixture = try fixture { sensors in
      sensors.features = 0x0C
      sensors.pulses = [[PulseInterval(heartRate: 72, milliseconds: 812, error: 5)]]
    }
    let source = source(fixture, [.acceleration, .ppi])
    let received = try await source.listen(
      until: { $0.frames.count { $0[0] == 3 } >= 3 },
      acting: { event in
        // The request is repeated with each notification, and has one effect.
        if case .notification = event.kind, fixture.strap.sentFrames.count >= 3 {
          source.replacement.request()
        }
      })
    #expect(received.streams.map(\.stream) == [.acceleration, .ppi])
    #expect(fixture.strap.sensorLog == ["start 2", "start 3", "stop 2", "stop 3"])
    #expect(fixture.strap.runningStreams == [])
  }

  @Test func strapWithRRIntervalsSendsNoPulseIntervals() async throws {
    let fixture = try fixture { $0.features = 0x0C }
    let received = try await source(fixture, [.acceleration, .ppi]).listen {
      $0.payloads.count >= 30 && !$0.streams.isEmpty
    }
    #expect(received.streams.map(\.stream) == [.acceleration])
  }

  @Test func onlyARequestedElectrocardiogramVerifiesBeats() async throws {
    for verifies in [true, false] {
      let fixture = try fixture()
      var source = source(fixture, [.acceleration, .ecg])
      source.verifiesBeats = verifies
      let received = try await source.listen { $0.streams.count { $0.state == .started } >= 2 }
      #expect(
        received.streams.filter { $0.state == .started }.map(\.verifies).filter(\.self).count
          == (verifies ? 1 : 0))
      #expect(received.streams.allSatisfy { !$0.verifies || $0.stream == .ecg })
    }
  }

  @Test func accelerationAndECGRunTogether() async throws {
    let fixture = try fixture()
    let received = try await source(fixture, [.acceleration, .ecg]).listen { $0.frames.count >= 12 }
    #expect(Set(received.frames.map { $0[0] }) == [0, 2])
    #expect(fixture.strap.runningStreams == [])
  }
}
