import HeartRate
import TestSupport
import Testing

@testable import Commands

@Suite struct ArgumentTests {
  @Test(arguments: [
    ("90", 90_000), ("90s", 90_000), ("1.5m", 90_000), ("2h", 7_200_000), ("1h30m", 5_400_000),
    ("250ms", 250),
    ("1d", 86_400_000), ("0", 0), ("5M", 300_000), ("1m30s", 90_000), ("2min", 120_000), ("3sec", 3000),
    (".5s", 500),
  ])
  func durationsAreParsed(text: String, milliseconds: Int) {
    #expect(DurationArgument(argument: text)?.duration == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    "", " ", "s", "-5", "-5s", "1x", "1.2.3", "nan", "inf", "1e3", "5 m", "m5", "1h30", "٣s", "0x10", "+5",
    "99999999999999999999", "1000000000", ".",
  ])
  func invalidDurationsAreRejected(text: String) {
    #expect(DurationArgument(argument: text) == nil)
  }

  @Test func anyTextIsParsedOrRejectedAsADuration() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<5000 {
      let length = Int.random(in: 0...8, using: &generator)
      let text = String(
        (0..<length).map { _ in "0123456789.smhd-xe \u{661}".randomElement(using: &generator)! })
      if let duration = DurationArgument(argument: text)?.duration { #expect(duration >= .zero) }
    }
  }

  @Test(
    "--minutes takes a number of minutes, or a duration with a suffix",
    arguments: [
      ("5", 300_000), ("0.5", 30_000), ("5m", 300_000), ("90s", 90_000), ("1h", 3_600_000), ("1m30s", 90_000),
    ])
  func minutes(text: String, milliseconds: Int) {
    #expect(MinutesArgument(argument: text)?.duration == .milliseconds(milliseconds))
  }

  @Test(arguments: ["", "-1", "nan", "5x", "m", "1,5"])
  func invalidMinutesAreRejected(text: String) {
    #expect(MinutesArgument(argument: text) == nil)
  }

  @Test("An entry may be at most a minute in the future, which tolerates a slow clock")
  func clockTolerance() {
    let now = WallTime(microseconds: 1_800_000_000_000_000)
    func rejects(_ seconds: Int64) -> Bool {
      (try? EntryOptions.requirePast(WallTime(microseconds: now.microseconds + seconds * 1_000_000), now: now))
        == nil
    }
    #expect(!rejects(-3600) && !rejects(0) && !rejects(60) && rejects(61))
  }

  @Test(arguments: [
    (60, "60s"), (300, "5m"), (3600, "1h"), (90, "90s"), (7200, "2h"), (0, "0s"), (61, "61s"),
  ])
  func durationsAreShownInTheLargestUnit(seconds: Int, text: String) {
    #expect(DurationArgument(.seconds(seconds)).defaultValueDescription == text)
    #expect(DurationArgument(argument: text)?.duration == .seconds(seconds))
  }

  @Test(arguments: [
    ("1", Pace.times(1)), ("60", .times(60)), ("x60", .times(60)), ("60x", .times(60)), ("0.5", .times(0.5)),
    ("max", .maximum), ("MAX", .maximum), ("X2", .times(2)),
  ])
  func pacesAreParsed(text: String, pace: Pace) {
    #expect(PaceArgument(argument: text)?.pace == pace)
  }

  @Test(arguments: ["", "0", "-1", "nan", "inf", "fast", "x", "1e9", "0.001", "maximum", "2 "])
  func invalidPacesAreRejected(text: String) {
    #expect(PaceArgument(argument: text) == nil)
  }

  @Test func profileNamesAreAnyPrintableText() {
    for name in ["me", "Anna Bruns", "Zoë", "日本", String(repeating: "a", count: 64)] {
      #expect(ProfileName(argument: name)?.name == name)
    }
    for name in ["", String(repeating: "a", count: 65), "a\nb", "a\u{1B}[2J", "\0"] {
      #expect(ProfileName(argument: name) == nil)
    }
  }
}
