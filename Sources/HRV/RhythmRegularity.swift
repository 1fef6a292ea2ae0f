import HeartRate

/// How regular the rhythm of a series is: the number of minutes in which many successive normal intervals differ by more
/// than a tenth (``BeatWindow/irregularity``).
///
/// Such minutes are rare in sinus rhythm and frequent in atrial fibrillation; docs/design/confidence.md contains the
/// measurements. The result is a reason to doubt HRV and not a diagnosis.
public struct RhythmRegularity: Equatable, Sendable {
  /// Irregularity above which a minute is irregular. The confidence of a stress value is halved there, and it has no
  /// category.
  public static let limit = 0.375
  /// Number of irregular minutes from which a longer recording is called irregular.
  static let mostMinutes = 3

  /// Number of complete minutes with at least ten successive differences.
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
      guard let irregularity = window.irregularity else { continue }
      minutes += 1
      if irregularity > Self.limit { irregularMinutes += 1 }
    }
  }

  /// Whether three minutes, or half of all minutes, are irregular.
  public var isIrregular: Bool {
    irregularMinutes >= Self.mostMinutes || irregularMinutes > 0 && 2 * irregularMinutes >= minutes
  }
}
