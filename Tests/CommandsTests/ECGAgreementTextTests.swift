import HRV
import HeartRate
import Reports
import TestSupport
import Testing

@testable import Commands

@Test func comparisonWithTheElectrocardiogramIsATable() throws {
  var detected = ECGSession.peaks
  detected.remove(at: 60)
  let analysis = SessionAnalysis(
    events: ECGSession.events(detected), file: "a.jsonl", started: nil, top: .normal, selection: .time,
    comparesECG: true)
  let text = AnalysisText(analysis: analysis).text
  #expect(text.contains("electrocardiogram of 1:59: \(ECGSession.peaks.count) R peaks, 1 without a beat"))
  #expect(text.contains("R-R equal"))
  let row = text.split(separator: "\n").first { $0.hasPrefix("missed ") }
  #expect(try #require(row).split(separator: " ") == ["missed", "0", "1", "0", "0"])
  #expect(text.contains("(100.0 %)"))
  #expect(text.contains("RR minus R-R: mean absolute error "))
}
