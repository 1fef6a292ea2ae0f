import HeartRate
import LiveSession
import Localization
import Stress
import Terminal
import TestSupport
import Testing

@testable import Commands
@testable import Reports

@Suite struct StatusLineTests {
  private static let status = StatusReport(
    freshness: .live, time: WallTime(microseconds: 1_790_000_000_000_000), age: 3,
    measurement: LiveMeasurement(rmssd: 48, meanHeartRate: 61, stress: 12, confidence: 0.9), metric: .rmssd,
    isSimulated: false)

  private func line(_ form: StatusLine.Form, _ status: StatusReport?, _ size: StatusSize = .medium) -> String
  {
    StatusLine(profile: "me", form: form, size: size, style: .plain).line(status)
  }

  @Test func textHasStressAndHRV() {
    var status = Self.status
    status.trend = .up
    let text = line(.text, status)
    #expect(text.contains("12 ") && text.contains("HRV 48 ms ↑") && text.hasSuffix("\n"))
  }

  @Test func textHasTheRange() {
    var status = Self.status
    status.measurement.range = 9.2...15.6
    #expect(line(.text, status).hasPrefix("♣ 12 (9-16) Relaxed"))
    #expect(line(.text, status, .spoken).hasPrefix("Stress 12 of 100, between 9 and 16: "))
  }

  @Test func aSessionWithoutMeasurementShowsTheCollectedData() {
    let status = StatusReport.collecting(seconds: 12.6, required: 30)
    #expect(line(.text, status).hasPrefix("collecting data: 12 of 30 s"))
    #expect(line(.text, status, .spoken) == "Collecting data: 12 of 30 seconds.\n")
  }

  @Test func staleValuesAreInParentheses() {
    let status = StatusReport(
      freshness: .stale(reason: Phrase("link lost")), time: WallTime(microseconds: 0), age: 300,
      measurement: LiveMeasurement(sdnn: 20, meanHeartRate: 90, stress: 80, confidence: 0.9), metric: .sdnn,
      isSimulated: true)
    let text = line(.text, status)
    #expect(text.hasPrefix("(") && text.contains("simulated") && text.contains("HRV 20 ms"))
  }

  @Test func jsonContainsTheText() throws {
    let json = try JSONValue(line(.json, Self.status))
    #expect(json["text"]?.text.map { $0 + "\n" } == line(.text, Self.status))
    #expect(json["stress"]?.number == 12 && json["state"]?.text == "live")
  }

  @Test func waybarHasClassAndPercentage() throws {
    let json = try JSONValue(line(.waybar, Self.status))
    #expect(json["class"]?.text == "relaxed" && json["percentage"]?.number == 12)
    let nothing = try JSONValue(line(.waybar, nil))
    #expect(nothing["class"]?.text == "none" && nothing["alt"]?.text == "none")
  }
}

extension StatusReport {
  /// A session before its first measurement.
  fileprivate static func collecting(seconds: Double, required: Double) -> StatusReport {
    var status = StatusReport(
      freshness: .live, time: WallTime(microseconds: 0), age: 1, measurement: LiveMeasurement(),
      metric: .rmssd, isSimulated: false)
    status.collected = Collected(seconds: seconds, required: required)
    return status
  }
}
