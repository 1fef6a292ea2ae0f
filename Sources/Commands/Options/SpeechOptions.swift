import ArgumentParser
import HeartRate

/// Whether a session is told in sentences.
struct SpeechOptions: ParsableArguments {
  @Flag(name: .long, help: "Sentences for a screen reader: what has changed, and the values now and then.")
  var speak = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --speak: how often the values are told, 10s to 1d (default: 5m).", valueName: "time"))
  var speakEvery: DurationArgument?

  private static let periods: ClosedRange<Duration> = .seconds(10)...Duration.seconds(86_400)

  /// How often the values are told when nothing changes.
  var period: Duration { speakEvery?.duration ?? .seconds(300) }

  func validate() throws {
    guard let speakEvery else { return }
    guard speak else { throw ValidationError("--speak-every goes with --speak.") }
    guard Self.periods.contains(speakEvery.duration) else {
      throw ValidationError(
        "'--speak-every \(speakEvery.duration.shortText)' is out of range: it takes 10s to 1d.")
    }
  }
}
