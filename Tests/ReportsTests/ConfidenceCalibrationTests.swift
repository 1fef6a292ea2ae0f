import HeartRate
import Reports
import Stress
import TestSupport
import Testing

@Suite struct ConfidenceCalibrationTests {
  @Test func aCleanSessionIsWithinItsStatedProbability() throws {
    var calibration = ConfidenceCalibration()
    for _ in 0..<3 { calibration.add(ECGSession.events(), StressEngine()) }
    #expect(abs(calibration.seconds - 360) < 5)
    #expect(calibration.windows.count >= 3)
    #expect(calibration.windows.allSatisfy { abs($0.difference) < 3 }, "\(calibration.windows)")
    #expect(calibration.bins.allSatisfy { $0.found == 1 })
    #expect(try #require(calibration.expectedError) < 0.2)
    #expect(calibration.phrases.count == calibration.bins.count + 2)
    let object = try JSONValue(String(decoding: calibration.json, as: UTF8.self))
    #expect(try Schema("confidence-calibration").differences(from: object) == [])
  }

  @Test func aSessionWithoutAnElectrocardiogramAddsNothing() {
    var calibration = ConfidenceCalibration()
    calibration.add(
      ECGSession.events().filter { if case .sensorFrame = $0.kind { false } else { true } }, StressEngine())
    #expect(calibration.seconds == 0 && calibration.windows.isEmpty)
    #expect(calibration.expectedError == nil)
  }
}
