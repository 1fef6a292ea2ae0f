import ArgumentParser
import Glibc
import HeartRate
import Terminal
import Words

/// How an exercise is led.
struct GuidanceOptions: ParsableArguments {
  @Flag(name: .long, help: "Ring the terminal's bell at each change of the breath.")
  var bell = false

  @Flag(name: .long, help: "Words only, nothing that moves (also: NO_MOTION).")
  var reduceMotion = false

  @Flag(
    inversion: .prefixedNo,
    help:
      "Say on the desktop that it is over, without any value (default: where a desktop's screen leads through it)."
  )
  var notify: Bool?

  /// How long an exercise may be, in minutes.
  static let minutes = 0.1...120.0

  /// Where it is led: a screen, lines, or lines beside the data for whoever sits at the terminal.
  func form(
    _ view: ViewOptions, _ surroundings: Surroundings, _ configuration: Configuration, speed: Double?
  ) -> GuideDisplay.Form {
    let style = view.style(surroundings, configuration)
    if view.json {
      return speed != nil && isatty(STDERR_FILENO) == 1
        ? .lines(BreathingLines(style: style), toErrors: true) : .silent
    }
    if view.speech.speak { return .speech(BreathingSpeech(style: style, every: view.speech.period)) }
    guard view.usesScreen(surroundings) else { return .lines(BreathingLines(style: style), toErrors: false) }
    return .screen(
      BreathingScreen(
        style: style, isStill: isStill(surroundings),
        footer: style.words("Space pauses, q ends and keeps what was measured")))
  }

  func isStill(_ surroundings: Surroundings) -> Bool { reduceMotion || surroundings["NO_MOTION"] != nil }
}

extension SourceOptions {
  /// How fast time passes between events; nil where it passes with them alone.
  var guideSpeed: Double? {
    switch simulate ? speed?.pace ?? .times(1) : .times(1) {
    case .times(let factor): factor
    case .maximum: nil
    }
  }
}
