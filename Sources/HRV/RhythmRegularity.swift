import HeartRate

/// How regular the rhythm of a series is: the number of minutes with many jumps (``BeatWindow/jumpFraction``).
///
/// Jumps are rare in sinus rhythm and frequent in atrial fibrillation and with many ectopic beats;
/// docs/design/confidence.md contains the measurements. The result is a reason to doubt HRV and not a diagnosis.
public struct RhythmRegularity: Equatable, Sendable {
  /// Jump fraction above which a minute is irregular: 99 of 100 windows of recordings in sinus rhythm, including one
  /// with an atrial premature beat per minute, have less.
  public static let limit = 0.12
  /// Number of irregular minutes from which a longer recording is called irregular.
  static let mostMinutes = 3

  /// Number of complete minutes with at least 20 comparisons of successive intervals.
  public private(set) var minutes = 0
  /// Number of these that are irregular.
  public private(set) var irregularMinutes = 0

  /// Examines consecutive minutes of classified beats, from the start of the first interval.
  public init(_ beats: [Beat]) {
    guard let first = beats.first, let last = beats.last else { return }
    for (start, end) in WindowTimes(
      from: first.end - first.rr, to: last.end, length: .seconds(60), step: .seconds(60),
      with: beats)
    {
      var window = BeatWindow(length: .seconds(61))
      for beat in beats.ended(after: start, through: end) { window.append(beat) }
      guard let jumps = window.jumpFraction else { continue }
      minutes += 1
      if jumps > Self.limit { irregularMinutes += 1 }
    }
  }

  /// Whether three minutes, or half of all minutes, are irregular.
  public var isIrregular: Bool {
    irregularMinutes >= Self.mostMinutes || irregularMinutes > 0 && 2 * irregularMinutes >= minutes
  }
}
