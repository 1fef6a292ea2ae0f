import HRV
import HeartRate
import Stress
import Terminal
import Testing

/// The summary at the end of `live` and `record` as text.
@Suite struct SummaryCardTests {
  private func lines(_ play: (inout Played) -> Void, width: Int? = nil) -> [String] {
    var played = Played()
    play(&played)
    return SummaryCard(style: .plain).lines(played.summary, next: "stressmon show 01K", width: width)
  }

  @Test(
    "A summary has duration, heart rate, RMSSD, the time in each category, artefacts, a sentence and a command"
  )
  func complete() {
    let lines = lines { $0.beat(seconds: 120, mean: 950, spread: 60) }
    #expect(lines.count == 10, "\(lines)")
    #expect(lines[0].hasPrefix("Duration   2:0"))
    #expect(lines[1] == "HR         63 bpm on average, windows 62 to 64")
    #expect(lines[2].hasPrefix("HRV        60.") && lines[2].hasSuffix(" (RMSSD)"))
    #expect(lines[3].hasPrefix("Stress     ♣ Relaxed      1:3") && lines[3].hasSuffix("  100 %"))
    #expect(lines[6].hasSuffix("■ High         0:00    0 %"))
    #expect(lines[7].hasPrefix("Artefacts  0 of 12") && lines[7].hasSuffix(" beats (0.0 %)"))
    #expect(lines[8] == "You were relaxed for 100 % of the measured time.")
    #expect(lines[9] == "Next: stressmon show 01K")
  }

  @Test("A summary without data reports that there are none")
  func noData() {
    #expect(
      lines { _ in } == ["Duration  0:00", "No heartbeat was received.", "Next: stressmon show 01K"])
  }

  @Test("A summary with too few beats reports what a stress value requires")
  func tooFew() {
    let lines = lines { $0.beat(seconds: 15, mean: 950, spread: 60) }
    #expect(lines.contains("No stress value: it requires 20 normal beats in 30 s of data."))
    #expect(!lines.contains { $0.contains("Relaxed") })
  }

  @Test("A summary fits a terminal of 40 columns")
  func narrow() {
    let lines = lines({ $0.beat(seconds: 120, mean: 950, spread: 60) }, width: 40)
    #expect(lines.allSatisfy { $0.columns <= 40 } && lines.contains("You were relaxed for 100 % of the"))
  }
}
