import Breathing
import Foundation
import HeartRate
import LiveSession
import Localization
import Stress
import Terminal
import TestSupport
import Testing

/// The screens in other languages equal their golden files and fit the terminal.
@Suite struct LanguageTests {
  private typealias Scene = GoldenScreenTests.Scene

  private static func style(_ language: String) throws -> TerminalStyle {
    var style = TerminalStyle.plain
    style.language = try MessageCatalogue(language).words
    return style
  }

  /// Replaces all texts by long words, so that untranslated English text is detected.
  private static let strange: TerminalStyle = {
    var style = TerminalStyle.plain
    style.language = Language("xx") { key, plural in
      let text = plural.map { $0.count == 1 ? key : $0.key } ?? key
      return String(text.map { $0.isLetter ? "ж" : $0 })
    }
    return style
  }()

  private static func live(_ scene: Scene, _ style: TerminalStyle, _ width: Int, _ height: Int) -> [String] {
    let screen = LiveScreen(
      style: style, footer: style.localized("Ctrl-C ends the session."))
    return screen.lines(
      scene.state, profile: "me", notices: scene.notices, view: LiveView(keys: LiveKey.ofOne),
      width: width,
      height: height)
  }

  /// A minute of rest, two cycles of 4-7-8 and half a minute of rest.
  private static func exercise(_ seconds: Double, _ style: TerminalStyle, isStill: Bool = false)
    -> (Int, Int) -> [String]
  {
    var course = ExerciseCourse(
      before: .seconds(60), breathing: PacedBreathing(.relaxing, cycles: 2), after: .seconds(30))
    if seconds >= 0 { course.begin(at: .zero) }
    let time = SessionTime(ticks: Int64(max(0, seconds) * Double(RRInterval.ticksPerSecond)))
    let view = BreathingView(
      stage: course.stage(at: time), time: time, live: Scene.mild.state, coherence: 0.71)
    let screen = BreathingScreen(
      style: style, isStill: isStill,
      footer: style.localized("Space pauses, q ends the exercise; its data are kept"))
    return { screen.lines(view, width: $0, height: $1) }
  }

  @Test(arguments: MessageCatalogue.languages)
  func screensEqualTheirGoldenFiles(language: String) throws {
    let style = try Self.style(language)
    var text = ""
    for scene in [Scene.moderate, .stale, .nothing, .lowConfidence, .paused] {
      text += "== \(scene.rawValue)\n" + Self.live(scene, style, 80, 24).map { $0 + "\n" }.joined()
    }
    for seconds in [30.0, 64] {
      text +=
        "== breathe at \(seconds) s\n" + Self.exercise(seconds, style)(80, 24).map { $0 + "\n" }.joined()
    }
    try Golden.expect("live-\(language)", text)
  }

  @Test(arguments: MessageCatalogue.languages)
  func screensFitTheTerminal(language: String) throws {
    let style = try Self.style(language)
    for (width, height) in Golden.sizes {
      for scene in Scene.allCases {
        let lines = Self.live(scene, style, width, height)
        #expect(lines.count < height && lines.allSatisfy { $0.columns <= width }, "\(scene) \(width)")
      }
      let help = KeyHelp(LiveKey.ofOne, style: style).lines(width: width, height: height)
      #expect(help.count < height && help.allSatisfy { $0.columns <= width }, "\(width)")
      for seconds in [-1, 30, 61, 66, 75, 79.5, 110, 140] as [Double] {
        for isStill in [true, false] {
          let lines = Self.exercise(seconds, style, isStill: isStill)(width, height)
          #expect(lines.count < height && lines.allSatisfy { $0.columns <= width }, "\(seconds) \(width)")
        }
      }
    }
  }

  /// Instructions are not clipped, even on the smallest screen.
  @Test(arguments: MessageCatalogue.languages)
  func instructionsAreNotClipped(language: String) throws {
    let style = try Self.style(language)
    for seconds in [30, 61, 66, 75, 79.5, 110] as [Double] {
      let lines = Self.exercise(seconds, style, isStill: true)(40, 12)
      #expect(lines.first?.contains("…") == false, "\(lines)")
    }
  }

  /// Names, units and commands.
  private static let untranslated: Set<Substring> = [
    "stressmon", "journal", "edit", "note", "TEXT", "Polar", "RMSSD", "SDNN", "pNN", "min", "timeout", "The",
    "history", "cannot", "written",
    "the", "disk", "full", "Kept", "memory", "and", "once", "can",
  ]

  @Test func screensContainNoUntranslatedText() {
    var lines = Scene.allCases.flatMap { Self.live($0, Self.strange, 160, 50) }
    for seconds in [-1, 30, 61, 66, 75, 79.5, 110, 140] as [Double] {
      lines += Self.exercise(seconds, Self.strange)(120, 40)
    }
    for sense in Grounding.Sense.allCases {
      lines.append(Self.strange.localized(GroundingView(sense: sense, thing: 1).task))
    }
    lines += statuses + KeyHelp(LiveKey.ofOne, style: Self.strange).lines(width: 80, height: 40)
    lines += messages.map { $0.text(Self.strange) }
    for line in lines {
      let words: [Substring] = line.split { !($0.isLetter && $0.isASCII) }.filter { $0.count > 2 }
      // Excluded beats are marked with x.
      let left = words.filter { !Self.untranslated.contains($0) && !$0.allSatisfy { $0 == "x" } }
      #expect(left.isEmpty, "\(line)")
    }
  }

  private var messages: [LiveMessage] {
    let journals: [LiveMessage.Journal] = [.entry(7), .nothingIsStored, .failed("full")]
    return journals.map { .marked(number: 1, at: .zero, $0) } + [
      .markedInAllSessions(number: 2), .window(.minute), .brokenOff, .notStored("full"),
    ]
  }

  private var statuses: [String] {
    let freshness: [StatusReport.Freshness] = [
      .live, .ended, .stale(reason: Phrase("link lost")), .stale(reason: nil),
    ]
    return freshness.flatMap { freshness in
      [-1, 4, 100, 4000, 90_000, 200_000].flatMap { (age: Int64) in
        StatusSize.allCases.map { size in
          var status = StatusReport(
            freshness: freshness, time: WallTime(microseconds: 0), age: age,
            measurement: LiveMeasurement(rmssd: 48, stress: Double(age.magnitude % 100), confidence: 0.4),
            metric: .rmssd, isSimulated: true)
          (status.heartRate, status.trend, status.insight) = (62, .up, Phrase("Done"))
          return StatusText(style: Self.strange).text(status, size)
        }
      }
    }
  }
}
