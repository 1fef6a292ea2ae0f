import HeartRate
import Stress
import Terminal
import TestSupport
import Testing

/// Exertion on the screen, in lines, in speech and in the status bar.
@Suite struct ExertionTests {
  /// A heart at 140 bpm.
  private static let running: LiveState = {
    var random = SeededGenerator(seed: 4)
    return liveState(beats: (0..<150).map { _ in 428 + .random(in: -6...6, using: &random) })
  }()

  @Test func screenShowsExertionInPlaceOfTheCategory() throws {
    let measurement = try #require(Self.running.measurement)
    let score = try #require(measurement.score)
    for (width, height) in [(40, 12), (80, 24), (120, 40)] {
      let lines = plainScreen.lines(Self.running, profile: "me", width: width, height: height)
      #expect(lines.contains { $0.contains("\(Int(score.value.rounded())) (") && $0.contains(") moving?") })
      #expect(!lines.contains { $0.contains(score.category.word) })
    }
  }

  @Test func lineShowsExertion() throws {
    var view = LiveLine(style: .plain)
    let text = view.measurementLine(Self.running)
    let line = try #require(text)
    #expect(line.contains("moving?"))
    #expect(line.contains("physical exertion"))
  }

  @Test func speechStatesExertionInPlaceOfStress() throws {
    let text = SpokenReading(style: .plain).text(try #require(Self.running.measurement))
    #expect(text.hasPrefix("Perhaps in motion: exertion raises the heart rate, so no stress is stated."))
    #expect(text.contains("Heart rate 140 beats per minute."))
  }

  @Test func statusBarShowsExertionAndHeartRate() {
    var glance = Glance(
      freshness: .live, time: WallTime(microseconds: 0), age: 4, stress: nil, hrv: 5, metric: .rmssd,
      heartRate: 140, confidence: 0.2)
    glance.isExerting = true
    #expect(GlanceLine(style: .plain).text(glance, .small) == "moving? · HR 140 bpm")
    #expect(GlanceLine(style: .plain).text(glance, .spoken).hasPrefix("Perhaps in motion:"))
  }
}
