public import HeartRate
import RealModule

/// RMSSD and heart rate of one minute of rest.
public struct RestingMinute: Equatable, Sendable {
  /// Identifies the session.
  public var session: Int64
  /// End of the minute within its session.
  public var end: SessionTime
  /// RMSSD in ms.
  public var rmssd: Double
  /// Mean heart rate in bpm.
  public var heartRate: Double

  public init(session: Int64, end: SessionTime, rmssd: Double, heartRate: Double) {
    (self.session, self.end, self.rmssd, self.heartRate) = (session, end, rmssd, heartRate)
  }
}

/// Variability of ln RMSSD between windows of the same undisturbed rest.
///
/// A change must exceed this variability to be detected. It is several times the variation within one window,
/// because the autonomic state changes over minutes: a bootstrap within windows reports a change for 27 to 59
/// % of pairs of undisturbed windows. docs/design/comparison.md contains the measurements.
public struct RestVariability: Equatable, Sendable {
  /// Standard deviation of the difference of ln RMSSD between two windows of 60 s.
  public let differenceSD: Double
  /// Degrees of freedom of that estimate, used with Student's t for intervals.
  public let degreesOfFreedom: Double
  /// Number of the person's own windows in the estimate; 0 for the population default.
  public let windows: Int

  /// The population default: 0.25. Measured rests have 0.25 to 0.30 and a few have more, which corresponds to
  /// an estimate from about nine windows.
  public static let populationDefault = RestVariability(differenceSD: 0.25, degreesOfFreedom: 8, windows: 0)

  /// Minimum number of the person's own degrees of freedom (windows minus rests).
  public static let fewestDegreesOfFreedom = 20

  /// Fraction of the variance that persists longer than a window, so that longer windows do not reduce it.
  /// With this value two windows of 300 s differ by 0.72 times as much as two of 60 s; the measured factor is
  /// 0.5 to 0.76.
  public static let lastingShare = 0.4

  private init(differenceSD: Double, degreesOfFreedom: Double, windows: Int) {
    self.differenceSD = differenceSD
    self.degreesOfFreedom = degreesOfFreedom
    self.windows = windows
  }

  /// Estimates the variability from ln RMSSD of 60 s windows that do not overlap, grouped by rest.
  ///
  /// The estimate combines the pooled variance within rests and the variance of the population default,
  /// weighted by degrees of freedom (conjugate scaled inverse chi-squared prior; Gelman et al. 2013, section
  /// 2.6). Non-finite values are ignored. Below 20 degrees of freedom the result is the population default.
  public init(rests: [[Double]]) {
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
    guard freedom >= Self.fewestDegreesOfFreedom, squares.isFinite else {
      self = prior
      return
    }
    let total = Double(freedom) + prior.degreesOfFreedom
    let sum = prior.degreesOfFreedom * prior.differenceSD * prior.differenceSD + 2 * squares
    self.init(differenceSD: (sum / total).squareRoot(), degreesOfFreedom: total, windows: windows)
  }

  /// Estimates the variability from minutes of rest, ordered by session and time; minutes that overlap the
  /// previous one are ignored.
  ///
  /// Minutes of one session belong to the same rest if they end within ten minutes of its first minute and
  /// their heart rates are within 10 % of its heart rate. The population default was measured on such rests;
  /// one hour can contain several.
  public init(minutes: some Sequence<RestingMinute>) {
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

  /// Variance of ln RMSSD of one window, relative to the mean of the rest, by the number of seconds that it
  /// covers.
  ///
  /// The persistent fraction of the variance of a 60 s window is independent of the length; the remainder is
  /// inversely proportional to it (design effect for correlated minutes, Kish 1965).
  public func variance(seconds: Double) -> Double {
    let minute = differenceSD * differenceSD / 2
    return minute * (Self.lastingShare + (1 - Self.lastingShare) * 60 / seconds)
  }
}

extension RestingMinute {
  /// Whether this minute belongs to the rest that begins with `first`.
  fileprivate func isSameRest(as first: RestingMinute) -> Bool {
    session == first.session && 2 * (end.ticks - first.end.ticks) < 19 * RestVariability.minute
      && abs(heartRate / first.heartRate - 1) <= 0.1
  }
}
