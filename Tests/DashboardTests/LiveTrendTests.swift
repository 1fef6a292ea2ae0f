import LiveFeed
import LiveSession
import Reports
import TestSupport
import Testing

@testable import Dashboard

@Suite struct LiveTrendTests {
  /// One value per second: `earlier` for four minutes, then `latest` for a minute.
  private func trend(_ earlier: (Int) -> Double, _ latest: (Int) -> Double) -> LiveTrend {
    var trend = LiveTrend()
    for second in 0..<240 { trend.add(earlier(second), at: Double(second)) }
    for second in 240..<300 { trend.add(latest(second), at: Double(second)) }
    return trend
  }

  @Test func theLastMinuteIsComparedWithTheFourMinutesBefore() {
    let noise = { (second: Int) in 60 + Double(second % 5) - 2 }
    #expect(trend(noise, noise).direction(.heartRate) == .steady)
    #expect(trend(noise, { noise($0) + 3 }).direction(.heartRate) == .up)
    #expect(trend(noise, { noise($0) - 3 }).direction(.heartRate) == .down)
    // The standard deviation of the four minutes before is 1.4 bpm.
    #expect(trend(noise, { noise($0) + 1.2 }).direction(.heartRate) == .steady)
  }

  @Test func aDifferenceBelowAVisibleStepIsSteady() {
    #expect(trend({ _ in 0 }, { _ in 0.4 }).direction(.respiration) == .steady)
    #expect(trend({ _ in 0 }, { _ in 0.6 }).direction(.respiration) == .up)
    #expect(trend({ _ in 0 }, { _ in 0.9 }).direction(.artefacts) == .steady)
  }

  @Test func tooFewValuesHaveNoDirection() {
    #expect(LiveTrend().direction(.rmssd) == nil)
    var short = LiveTrend()
    for second in 0..<100 { short.add(50, at: Double(second)) }
    #expect(short.direction(.rmssd) == nil)
    var disordered = trend({ _ in 50 }, { _ in 60 })
    disordered.add(.nan, at: 301)
    disordered.add(1, at: 10)
    #expect(disordered.direction(.rmssd) == .up)
  }

  @Test func theValuesAreThoseOfTheLines() {
    let lines = (0..<300).map { second in
      let rmssd = second < 240 ? 40 : 80
      return FeedLine(
        session: "01K", number: second + 1,
        bytes: Array(
          #"{"type":"measurement","time":"2026-11-21T07:30:00Z","monotonic_s":\#(second),"rmssd_ms":\#(rmssd),"sdnn_ms":null}"#
            .utf8))
    }
    let trends = LiveBeats(lines).trends
    #expect(trends[.rmssd]?.direction(.rmssd) == .up && trends[.sdnn] == nil)
  }
}
