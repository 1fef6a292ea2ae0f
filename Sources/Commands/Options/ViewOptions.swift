import ArgumentParser
import HeartRate
import History
import Localization
import Platform
import Stress
import Terminal

/// The output of a session.
struct ViewOptions: ParsableArguments {
  @Flag(name: .long, help: "Print one JSON object per line (see docs/json.md).")
  var json = false

  @Flag(name: .long, help: "Print lines of plain text, without the screen view and without colour.")
  var plain = false

  @OptionGroup var speech: SpeechOptions
  @OptionGroup var appearance: AppearanceOptions

  func validate() throws {
    if json, plain { throw ValidationError("--json and --plain exclude each other: leave out one of them.") }
    if json, speech.speak {
      throw ValidationError("--json and --speak exclude each other: leave out one of them.")
    }
  }

  /// Whether the screen view is used: on a terminal that can move its cursor.
  func usesScreen(_ environment: ProcessEnvironment) -> Bool {
    !json && !plain && !speech.speak && StandardOutput().isTerminal
      && (environment["TERM"] ?? "dumb") != "dumb"
  }

  /// Colour is used on terminals only, and not with `--plain` and `--speak`.
  func style(_ environment: ProcessEnvironment, _ configuration: Configuration) -> TerminalStyle {
    appearance.style(
      environment, configuration, isTerminal: StandardOutput().isTerminal && !plain && !speech.speak)
  }

  /// Whether sentences are written to a terminal, so that keys can be answered.
  var speaksOnTerminal: Bool { speech.speak && StandardOutput().isTerminal }

  /// The keys that are pressed on the terminal; nil unless it shows the screen or sentences, and when standard input is
  /// not a terminal.
  func terminalKeys(_ environment: ProcessEnvironment) -> TerminalKeys? {
    usesScreen(environment) || speaksOnTerminal ? TerminalKeys() : nil
  }

  /// Answers the keys of `screen` in sentences, and says first that there are keys.
  func spokenKeys(_ screen: Screen) throws -> SpokenKeys {
    let spoken = SpokenKeys(
      keys: screen.keys.filter(LiveKey.spoken.contains), style: screen.style, output: screen.output)
    try spoken.announce()
    return spoken
  }

  /// The sink that shows a session, which `engine` measures. `footer` says what is kept, and where.
  func presenter(
    session: String?, profile: String?, engine: StressEngine, footer: String, on screen: Screen,
    notices: SessionAlerts, output: NonblockingOutput, environment: ProcessEnvironment,
    configuration: Configuration
  ) -> any SessionSink {
    let style = style(environment, configuration)
    if json { return JSONPresenter(session: session, profile: profile, to: output) }
    if speech.speak { return SpeechPresenter(LiveSpeech(style: style, every: speech.period), to: output) }
    let baseline = engine.baseline.summary(engine.settings.metric, style)
    guard usesScreen(environment) else {
      printDiagnostic(style.localized("Baseline \(baseline)"))
      return LinePresenter(style: style, to: output)
    }
    return screen.presenter(
      Screen.Block(
        screen: LiveScreen(style: style, baseline: baseline, footer: footer), profile: profile ?? "",
        notices: notices))
  }

  /// The sink that shows one of several sessions: in its place on `screen`, where there is one.
  func presenter(
    _ plan: SessionPlan, label: String, on screen: Screen?, at place: Int, notices: SessionAlerts,
    output: NonblockingOutput, environment: ProcessEnvironment, configuration: Configuration
  ) -> any SessionSink {
    if json { return JSONPresenter(session: plan.id.text, profile: plan.profile, to: output) }
    let style = style(environment, configuration)
    if speech.speak {
      return SpeechPresenter(LiveSpeech(style: style, every: speech.period, label: label), to: output)
    }
    guard let screen else { return LinePresenter(style: style, label: label, to: output) }
    let block = Screen.Block(
      screen: LiveScreen(
        style: style, baseline: plan.baseline.summary(plan.settings.metric, style), footer: nil),
      profile: plan.profile, notices: notices)
    return screen.presenter(block, at: place)
  }
}
