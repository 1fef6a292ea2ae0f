import HeartRate
import LiveSession
import Localization
import Stress
import Terminal
import Testing

@Suite struct StatusTextTests {
  private static func status(_ freshness: StatusReport.Freshness, age: Int64 = 4, stress: Double? = 12.4)
    -> StatusReport
  {
    var status = StatusReport(
      freshness: freshness, time: WallTime(microseconds: 0), age: age,
      measurement: LiveMeasurement(rmssd: 47.6, stress: stress, confidence: 0.9), metric: .rmssd,
      isSimulated: false)
    (status.heartRate, status.trend, status.recent) = (62.2, .up, [nil, 5, nil, 99.9, 100, 0])
    status.insight = Phrase("an insight")
    return status
  }
  private static let unicode = StatusText(style: .plain)
  private static let ascii = StatusText(style: TerminalStyle(colours: .none, unicode: false))

  @Test(arguments: [
    (StatusSize.small, "♣ Relaxed · calm", "* Relaxed - calm"),
    (.medium, "♣ 12 Relaxed · HRV 48 ms ↑ · now", "* 12 Relaxed - HRV 48 ms up - now"),
    (.large, "▁ ██▁ ♣ 12 Relaxed · an insight", "_ ^^_ * 12 Relaxed - an insight"),
  ])
  func liveStatusHasNoAge(size: StatusSize, text: String, ascii: String) {
    #expect(Self.unicode.text(Self.status(.live), size) == text)
    #expect(Self.ascii.text(Self.status(.live), size) == ascii)
  }

  @Test(arguments: [
    (StatusSize.small, "♣ Relaxed · calm"), (.medium, "♣ 12 (9-16) Relaxed · HRV 48 ms ↑ · now"),
    (.large, "▁ ██▁ ♣ 12 (9-16) Relaxed · an insight"),
  ])
  func knownRangeIsShown(size: StatusSize, text: String) {
    var status = Self.status(.live)
    status.measurement.range = 8.6...15.7
    #expect(Self.unicode.text(status, size) == text)
    #expect(Self.unicode.text(status, .spoken).hasPrefix("Stress 12 of 100, between 9 and 16: Relaxed, "))
  }

  @Test("A value that is not live is shown with its age", arguments: [StatusSize.small, .medium, .large])
  func staleStatusHasAnAge(size: StatusSize) {
    for (freshness, age, words) in [
      (StatusReport.Freshness.stale(reason: nil), 240, "4 min ago"),
      (.stale(reason: Phrase("link lost")), 12, "link lost, 12 s ago"),
      (.ended, 7200, "2 h ago"), (.ended, 90_000, "1 day ago"), (.ended, 260_000, "3 days ago"),
      (.ended, -3, "in the future"),
    ] as [(StatusReport.Freshness, Int64, String)] {
      let text = Self.unicode.text(Self.status(freshness, age: age), size)
      #expect(text.hasPrefix("(") && text.hasSuffix(words + ")"), "\(text)")
      #expect(!text.contains("now"))
    }
  }

  @Test("A status without a stress value shows none", arguments: [StatusSize.small, .medium, .large])
  func statusWithoutStress(size: StatusSize) {
    var status = Self.status(.live, stress: nil)
    status.recent = []
    #expect(Self.ascii.text(status, size).hasPrefix("no stress value - HR 62 bpm"))
  }

  @Test func simulatedStatusIsMarked() {
    var status = Self.status(.live)
    status.isSimulated = true
    #expect(Self.unicode.text(status, .small).hasSuffix("simulated"))
  }

  @Test(arguments: [
    (0.0, BuddyMood.sleeping), (9.99, .sleeping), (10, .calm), (24.99, .calm), (25, .concerned),
    (50, .worried),
    (75, .overwhelmed), (100, .overwhelmed),
  ])
  func moodFollowsTheScore(score: Double, mood: BuddyMood) { #expect(BuddyMood(score: score) == mood) }
}
