import HeartRate
import Localization
import Stress

extension Configuration {
  /// - Throws: ``CommandFailure`` if a reading of the service is not shorter than its interval.
  func requireReadingsToFit(window: Duration? = nil) throws(CommandFailure) {
    guard case .every(let period)? = self[.service].flatMap(ServiceMode.init(argument:)) else { return }
    let length = window ?? windowLength
    guard length >= period else { return }
    throw CommandFailure(
      .usage,
      Phrase(
        """
        a reading of \(length.shortText) does not fit into an interval of \(period.shortText). \
        \(Self.advice(period, length))
        """)
    )
  }

  private var windowLength: Duration {
    self[.window].flatMap(DurationArgument.init(argument:))?.duration ?? StressEngine.Settings().window
  }

  private static func advice(_ period: Duration, _ length: Duration) -> Phrase {
    let longer = "stressmon config set service \((length + .seconds(60)).shortText)"
    let shortest = StressEngine.Settings.windows.lowerBound
    let shorter = "stressmon config set window \(shortest.shortText)"
    return period > shortest
      ? Phrase("Choose a longer interval: \(longer); or a shorter window: \(shorter)")
      : Phrase("Choose a longer interval: \(longer)")
  }
}
