import HeartRate

/// Parameters of ``ArtefactClassifier``.
///
/// Lipponen & Tarvainen (2019) compare each successive difference, and each deviation from the median of 11
/// intervals, with an adaptive threshold: 5.2 times the quartile deviation of 91 neighbours. If successive
/// intervals are almost equal, or differ only by one or two steps of a coarse clock, this threshold
/// approaches zero and normal beats are classified as ectopic. The ``standard`` criteria keep the published
/// rule and constants and add lower limits for the threshold.
public struct ArtefactCriteria: Equatable, Sendable {
  /// Slope and offset of the lines that bound subspace S12 (ectopic beats).
  var slope = 0.13
  var offset = 0.17
  /// Multiple of the quartile deviation in a threshold.
  var alpha = 5.2
  /// Multiple of the threshold above which a deviation from the median is classified as long or short,
  /// regardless of the following intervals.
  var deviationLimit = 3.0

  /// Lower limit of the threshold for differences, as a multiple of their upper quartile.
  var differenceQuartiles = 0.0
  /// Upper bound of that lower limit, as a fraction of the median interval.
  var quartileLimit = 0.0
  /// Lower limit of the threshold for differences, as a fraction of the median interval.
  var differenceFloor = 0.0
  /// Lower limit of the threshold for deviations, as a fraction of the median interval.
  var deviationFloor = 0.0
  /// Threshold of ectopic beats for an interval shorter than both neighbours, the mirror image of the pause in subspaces S11
  /// and S12: it is ectopic if its normalised difference dRR is below minus this value (1 as published). Otherwise, it is
  /// normal.
  var reversedLimit = 1.0
  /// Minimum deviation of a long interval as a fraction of the median interval; half as much for a short one.
  var leastDeviation = 0.0
  /// Minimum shortening of a short interval that no pause follows, as a fraction of the median interval or of
  /// the previous interval.
  var leastShortening = 0.0
  /// Minimum fraction of the deviation of a long interval from the median that one of its neighbours retains
  /// in a deceleration of the sinus rhythm.
  var decelerationRest = 0.0
  /// Maximum ratio of the longest interval of a deceleration to the median and to the previous interval; 0
  /// disables the rule.
  var steepestRise = 0.0
  /// Shortening of the previous interval, as for ``leastShortening``, above which a long interval is the pause
  /// after a premature beat and not a deceleration.
  var leastPrematurity = 0.0
  /// Length in ticks above which an interval is a gap and splits the series.
  var longest = Int64.max
  /// Fraction of the neighbours with an abnormal provisional verdict above which that verdict is included; 1 disables the
  /// rule.
  var frequentEctopic = 1.0
  /// Whether a short interval followed by a pause is classified as ectopic, and an interval outside 300 to
  /// 2000 ms is never normal.
  var namesByCause = false

  var includesProvisional: Bool { frequentEctopic < 1 }

  /// The published algorithm without additions; gaps do not split the series. For comparison with other
  /// programs.
  public static let published = ArtefactCriteria()

  /// The published algorithm with lower limits for thresholds in recordings with low variability or coarse
  /// sampling.
  ///
  /// The upper quartile of the absolute values of normally distributed differences is 1.15 standard
  /// deviations; 2.5 times the quartile is exceeded once in 250 beats. In a recording with many ectopic beats
  /// this quartile is too large, so it raises the threshold to at most 20 % of the median interval.
  /// docs/design/validation.md contains the measurements.
  public static let standard = ArtefactCriteria(
    differenceQuartiles: 2.5, quartileLimit: 0.20, differenceFloor: 0.05, deviationFloor: 0.07,
    reversedLimit: 1.5, leastDeviation: 0.15, leastShortening: 0.14, decelerationRest: 0.2,
    steepestRise: 1.5, leastPrematurity: 0.1, longest: 3 * RRInterval.ticksPerSecond, frequentEctopic: 0.1,
    namesByCause: true)
}
