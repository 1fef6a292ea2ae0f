import HRV
import HeartRate
import LiveSession
import Stress
import Terminal
import TestSupport
import Testing

@Suite struct StressTextTests {
  @Test(arguments: [
    (42.4, 36.2...47.4 as ClosedRange<Double>?, "42 (36-47)"), (0, 0...2.6, "0 (0-3)"),
    (99.6, 96.4...100, "100 (96-100)"), (12.4, nil, "12"),
  ])
  func rangeFollowsTheValue(value: Double, range: ClosedRange<Double>?, text: String) {
    #expect(StressValueText.text(value, range) == text)
  }

  /// The text of the range of a measurement, computed here from its bounds.
  private static func text(_ state: LiveState) throws -> String {
    let measurement = try #require(state.measurement)
    let (stress, range) = (try #require(measurement.stress), try #require(measurement.range))
    return
      "\(Int(stress.rounded())) (\(Int(range.lowerBound.rounded()))-\(Int(range.upperBound.rounded())))"
  }

  @Test(arguments: [(40, 12), (60, 16), (80, 24), (120, 40)])
  func screenShowsTheRange(width: Int, height: Int) throws {
    let state = liveState(beats: restingBeats)
    let lines = plainScreen.lines(state, profile: "me", width: width, height: height)
    let text = try Self.text(state)
    #expect(lines.contains { $0.contains("Stress  ♣ \(text) Relaxed") }, "\(lines)")
    #expect(lines.allSatisfy { $0.columns <= width })
  }

  @Test func aNarrowScreenOmitsTheRange() {
    let lines = plainScreen.lines(liveState(beats: restingBeats), profile: "me", width: 20, height: 12)
    #expect(lines.contains { $0.hasPrefix("Stress  ♣ ") && $0.hasSuffix("Relaxed") && !$0.contains("(") })
  }

  @Test func linesAndReadingsShowTheRange() throws {
    let state = liveState(beats: restingBeats)
    let (text, measurement) = (try Self.text(state), try #require(state.measurement))
    var line = LiveLine(style: .plain)
    #expect(line.measurementLine(state)?.contains("  stress ♣ \(text) Relaxed  ") == true)
    let card = ReadingCard(style: .plain)
    #expect(card.line(measurement).hasPrefix("stress ♣ \(text) Relaxed  "))
    #expect(
      card.lines(measurement, isStored: true).first == "Stress      ♣ \(text) Relaxed")
  }

  @Test func spokenReadingNamesTheBounds() throws {
    let measurement = try #require(liveState(beats: restingBeats).measurement)
    let (stress, range) = (try #require(measurement.stress), try #require(measurement.range))
    let (low, high) = (Int(range.lowerBound.rounded()), Int(range.upperBound.rounded()))
    #expect(
      SpokenReading(style: .plain).text(measurement).hasPrefix(
        "Stress \(Int(stress.rounded())) of 100, between \(low) and \(high): Relaxed, "))
  }
}
