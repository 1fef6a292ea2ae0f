import HRV
import HeartRate
import Testing

/// PPI frames of optical bands without RR intervals.
@Suite struct PulseIntervalTests {
  private static func pulses(_ milliseconds: [UInt16], error: UInt16 = 5, isBlocked: Bool = false)
    -> SessionEvent.Kind
  {
    let pulses = milliseconds.map {
      PulseInterval(heartRate: 70, milliseconds: $0, error: error, isBlocked: isBlocked)
    }
    return .sensorFrame(payload: SensorFrame.encoded(pulses: pulses, timestamp: 0))
  }

  private static func parts(_ kinds: [(seconds: Double, kind: SessionEvent.Kind)]) -> [BeatStream.Event] {
    var stream = BeatStream(classification: .none)
    var parts: [BeatStream.Event] = []
    for (seconds, kind) in kinds {
      stream.update(SessionEvent(at: SessionTime(seconds: seconds)!, kind)) { parts.append($0) }
    }
    return parts
  }

  private static func intervals(_ parts: [BeatStream.Event]) -> [Double] {
    parts.compactMap { if case .beat(let beat) = $0 { beat.rr.milliseconds } else { nil } }
  }

  @Test func intervalsOfABandWithoutRRBecomeBeats() {
    let parts = Self.parts([
      (1, .notification(payload: [0x00, 70])), (5, Self.pulses([850, 861, 840])), (6, Self.pulses([855])),
    ])
    #expect(Self.intervals(parts) == [850, 861, 840, 855])
    guard case .notification(let measurement) = parts[1] else { return #expect(Bool(false)) }
    #expect(measurement.heartRate == 70)
    #expect(measurement.rrIntervals.map(\.milliseconds) == [850, 861, 840])
  }

  @Test func endTimesAreTheSumOfTheIntervals() {
    let beats = Self.parts([(5, Self.pulses([850, 861, 840]))]).compactMap { part -> Beat? in
      if case .beat(let beat) = part { beat } else { nil }
    }
    #expect(beats.map(\.end.seconds) == [3.299, 4.16, 5])
    #expect(beats.map(\.followsBreak) == [true, false, false])
  }

  @Test(arguments: [(true, UInt16(5)), (false, 31), (false, 65535)])
  func blockedAndUncertainIntervalsAreMissingData(_ isBlocked: Bool, _ error: UInt16) {
    let parts = Self.parts([
      (5, Self.pulses([850, 860])), (7, Self.pulses([900, 900], error: error, isBlocked: isBlocked)),
      (8, Self.pulses([870])),
    ])
    #expect(Self.intervals(parts) == [850, 860, 870])
    let gaps = parts.compactMap { part -> Gap? in if case .gap(let gap) = part { gap } else { nil } }
    #expect(gaps.map(\.seconds) == [0.9, 0.9] && gaps.allSatisfy { $0.cause == .dataMissing })
    guard case .beat(let last) = parts[parts.count - 1] else { return #expect(Bool(false)) }
    #expect(last.followsBreak)
  }

  @Test func intervalsUpToTheErrorLimitAreUsed() {
    #expect(Self.intervals(Self.parts([(5, Self.pulses([850], error: PulseInterval.largestError))])) == [850])
  }

  @Test func framesAreIgnoredWhileNotificationsContainRRIntervals() {
    let rr = SessionEvent.Kind.notification(payload: [0x10, 70, 0x00, 0x04])
    let kinds = [
      (1.0, rr), (2, Self.pulses([850])), (3, .link(LinkChange(.lost))), (4, Self.pulses([860])),
    ]
    #expect(Self.intervals(Self.parts(kinds)) == [1000, 860])
  }

  @Test(
    "PPI that is started while notifications contain intervals replaces them from its first frame until it ends"
  )
  func framesReplaceSmoothedIntervals() {
    let rr = SessionEvent.Kind.notification(payload: [0x10, 70, 0x00, 0x04])
    let started = SessionEvent.Kind.stream(SensorStreamChange(.ppi, .started))
    let stopped = SessionEvent.Kind.stream(SensorStreamChange(.ppi, .stopped))
    let kinds = [
      (1.0, rr), (2, started), (2.1, rr), (4, Self.pulses([850, 860])), (5, rr), (6, Self.pulses([870])),
      (6.5, .link(LinkChange(.lost))), (6.5, stopped), (7, started), (8, rr), (9, Self.pulses([880])),
      (10, rr),
      (11, stopped), (12, rr),
    ]
    #expect(Self.intervals(Self.parts(kinds)) == [1000, 1000, 850, 860, 870, 1000, 880, 1000])
    let times = Self.parts(kinds).compactMap { if case .beat(let beat) = $0 { beat.end } else { nil } }
    #expect(times == times.sorted())
  }

  @Test func framesOfOtherStreamsAreIgnored() {
    let samples = [Acceleration(x: 0, y: 0, z: 1000)]
    let parts = Self.parts([
      (1, .sensorFrame(payload: SensorFrame.encoded(acceleration: samples, timestamp: 0))),
      (2, .sensorFrame(payload: [3])), (3, Self.pulses([])),
    ])
    #expect(parts.isEmpty)
  }
}
