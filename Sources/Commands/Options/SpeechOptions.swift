import ArgumentParser
import HeartRate

/// Whether a session is described in sentences.
struct SpeechOptions: ParsableArguments {
  @Flag(name: .long, help: "Print sentences for a screen reader: changes, and the values at an interval.")
  var speak = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --speak: the interval at which the values are repeated, 10s to 1d (default: 5m).",
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
