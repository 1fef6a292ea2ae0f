import ArgumentParser
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Stress
import Terminal

/// The output of a session.
struct ViewOptions: ParsableArguments {
  @Flag(name: .long, help: .localized("Print one JSON object per line."))
  var json = false

  @Flag(
    name: .long, help: .localized("Print lines of plain text, without the screen view and without colour."))
  var plain = false

  @OptionGroup var speech: SpeechOptions
  @OptionGroup var appearance: AppearanceOptions

  func validate() throws {
    if json, plain { throw ValidationError.exclusive("--json", "--plain") }
    if json, speech.speak {
      throw ValidationError.exclusive("--json", "--speak")
    }
  }

  /// Whether the screen view is used: on a terminal that can move its cursor.
  func usesScreen(_ environment: ProcessEnvironment) -> Bool {
    !json && !plain && !speech.speak && StandardOutput().isTerminal
      && (environment["TERM"] ?? "dumb") != "dumb"
  }

  /// Colour is used on terminals only, and not with `--plain` and `--speak`.
  func style(_ context: CommandContext) -> TerminalStyle {
    appearance.style(context, isTerminal: StandardOutput().isTerminal && !plain && !speech.speak)
  }

  /// Whether sentences are written to a terminal. Keys can then be handled.
  var speaksOnTerminal: Bool { speech.speak && StandardOutput().isTerminal }

  /// The keys that are pressed on the terminal, if it shows the screen or sentences and standard input is a terminal as well.
  func terminalKeys(_ environment: ProcessEnvironment) -> TerminalKeys? {
    usesScreen(environment) || speaksOnTerminal ? TerminalKeys() : nil
  }

  /// Announces the spoken keys of `screen`, and returns their display.
  func spokenKeys(_ screen: Screen) throws -> SpokenKeys {
    let spoken = SpokenKeys(
      keys: screen.keys.filter(LiveKey.spoken.contains), style: screen.style, output: screen.output)
    try spoken.announce()
    return spoken
  }
}

/// Whether a session is described in sentences.
struct SpeechOptions: ParsableArguments {
  @Flag(name: .long, help: .localized("Print sentences for a screen reader."))
  var speak = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("With --speak: the interval at which the values are repeated, 10s to 1d (default: 5m)."),
      valueName: "duration"))
  var speakEvery: DurationArgument?

  private static let periods: ClosedRange<Duration> = .seconds(10)...Duration.seconds(86_400)

  /// The interval at which the values are repeated when nothing changes.
  var period: Duration { speakEvery?.duration ?? .seconds(300) }

  func validate() throws {
    guard let speakEvery else { return }
    guard speak else {
      throw ValidationError.requires("--speak-every", "--speak", example: "--speak --speak-every 1m")
    }
    try speakEvery.duration.require(Self.periods, "--speak-every", example: "1m")
  }
}
