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
    "Windows without artefacts and an RMSSD of at least 20 ms have a high confidence",
    arguments: ["rest_supine", "exercise_ectopics", "h10_walk_run", "mitdb100_apc", "nsr001_24h"],
    [(Baseline.populationDefault, 0.85), (.mature, 0.95)])
  func cleanWindows(recording: String, expected: (baseline: Baseline, least: Double)) throws {
    let sound = try fullWindows(recording, baseline: expected.baseline).filter { window in
      window.nn.rmssd ?? 0 >= 20 && (recording == "rest_supine" || window.artefactFraction == 0)
    }
    #expect(sound.count > 80)
    for window in sound where window.confidence.value < expected.least {
      Issue.record("\(window.confidence.value) at \(window.time.seconds) s: \(window.confidence.known)")
    }
  }

  @Test("Atrial fibrillation has a low confidence") func atrialFibrillation() throws {
    let windows = try fullWindows("afdb03665_af")
    #expect(median(windows.map(\.confidence.value)) < 0.05)
    for window in windows where window.confidence.value < 0.5 && window.nn.rmssd ?? 0 >= 20 {
      let irregular = min(window.confidence[.rhythm] ?? 1, window.confidence[.artefacts] ?? 1)
      if irregular > 0.95 { Issue.record("\(window.time.seconds) s: \(window.confidence.known)") }
    }
  }

  @Test(
    "Every fault in a rest recording gives a low confidence or no score, with its reason",
    arguments: [
      (.broken, [.rhythm, .artefacts]), (.halfLost, [.coverage]), (.duplicated, [.coverage, .sensor]),
      (.contactLost, [.contact]), (.constant, [.sensor]), (.averaged, [.sensor]), (.repeated, [.sensor]),
      (.fromRate, [.sensor, .lowHRV]),
    ] as [(SentIntervals, [Confidence.Factor])])
  func faults(fault: SentIntervals, reasons: [Confidence.Factor]) throws {
    let windows = try fullWindows("rest_supine", fault)
    #expect(median(windows.map(\.confidence.value)) <= 0.2)
    let trusted = windows.filter { $0.score != nil && $0.confidence.value > 0.5 }
    #expect(trusted.count * 50 <= windows.count, "\(trusted.count) of \(windows.count)")
    let named = windows.filter { mainReason($0).map(reasons.contains) ?? false }
    #expect(named.count * 10 >= windows.count * 9, "\(named.count) of \(windows.count) name a reason")
  }
}
