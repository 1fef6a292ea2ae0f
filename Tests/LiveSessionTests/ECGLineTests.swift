import HRV
import HeartRate
import LiveSession
import Stress
import TestSupport
import Testing

@Suite struct ECGLineTests {
  @Test func linesContainTheSamplesAndTheVerification() throws {
    let start = SessionEvent(
      at: .zero,
      .stream(
        SensorStreamChange(
          .ecg, .started, settings: SensorSettings(rate: 130), reason: SensorStreamChange.verification)))
    var (engine, encoder, bytes) = (
      StressEngine(), SessionLineEncoder(session: "01", profile: "me"), [UInt8]()
    )
    var ecg = SyntheticECG()
    ecg.breathing = 20
    for event in [start] + ECGSession.events(ecg: ecg) { engine.process(event) { encoder.put($0) } }
    encoder.take { bytes += $0 }
    let frames = bytes.split(separator: UInt8(ascii: "\n")).compactMap {
      line -> SessionLine.Electrocardiogram? in
      if case .ecg(let frame)? = SessionLine(Array(line))?.content { frame } else { nil }
    }
    #expect(frames.count > 200 && frames.allSatisfy { $0.samples.count == 73 && $0.rate == 130 })
    let last = try #require(frames.last)
    #expect(last.hasContact && last.verified > 100 && last.explained == last.verified)
    #expect(last.respiration == engine.ecgStatus?.respiration && last.respiration != nil)
  }

  @Test func withoutVerificationThereAreNoLines() {
    var (engine, encoder) = (StressEngine(), SessionLineEncoder(session: "01", profile: "me"))
    var found = 0
    for event in ECGSession.events() {
      engine.process(event) { update in
        if case .ecg = update { found += 1 }
        encoder.put(update)
      }
    }
    #expect(found == 0)
  }
}
