public import HeartRate

/// Infers physical exertion from the heart rate alone, as the factor `exertion` of ``Confidence``.
///
/// Stress and exertion both raise the heart rate. They are separated by
///
/// - **Level**: the fraction of the heart rate reserve, the range from the resting to the maximum rate (Karvonen et
///   al. 1957). Light exercise begins at 30 %, moderate exercise at 40 % (ACSM, Guidelines for Exercise Testing and
///   Prescription). The factor decreases from 1 at 20 % to 0.7 at 35 %; above that, exertion is clear.
/// - **Slope**: a rise by 25 % of the reserve within minutes, while RMSSD stays above half of the baseline. Mental
///   stress rarely raises the rate by more than 25 bpm, and a rise by vagal withdrawal alone lowers RMSSD further.
///   Exertion then lasts until the rise is below 10 % of the reserve.
/// - **Recovery**: after exertion, HRV needs time to return: as long as the exertion lasted, at most 10 minutes
///   (Seiler et al. 2007: 5 to 10 minutes below the first ventilatory threshold).
///
/// Light exercise with low HRV that begins before the session or slowly is not separable from stress by the heart
/// rate; the factor is then between 0.7 and 1. docs/design/exertion.md lists the accuracy on real recordings.
///
/// - Complexity: O(1) per measurement; no allocation.
public struct ExertionEstimator: Sendable {
  /// The factor: 1 at rest, below ``clear`` during and after exertion. Unknown before the first heart rate.
  public private(set) var factor: Double?
  /// Rates in bpm: of the baseline, where the factor begins to decrease, and above which exertion is clear.
  private let resting, quiet, light: Double
  private let baselineRMSSD: Double
  /// The rate of the last minutes without exertion, in bpm: follows a lower rate at once and a higher rate slowly.
  private var calm = Double.infinity
  private var isRaised = false
  /// Remaining recovery time in seconds.
  private var recovery = 0.0
  private var last: SessionTime?

  /// Below this factor, exertion is clear, and the stress value does not indicate stress.
  public static let clear = 0.5
  /// The factor at ``light``. Stress with low HRV then still counts in trends.
  private static let possible = 0.7
  /// The factor of clear exertion. Below 0.3, the minimum confidence of a measurement that counts in trends.
  private static let exerting = 0.25
  /// Maximum heart rate at 40 years in bpm (Tanaka et al. 2001: 208 - 0.7 x age).
  static let maximum = 180.0
  /// The highest resting rate in bpm that is accepted from a baseline.
  private static let highestResting = 120.0
  /// Fractions of the heart rate reserve at ``quiet`` and ``light``.
  private static let quietLevel = 0.2
  private static let lightLevel = 0.35
  /// Size of a rise at its beginning and at its end, as a fraction of the heart rate reserve.
  private static let rise = 0.25
  private static let fall = 0.1
  /// Fraction of the baseline RMSSD that remains during a rise by exertion.
  private static let retained = 0.5
  /// Reciprocal time constants of the calm rate when it increases: 10 minutes, and an hour after a rise by exertion.
  private static let settling = 1 / 600.0
  private static let holding = 1 / 3600.0
  private static let secondsPerTick = 1 / Double(RRInterval.ticksPerSecond)
  /// Maximum recovery time in seconds.
  private static let longestRecovery = 600.0

  /// - Parameters:
  ///   - restingHeartRate: Resting heart rate of the baseline in bpm.
  ///   - rmssd: RMSSD of the baseline in ms.
  public init(restingHeartRate: Double, rmssd: Double) {
    resting = min(restingHeartRate, Self.highestResting)
    quiet = Self.rate(Self.quietLevel, above: resting)
    light = Self.rate(Self.lightLevel, above: resting)
    baselineRMSSD = rmssd
  }

  /// Processes the mean heart rate in bpm and RMSSD in ms of the window that ends at `time`.
  public mutating func update(at time: SessionTime, heartRate: Double, rmssd: Double?) {
    let elapsed = Double(max(0, time.ticks - (last ?? time).ticks)) * Self.secondsPerTick
    last = time
    followCalm(heartRate, elapsed)
    let threshold = Self.rate(isRaised ? Self.fall : Self.rise, above: max(calm, resting))
    isRaised =
      heartRate >= threshold && (isRaised || rmssd ?? 0 >= Self.retained * baselineRMSSD)
    let isExerting = isRaised || heartRate > light
    recovery = isExerting ? min(Self.longestRecovery, recovery + elapsed) : max(0, recovery - elapsed)
    factor = isExerting || recovery > 0 ? Self.exerting : factor(at: heartRate)
  }

  private mutating func followCalm(_ heartRate: Double, _ elapsed: Double) {
    let weight = min(1, elapsed * (isRaised ? Self.holding : Self.settling))
    calm = calm.isFinite ? min(heartRate, calm + weight * (heartRate - calm)) : heartRate
  }

  private func factor(at heartRate: Double) -> Double {
    heartRate <= quiet ? 1 : 1 - (1 - Self.possible) * (heartRate - quiet) / (light - quiet)
  }

  /// The rate in bpm at a fraction of the heart rate reserve above `rest`.
  private static func rate(_ fraction: Double, above rest: Double) -> Double {
    rest + fraction * max(1, maximum - rest)
  }
}
