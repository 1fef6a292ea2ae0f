import HeartRate
import Localization
import Stress
import Terminal
import Testing

@Suite struct GlanceTests {
  private static func glance(_ freshness: Glance.Freshness, age: Int64 = 4, stress: Double? = 12.4) -> Glance
  {
    Glance(
      freshness: freshness, time: WallTime(microseconds: 0), age: age, stress: stress, hrv: 47.6,
      metric: .rmssd,
      heartRate: 62.2, confidence: 0.9, trend: .up, recent: [nil, 5, nil, 99.9, 100, 0],
      insight: Phrase("an insight")
    )
  }
  private static let unicode = GlanceLine(style: .plain)
  private static let ascii = GlanceLine(style: TerminalStyle(colours: .none, unicode: false))

  @Test(arguments: [
    (GlanceSize.small, "♣ Relaxed · calm", "* Relaxed - calm"),
    (.medium, "♣ 12 Relaxed · RMSSD 48 ms ↑ · now", "* 12 Relaxed - RMSSD 48 ms up - now"),
    (.large, "▁ ██▁ ♣ 12 Relaxed · an insight", "_ ^^_ * 12 Relaxed - an insight"),
  ])
  func liveGlanceHasNoAge(size: GlanceSize, text: String, ascii: String) {
    #expect(Self.unicode.text(Self.glance(.live), size) == text)
    #expect(Self.ascii.text(Self.glance(.live), size) == ascii)
  }

  @Test(arguments: [
    (GlanceSize.small, "♣ Relaxed · calm"), (.medium, "♣ 12 (9-16) Relaxed · RMSSD 48 ms ↑ · now"),
    (.large, "▁ ██▁ ♣ 12 (9-16) Relaxed · an insight"),
  ])
  func knownIntervalIsShown(size: GlanceSize, text: String) {
    var glance = Self.glance(.live)
    glance.interval = 8.6...15.7
    #expect(Self.unicode.text(glance, size) == text)
    #expect(Self.unicode.text(glance, .spoken).hasPrefix("Stress 12 of 100, between 9 and 16: Relaxed, "))
  }

  @Test("A value that is not live is shown with its age", arguments: [GlanceSize.small, .medium, .large])
  func staleGlanceHasAnAge(size: GlanceSize) {
    for (freshness, age, words) in [
      (Glance.Freshness.stale(reason: nil), 240, "4 min ago"),
      (.stale(reason: Phrase("link lost")), 12, "link lost, 12 s ago"),
      (.ended, 7200, "2 h ago"), (.ended, 90_000, "1 day ago"), (.ended, 260_000, "3 days ago"),
      (.ended, -3, "in the future"),
    ] as [(Glance.Freshness, Int64, String)] {
      let text = Self.unicode.text(Self.glance(freshness, age: age), size)
      #expect(text.hasPrefix("(") && text.hasSuffix(words + ")"), "\(text)")
      #expect(!text.contains("now"))
    }
  }

  @Test("A glance without a stress value shows none", arguments: [GlanceSize.small, .medium, .large])
  func glanceWithoutStress(size: GlanceSize) {
    var glance = Self.glance(.live, stress: nil)
    glance.recent = []
    #expect(Self.ascii.text(glance, size).hasPrefix("no stress value - HR 62 bpm"))
  }

  @Test func simulatedGlanceIsMarked() {
    var glance = Self.glance(.live)
    glance.isSimulated = true
    #expect(Self.unicode.text(glance, .small).hasSuffix("simulated"))
  }

  @Test(arguments: [
    (0.0, BuddyMood.sleeping), (9.99, .sleeping), (10, .calm), (24.99, .calm), (25, .concerned),
    (50, .worried),
    (75, .overwhelmed), (100, .overwhelmed),
  ])
  func moodFollowsTheScore(score: Double, mood: BuddyMood) { #expect(BuddyMood(score: score) == mood) }
}
