package import HeartRate
import RealModule

/// RMSSD and heart rate of one minute of rest.
package struct RestingMinute: Equatable, Sendable {
  /// Identifies the session.
  package var session: Int64
  /// End of the minute within its session.
  package var end: SessionTime
  /// RMSSD in ms.
  package var rmssd: Double
  /// Mean heart rate in bpm.
  package var heartRate: Double

  package init(session: Int64, end: SessionTime, rmssd: Double, heartRate: Double) {
    (self.session, self.end, self.rmssd, self.heartRate) = (session, end, rmssd, heartRate)
  }
}

/// Variability of ln RMSSD between windows of the same undisturbed rest.
///
/// A change must exceed this variability to be detected. It is several times the variation within one window,
/// because the autonomic state changes over minutes: a bootstrap within windows reports a change for 27 to 59
/// % of pairs of undisturbed windows. docs/design/comparison.md contains the measurements.
package struct RestVariability: Equatable, Sendable {
  /// Scale of the difference of ln RMSSD between two average windows of 60 s, for Student's t with
  /// ``degreesOfFreedom``.
  package let differenceSD: Double
  /// Number of the person's own windows in the estimate; 0 for the population default.
  package let windows: Int

  /// Degrees of freedom of the distribution of differences. Its tails are heavy because the variance differs
  /// between people and between the rests of one person.
  package static let degreesOfFreedom = 8.0

  /// The distribution over people: Student's t with the scale 0.265.
  package static let populationDefault = RestVariability(differenceSD: 0.265, windows: 0)

  /// Weight of the population default, as a number of windows. The scales of people differ little if the
  /// ``BlockVariation`` of each window is taken into account, and three rests of one person can vary half or
  /// twice as much as the average.
  static let populationWindows = 160.0

  /// Minimum variance of a window as a fraction of that of an average minute: the autonomic state drifts even
  /// between long and even windows.
  static let leastFraction = 0.33

  private init(differenceSD: Double, windows: Int) {
    (self.differenceSD, self.windows) = (differenceSD, windows)
  }

  /// Estimates the variability from ln RMSSD of 60 s windows that do not overlap, grouped by rest.
  ///
  /// The estimate combines the pooled variance within rests and the variance of the population default,
  /// weighted by degrees of freedom (conjugate scaled inverse chi-squared prior; Gelman et al. 2013, section
  /// 2.6). Non-finite values and rests of one window are ignored.
  package init(rests: [[Double]]) {
    let prior = Self.populationDefault
    var (squares, freedom, windows) = (0.0, 0, 0)
    for rest in rests {
      let values = rest.filter(\.isFinite)
      guard values.count > 1 else { continue }
      let mean = values.reduce(0, +) / Double(values.count)
      squares += values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      freedom += values.count - 1
      windows += values.count
    }
    guard freedom > 0, squares.isFinite else {
      self = prior
      return
    }
    let sum = Self.populationWindows * prior.differenceSD * prior.differenceSD + 2 * squares
    self.init(
      differenceSD: (sum / (Self.populationWindows + Double(freedom))).squareRoot(), windows: windows)
  }

  /// Estimates the variability from minutes of rest, ordered by session and time; minutes that overlap the
  /// previous one are ignored.
  ///
  /// Minutes of one session belong to the same rest if they end within ten minutes of its first minute and
  /// their heart rates are within 10 % of its heart rate. The population default was measured on such rests;
  /// one hour can contain several.
  package init(minutes: some Sequence<RestingMinute>) {
    var rests: [[Double]] = []
    var (first, last): (RestingMinute?, RestingMinute?) = (nil, nil)
    for minute in minutes where minute.rmssd > 0 {
      if let last, minute.session == last.session,
        minute.end.ticks - last.end.ticks < Self.minute - Self.tolerance
      {
        continue
      }
      if let first, minute.isSameRest(as: first) {
        rests[rests.count - 1].append(.log(minute.rmssd))
      } else {
        rests.append([.log(minute.rmssd)])
        first = minute
      }
      last = minute
    }
    self.init(rests: rests)
  }

  fileprivate static let minute = 60 * RRInterval.ticksPerSecond
  /// Successive minutes may share a beat at each end.
  private static let tolerance = 2 * RRInterval.ticksPerSecond

  /// The scale of a difference relative to ``differenceSD``, for two windows of one rest that together extend over `extent`
  /// seconds, from the start of the first to the end of the second.
  ///
  /// The autonomic state drifts, so windows that are further apart differ more. ``differenceSD`` is the average over the
  /// windows of ten minutes. The scale increases from adjacent minutes to windows that extend over four minutes;
  /// docs/design/comparison.md contains the measurements. An unknown extent counts as a long one.
  package static func scale(extent: Double?) -> Double {
    let long = min(1, max(0, ((extent ?? .infinity) - Self.adjacent) / Self.drift))
    return Self.nearScale + long * (Self.farScale - Self.nearScale)
  }

  /// Extent of two adjacent minutes in seconds, and the additional extent from which the scale is constant.
  private static let (adjacent, drift) = (120.0, 120.0)
  /// An SD of 0.21 for adjacent minutes, and of 0.31 for distant windows.
  private static let (nearScale, farScale) = (0.21 / 0.265, 0.31 / 0.265)

  /// Squared scale of ln RMSSD of one window relative to the mean of the rest.
  ///
  /// It is inversely proportional to the length and proportional to the variation between the blocks of the
  /// window, and at least a third of that of an average minute.
  /// - Parameters:
  ///   - seconds: the time that its successive differences cover.
  ///   - variation: the variation within the window.
  package func variance(seconds: Double, variation: BlockVariation = .average) -> Double {
    differenceSD * differenceSD / 2 * max(Self.leastFraction, variation.relative * 60 / seconds)
  }
}

extension RestingMinute {
  /// Whether this minute belongs to the rest that begins with `first`.
  fileprivate func isSameRest(as first: RestingMinute) -> Bool {
    session == first.session && 2 * (end.ticks - first.end.ticks) < 19 * RestVariability.minute
      && abs(heartRate / first.heartRate - 1) <= 0.1
  }
}
