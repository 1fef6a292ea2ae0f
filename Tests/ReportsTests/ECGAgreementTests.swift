import HRV
import HeartRate
import TestSupport
import Testing

@testable import Reports

/// Beats compared with a synthetic electrocardiogram.
@Suite struct ECGAgreementTests {
  private func analysis(_ events: [SessionEvent]) -> SessionAnalysis {
    SessionAnalysis(
      events: events, file: "a.jsonl", started: nil, top: .normal, selection: .time, comparesECG: true)
  }

  @Test func beatsOfAGoodStrapAgree() throws {
    let ecg = try #require(analysis(ECGSession.events()).ecg)
    #expect((ecg.missed, ecg.extra) == (0, 0))
    #expect(ecg.peaks == ECGSession.peaks.count && ecg.beats >= ECGSession.peaks.count - 2)
    #expect(ecg.agreeing == ecg.beats)
    #expect(try #require(ecg.meanAbsoluteError) < 2)
    #expect(try #require(ecg.meanError).magnitude < 0.5)
    #expect((119...120).contains(ecg.seconds))
  }

  @Test func missedBeatIsFoundAndItsVerdictConfirmed() throws {
    var detected = ECGSession.peaks
    detected.remove(at: 60)
    let ecg = try #require(analysis(ECGSession.events(detected)).ecg)
    #expect((ecg.missed, ecg.extra) == (1, 0))
    #expect(ecg.evidence[.missed] == [.missedPeak: 1])
    #expect(ecg.agreeing == ecg.beats)
  }

  @Test func extraBeatIsFound() throws {
    var detected = ECGSession.peaks
    detected.insert(detected[59] + 0.4, at: 60)
    let ecg = try #require(analysis(ECGSession.events(detected)).ecg)
    #expect((ecg.missed, ecg.extra) == (0, 1))
    #expect(ecg.evidence.values.reduce(0) { $0 + ($1[.noPeak] ?? 0) } == 1)
  }

  @Test func beatsAgreeInNoise() throws {
    var noisy = SyntheticECG()
    (noisy.wander, noisy.hum, noisy.noise) = (400, 80, 60)
    let ecg = try #require(analysis(ECGSession.events(ecg: noisy)).ecg)
    #expect((ecg.missed, ecg.extra) == (0, 0))
    #expect(try #require(ecg.meanAbsoluteError) < 6)
  }

  @Test func lostFramesSplitTheSignal() throws {
    let events = ECGSession.events().filter { event in
      if case .sensorFrame = event.kind { !(40...50).contains(event.at.seconds) } else { true }
    }
    let ecg = try #require(analysis(events).ecg)
    #expect((ecg.missed, ecg.extra) == (0, 0))
    #expect((100...112).contains(ecg.seconds))
    #expect(ecg.agreeing == ecg.beats)
  }

  @Test func recordingWithoutECGHasNoComparison() {
    let events = ECGSession.events().filter { if case .sensorFrame = $0.kind { false } else { true } }
    #expect(analysis(events).ecg == nil)
    let plain = SessionAnalysis(
      events: ECGSession.events(), file: "a", started: nil, top: .normal, selection: .time)
    #expect(plain.ecg == nil)
  }

  @Test func jsonHasTheComparisonWithDocumentedKeys() throws {
    let analysis = analysis(ECGSession.events())
    let ecg = try #require(try JSONValue(String(decoding: analysis.json, as: UTF8.self))["ecg"])
    #expect(try Schema("ecg-agreement").differences(from: ecg) == [])
    #expect(ecg["peaks"]?.number == Double(ECGSession.peaks.count))
    #expect(ecg["missed_peaks"]?.number == 0 && ecg["beats_without_peak"]?.number == 0)
    #expect(ecg["verdict_evidence"]?["normal"]?["same"] == ecg["compared_beats"])
    let documentation = Documentation.page("json.md")
    let keys = ecg.members.keys + ECGAgreement.Evidence.allCases.map(\.rawValue)
    for key in keys { #expect(documentation.contains("`\(key)`"), "\(key)") }
  }
}
