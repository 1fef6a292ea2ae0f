import HeartRate
import Stress

extension Configuration {
  /// - Throws: ``CommandFailure`` where the service takes readings that do not fit into its interval.
  func expectReadingsToFit(window: Duration? = nil) throws(CommandFailure) {
    guard case .every(let period)? = self[.service].flatMap(ServiceMode.init(argument:)) else { return }
    let length = window ?? windowLength
    try ReadingSession.expect(length, toFitInto: period, advice: Self.advice(period, length))
  }

  private var windowLength: Duration {
    self[.window].flatMap(DurationArgument.init(argument:))?.duration ?? StressEngine.Settings().window
  }

  private static func advice(_ period: Duration, _ length: Duration) -> String {
    let longer = "stressmon config set service \((length + .seconds(60)).shortText)"
    let shortest = StressEngine.Settings.windows.lowerBound
    return period > shortest
      ? "Choose a longer interval: \(longer); or a shorter window: stressmon config set window \(shortest.shortText)"
      : "Choose a longer interval: \(longer)"
  }
}
