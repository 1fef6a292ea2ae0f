import HeartRate

/// The numbers that decide what counts as an artefact (``ArtefactClassifier``).
///
/// Lipponen & Tarvainen (2019) measure each difference between successive intervals, and each deviation from the
/// median of 11 intervals, by a threshold that follows the recording: 5.2 times the quartile deviation of 91
/// neighbours. Where successive intervals hardly differ, or differ by one or two steps of a coarse clock, that
/// threshold shrinks to next to nothing, and ordinary beats pass for ectopic ones. The ``standard`` criteria keep
/// the published rule and its constants, and raise the threshold where it has no meaning.
public struct ArtefactCriteria: Equatable, Sendable {
  /// Slope and offset of the line in subspace S12 beyond which a difference and its neighbours are an ectopic beat.
  var slope = 0.13
  var offset = 0.17
  /// Quartile deviations in a threshold.
  var alpha = 5.2
  /// Deviations from the median beyond this many thresholds are long or short intervals, whatever follows.
  var deviationLimit = 3.0

  /// Upper quartiles of the differences that a threshold for differences has at least ...
  var differenceQuartiles = 0.0
  /// ... which raise it to this share of the median interval at most.
  var quartileLimit = 0.0
  /// Share of the median interval that a threshold for differences has at least.
  var differenceFloor = 0.0
  /// Share of the median interval that a threshold for deviations has at least.
  var deviationFloor = 0.0
  /// Thresholds by which an interval must fall below its neighbours to be ectopic when no short interval goes
  /// before it.
  var reversedLimit = 1.0
  /// Share of the median interval by which a long interval deviates at least; a short one by half of it.
  var leastDeviation = 0.0
  /// Ticks beyond which an interval is a gap, and splits the series.
  var longest = Int64.max
  /// Whether a short interval whose pause follows is named ectopic, and one outside 300 to 2000 ms is never normal.
  var namesByCause = false

  /// As published, with nothing added, so that not even a gap splits the series. For comparison with other
  /// programs.
  public static let published = ArtefactCriteria()

  /// The published rule with thresholds that keep their meaning in quiet and in coarsely sampled recordings.
  ///
  /// The upper quartile of normally distributed differences is 1.15 of their standard deviation, so 2.5 of it are
  /// exceeded once in 250 beats. In a recording with many ectopic beats the same quartile would hide them: it
  /// never raises the threshold beyond 20 % of the median interval. docs/validation.md has the measurements.
  public static let standard = ArtefactCriteria(
    differenceQuartiles: 2.5, quartileLimit: 0.20, differenceFloor: 0.05, deviationFloor: 0.07,
    reversedLimit: 1.5, leastDeviation: 0.15, longest: 3 * RRInterval.ticksPerSecond,
    namesByCause: true)
}
