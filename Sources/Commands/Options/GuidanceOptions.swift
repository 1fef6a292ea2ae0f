import ArgumentParser
import Glibc
import HeartRate
import Localization
import NetworkCommands
import Platform
import Terminal

/// How an exercise is guided.
struct GuidanceOptions: ParsableArguments {
  @Flag(name: .long, help: .localized("Ring the terminal bell at the start of each breathing phase."))
  var bell = false

  @Flag(name: .long, help: .localized("Show words, no animation (also: NO_MOTION=1)."))
  var reduceMotion = false

  @Flag(
    inversion: .prefixedNo,
    help: .localized(
      """
      Show a desktop notification at the end, without values (default: only on a desktop, with the screen view).
      """)
  )
  var notify: Bool?

  /// The valid lengths of an exercise: 6 s to 2 h.
  static let lengths: ClosedRange<Duration> = .seconds(6)...(.seconds(7200))

  /// The display of an exercise: a screen, sentences, lines, lines on standard error beside JSON, or none.
  func form(
    _ view: ViewOptions, _ context: CommandContext, speed: Double?
  ) -> GuideDisplay.Form {
    let style = view.style(context)
    if view.json {
      return speed != nil && isatty(STDERR_FILENO) == 1
        ? .lines(BreathingLines(style: style), toErrors: true) : .silent
    }
    if view.speech.speak { return .speech(BreathingSpeech(style: style, every: view.speech.period)) }
    guard view.usesScreen(context.environment) else {
      return .lines(BreathingLines(style: style), toErrors: false)
    }
    return .screen(
      BreathingScreen(
        style: style, isStill: isStill(context.environment),
        footer: style.localized("Space pauses, q ends the exercise; its data are kept")))
  }

  func isStill(_ environment: ProcessEnvironment) -> Bool { reduceMotion || environment["NO_MOTION"] != nil }
}
