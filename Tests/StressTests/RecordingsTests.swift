import HRV
import HeartRate
import Stress
import TestSupport
import Testing

/// The measurements of a recording after its first minute, relative to `baseline`.
private func fullWindows(
  _ recording: String, _ sent: SentIntervals = .asTheyAre, baseline: Baseline = .mature
) throws -> [StressMeasurement] {
  let events = sent.events(of: try SharedData.intervals(of: recording))
  return StressEngine.measurements(of: events, baseline: baseline).filter { $0.time.seconds > 60 }
}

private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// The smallest factor.
private func mainReason(_ measurement: StressMeasurement) -> Confidence.Factor? {
  measurement.confidence.known.min { $0.value < $1.value }?.factor
}

@Suite(.enabled(if: SharedData.isAvailable)) struct RecordingsTests {
  @Test(
    "Half of the windows without artefacts have a confidence of at least 0.95, three of four of at least 0.8",
    arguments: ["rest_supine", "exercise_ectopics", "mitdb100_apc", "nsr001_24h"])
  func cleanWindows(recording: String) throws {
    let values = try fullWindows(recording).filter { window in
      window.nn.rmssd ?? 0 >= 20 && window.artefactFraction == 0
    }.map { window in
      var confidence = window.confidence
      confidence[.exertion] = nil
      return confidence.value
    }
    #expect(values.count > 80)
    #expect(values.count { $0 >= 0.95 } * 2 >= values.count)
    #expect(values.count { $0 >= 0.8 } * 4 >= values.count * 3)
  }

  /// Most of the recording is sinus rhythm with frequent premature beats.
  @Test("Paroxysmal atrial fibrillation has a low confidence") func atrialFibrillation() throws {
    let windows = try fullWindows("afdb03665_af")
    #expect(median(windows.map(\.confidence.value)) < 0.5)
    let irregular = windows.filter { $0.confidence.indicatesIrregularRhythm }
    #expect(irregular.count * 100 >= windows.count * 15)
    #expect(irregular.allSatisfy { $0.confidence.value < 0.5 && $0.statedCategory == nil })
    for window in windows where window.confidence.value < 0.5 && window.nn.rmssd ?? 0 >= 20 {
      let reasons: [Confidence.Factor] = [.rhythm, .abnormalBeats, .tail, .noise, .lostData, .exertion]
      if !(mainReason(window).map(reasons.contains) ?? false) {
        Issue.record("\(window.time.seconds) s: \(window.confidence.known)")
      }
    }
  }

  @Test(
    "Every fault in a rest recording that changes the stress value gives a low confidence or no score",
    arguments: [
      (.constant, [.sensor]), (.averaged, [.sensor]),
      (.repeated, [.sensor]), (.fromRate, [.sensor, .lowHRV]),
    ] as [(SentIntervals, [Confidence.Factor])])
  func faults(fault: SentIntervals, reasons: [Confidence.Factor]) throws {
    let windows = try fullWindows("rest_supine", fault)
    #expect(median(windows.map(\.confidence.value)) <= 0.2)
    let trusted = windows.filter { $0.score != nil && $0.confidence.value > 0.5 }
    // Averages are detected after minutes.
    let factor = fault == .averaged ? 8 : 33
    #expect(trusted.count * factor <= windows.count, "\(trusted.count) of \(windows.count)")
    let named = windows.filter { mainReason($0).map(reasons.contains) ?? false }
    #expect(named.count * 10 >= windows.count * 9, "\(named.count) of \(windows.count) name a reason")
  }

  @Test(
    "A fault that rarely changes the stress value by 10 points lowers confidence moderately",
    arguments: [(.halfLost, .lostData), (.contactLost, .contact), (.broken, .abnormalBeats)]
      as [(SentIntervals, Confidence.Factor)])
  func harmlessFaults(fault: SentIntervals, reason: Confidence.Factor) throws {
    let windows = try fullWindows("rest_supine", fault)
    #expect((0.3...0.99).contains(median(windows.map(\.confidence.value))))
    #expect(windows.count { $0.confidence[reason] ?? 1 < 1 } * 10 >= windows.count * 9)
  }
}
