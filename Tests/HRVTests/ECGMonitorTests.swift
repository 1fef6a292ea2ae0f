import HRV
import HeartRate
import TestSupport
import Testing

@Suite struct ECGMonitorTests {
  private static let started = SessionEvent(
    at: .zero,
    .stream(
      SensorStreamChange(
        .ecg, .started, settings: SensorSettings(rate: 130, resolution: 14),
        reason: SensorStreamChange.verification)))

  private static func verify(_ events: [SessionEvent]) -> (ECGMonitor, [Beat]) {
    var (monitor, stream, beats) = (ECGMonitor(), BeatStream(classification: .provisional), [Beat]())
    for event in [started] + events {
      stream.update(event) { part in
        guard case .beat(let beat) = part else { return }
        beats.append(beat)
        monitor.append(beat)
      }
      _ = monitor.update(event)
    }
    return (monitor, beats)
  }

  @Test func detectionOfFramesEqualsThatOfTheWholeSignal() {
    for noise in [0.0, 60] {
      var ecg = SyntheticECG()
      (ecg.noise, ecg.wander, ecg.hum) = (noise, 300, 50)
      let samples = ecg.samples(peaks: ECGSession.peaks, seconds: 120)
      var detector = LivePeakDetector(rate: 130)
      var found: [Double] = []
      for start in stride(from: 0, to: samples.count - 73, by: 73) {
        found += detector.append(Array(samples[start..<start + 73])).map(\.position)
      }
      let whole = RPeakDetector(rate: 130).peaks(in: samples).filter { $0 <= (found.last ?? 0) + 0.5 }
      #expect(found.count == whole.count)
      #expect(zip(found, whole).allSatisfy { abs($0 - $1) < 0.5 })
    }
  }

  @Test func withoutItsEventNothingIsVerified() {
    var monitor = ECGMonitor()
    var updates = 0
    for event in ECGSession.events() where monitor.update(event) { updates += 1 }
    #expect(updates == 0 && !monitor.isActive && monitor.status.counts.isEmpty)
  }

  @Test func intervalsOfACleanSessionAreConfirmed() {
    let (monitor, beats) = Self.verify(ECGSession.events())
    #expect(monitor.status.hasContact)
    // Those of the last seconds are pending.
    #expect(monitor.status.counts[.confirmed] ?? 0 >= beats.count - 8, "\(monitor.status)")
    #expect(monitor.status.explained == monitor.status.verified)
    let end = beats[beats.count - 1].end
    #expect(
      monitor.verifiedFraction(after: SessionTime(ticks: end.ticks - 60 * RRInterval.ticksPerSecond))! > 0.9)
  }

  @Test(arguments: [6.5, 17, 27]) func amplitudesGiveTheRespiration(rate: Double) throws {
    var ecg = SyntheticECG()
    (ecg.breathing, ecg.noise) = (rate, 20)
    let (monitor, _) = Self.verify(ECGSession.events(ecg: ecg))
    #expect(abs(try #require(monitor.status.respiration) - rate) < 0.5)
    let (flat, _) = Self.verify(ECGSession.events())
    #expect(flat.status.respiration == nil, "equal amplitudes")
  }

  @Test func missedAndExtraBeatsAreExplained() {
    var detected = ECGSession.peaks
    detected.remove(at: 40)
    detected.insert(detected[80] + 0.35, at: 81)
    let (monitor, _) = Self.verify(ECGSession.events(detected))
    #expect(monitor.status.counts[.missed] == 1)
    #expect(monitor.status.counts[.extra] == 2)
    #expect(monitor.status.counts[.unexplained] == nil, "\(monitor.status)")
  }

  /// A premature beat, whose peak the sensor finds 60 ms later.
  @Test(arguments: [true, false]) func theWidthOfAPrematureBeatIsFound(isWide: Bool) {
    var actual = ECGSession.peaks
    actual[60] -= 0.3
    var detected = actual
    var ecg = SyntheticECG()
    ecg.wide = isWide ? [60] : []
    let (monitor, _) = Self.verify(ECGSession.events(detected, actual: actual, ecg: ecg))
    #expect(monitor.status.counts[isWide ? .earlyWide : .earlyNarrow] == 1, "\(monitor.status)")
    detected[60] += 0.06
    let (shifted, _) = Self.verify(ECGSession.events(detected, actual: actual, ecg: ecg))
    #expect(shifted.status.counts[.earlyWide] == (isWide ? 1 : nil))
    #expect(shifted.status.counts[.unexplained] == (isWide ? nil : 2), "\(shifted.status)")
  }

  @Test func beatsWithoutFramesRemainUnverifiedAndAreNotKept() {
    var monitor = ECGMonitor()
    _ = monitor.update(Self.started)
    for index in 1...2000 {
      monitor.append(
        Beat(
          end: SessionTime(seconds: 0.8 * Double(index))!, rr: RRInterval(milliseconds: 800)!,
          verdict: .normal,
          followsBreak: false))
    }
    #expect(monitor.status.counts == [.unverified: 2000 - 256])
  }

  @Test func aFlatLineVerifiesNothing() {
    var ecg = SyntheticECG()
    ecg.noise = 4
    var events = ECGSession.events()
    let noise = ecg.samples(peaks: [], seconds: 120).map { Int32($0.rounded()) }
    var index = 0
    for place in events.indices {
      guard case .sensorFrame = events[place].kind, let frame = events[place].frame else { continue }
      events[place].kind = .sensorFrame(
        payload: SensorFrame.encoded(
          ecg: Array(noise[index..<index + frame.count]), timestamp: frame.timestamp))
      index += frame.count
    }
    let (monitor, _) = Self.verify(events)
    #expect(!monitor.status.hasContact)
    #expect(monitor.status.verified == 0, "\(monitor.status)")
  }
}

extension SessionEvent {
  fileprivate var frame: SensorFrame? {
    if case .sensorFrame(let payload) = kind { try? SensorFrame(payload: payload) } else { nil }
  }
}
