public import HeartRate
import RealModule

/// RMSSD and heart rate of one minute in which a person was at rest.
public struct RestingMinute: Equatable, Sendable {
  /// Tells one session from another.
  public var session: Int64
  /// When it ended, within its session.
  public var end: SessionTime
  /// In ms.
  public var rmssd: Double
  /// Mean heart rate in bpm.
  public var heartRate: Double

  public init(session: Int64, end: SessionTime, rmssd: Double, heartRate: Double) {
    (self.session, self.end, self.rmssd, self.heartRate) = (session, end, rmssd, heartRate)
  }
}

/// How much ln RMSSD varies between windows of one and the same undisturbed rest.
///
/// That is what a change has to exceed. It is several times what one window shows of itself: the heart goes through
/// states that last for minutes, so a bootstrap inside a window takes 27 to 59 % of pairs of undisturbed windows for
/// changed. docs/comparison.md has the figures.
public struct RestVariability: Equatable, Sendable {
  /// Standard deviation of the difference of ln RMSSD of two windows of 60 s.
  public let differenceSD: Double
  /// How well it is known: that of Student's t which its intervals use.
  public let degreesOfFreedom: Double
  /// How many of the person's own windows it comes from; 0 where it is the prior.
  public let windows: Int

  /// Of a person of whom nothing is known: 0.25. Real rests have 0.25 to 0.30 and some more, so it is known about as
  /// well as from nine windows.
  public static let prior = RestVariability(differenceSD: 0.25, degreesOfFreedom: 8, windows: 0)

  /// The fewest own degrees of freedom (windows less rests) that count.
  public static let fewestDegreesOfFreedom = 20

  /// Share of the variance that lasts longer than a window, and that no longer window averages out. With it two windows
  /// of 300 s differ by 0.72 times as much as two of 60 s; measured were 0.5 to 0.76 times.
  public static let lastingShare = 0.4

  private init(differenceSD: Double, degreesOfFreedom: Double, windows: Int) {
    self.differenceSD = differenceSD
    self.degreesOfFreedom = degreesOfFreedom
    self.windows = windows
  }

  /// From ln RMSSD of 60 s windows that do not overlap, grouped by the rest that they belong to.
  ///
  /// The pooled variance within rests, and the prior's weighed in by its degrees of freedom (the conjugate scaled
  /// inverse chi-squared prior; Gelman et al. 2013, section 2.6). Values that are not finite are left out. Below 20
  /// degrees of freedom it is the prior.
  public init(rests: [[Double]]) {
    let prior = Self.prior
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

  /// From minutes at rest, in the order of their sessions and times; those that overlap the one before are passed over.
  ///
  /// Minutes of one session belong to the same rest while they end within ten minutes of its first and their heart
  /// rates lie within 10 % of that one's: over such rests the prior's figures were measured, and an hour may hold more
  /// than one.
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
  /// Minutes that follow one another may share a beat at either end.
  private static let tolerance = 2 * RRInterval.ticksPerSecond

  /// Variance of ln RMSSD of one window, around the mean of the rest, by the seconds that it covers.
  ///
  /// Of the 60 s window's variance, the lasting share stays whatever the length; the rest falls with it (the design
  /// effect of Kish 1965 for minutes that are correlated).
  public func variance(seconds: Double) -> Double {
    let minute = differenceSD * differenceSD / 2
    return minute * (Self.lastingShare + (1 - Self.lastingShare) * 60 / seconds)
  }
}

extension RestingMinute {
  /// Whether this later minute belongs to the rest that began with `first`.
  fileprivate func isSameRest(as first: RestingMinute) -> Bool {
    session == first.session && 2 * (end.ticks - first.end.ticks) < 19 * RestVariability.minute
      && abs(heartRate / first.heartRate - 1) <= 0.1
  }
}
