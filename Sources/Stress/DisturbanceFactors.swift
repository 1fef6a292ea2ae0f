import RealModule

/// The factors of ``Confidence`` for the disturbances of a window. Their product is the probability that the stress value is
/// within 10 points of that of the undisturbed beats.
///
/// The log odds are a sum, so the odds of a larger error are a product:
///
///     odds = fall / (8 limit) * level * premature
///
/// - fall: how far the disturbances can raise ln HRV, the sum of the ``Falls``
/// - limit: ``StressScore/hrvMargin`` + 0.03, the change of HRV that changes the value by 10 points
/// - level: HRV / baseline HRV, times the square of heart rate / resting heart rate if it is above 1, times the cube of
///   2 HRV / baseline HRV if that is below 1
/// - premature: 2.7 (fall of the tail + 0.03) / limit, if above 1
///
/// Odds below 1/4 are multiplied by (4 odds)^2, because in everyday use most windows are undisturbed; odds above 1 are raised to the
/// power 3/4, because a large disturbance can leave the value unchanged. Each disturbance has a share of ln(1 + odds) in
/// proportion to its fall; the part due to `premature` belongs to the tail.
/// docs/design/confidence.md describes the fit.
struct DisturbanceFactors {
  private(set) var abnormalBeats = 1.0
  private(set) var lostData = 1.0
  private(set) var contact = 1.0
  private(set) var tail = 1.0
  private(set) var noise = 1.0

  /// The factors of a window of this quality. Without a score, they are those at about half of the baseline.
  @inline(__always)
  init(_ quality: WindowQuality, _ score: StressScore?) {
    let falls = Falls(quality)
    let fall = falls.total
    guard fall > 0 else { return }
    let limit = (score?.hrvMargin ?? Self.unknownMargin) + Self.offset
    set(falls, fall, limit: limit, level: score?.inputs.level ?? Self.unknownLevel)
  }

  private static let offset = 0.03
  /// The margin and the level without a score.
  private static let unknownMargin = 0.5
  private static let unknownLevel = 0.5

  private mutating func set(_ falls: Falls, _ fall: Double, limit: Double, level: Double) {
    let odds = fall / (8 * limit) * level
    let others = 1 + Self.calibrated(odds)
    let premature = 2.7 * (falls.tail + Self.offset)
    let all = premature > limit ? 1 + Self.calibrated(odds * (premature / limit)) : others
    // A single disturbance requires no logarithm; noise or a tail alone is the usual case.
    if falls.noise >= fall {
      noise = 1 / all
    } else if falls.tail >= fall {
      tail = 1 / all
    } else {
      setShares(falls, loss: Double.log(others) / fall, premature: others / all)
    }
  }

  /// - Parameters:
  ///   - loss: The negative logarithm of the probability per fall, without the part of premature beats.
  ///   - premature: That part, as a factor.
  private mutating func setShares(_ falls: Falls, loss: Double, premature: Double) {
    abnormalBeats = Self.factor(falls.abnormalBeats * loss)
    lostData = Self.factor(falls.lostData * loss)
    contact = Self.factor(falls.contact * loss)
    noise = Self.factor(falls.noise * loss)
    tail = Self.factor(falls.tail * loss) * premature
  }

  private static func calibrated(_ odds: Double) -> Double {
    if odds < 0.25 { return 16 * odds * odds * odds }
    return odds > 1 ? odds.squareRoot() * odds.squareRoot().squareRoot() : odds
  }

  @inline(__always)
  private static func factor(_ loss: Double) -> Double { loss > 0 ? Double.exp(-loss) : 1 }
}

/// How far each disturbance can raise ln HRV above that of the undisturbed beats; 0 in an undisturbed window.
private struct Falls {
  let abnormalBeats: Double
  let lostData: Double
  let contact: Double
  let tail: Double
  let noise: Double

  var total: Double { abnormalBeats + lostData + contact + tail + noise }

  init(_ quality: WindowQuality) {
    abnormalBeats = 1.2 * quality.abnormalBeats
    lostData = quality.lostData
    contact = quality.contactLost
    tail = 2.8 * max(0, quality.tail - 0.06)
    noise = Self.noise(quality.noise / Self.noiseOfErrors)
  }

  /// ``DifferencePattern/noise`` if every R peak has an independent error.
  private static let noiseOfErrors = 0.71
  /// The rise of HRV that undisturbed windows reach.
  private static let usualRise = 0.1

  /// The rise of HRV by errors of R peaks that cause a fraction of the variance of the differences.
  private static func noise(_ fraction: Double) -> Double {
    guard fraction > 1 - 1 / ((1 + usualRise) * (1 + usualRise)) else { return 0 }
    return 1 / (1 - min(0.98, fraction)).squareRoot() - 1 - usualRise
  }
}

extension StressScore.Inputs {
  /// The factor by which the odds of an error increase with the level of the inputs.
  fileprivate var level: Double {
    let ratio = hrv / baselineHRV
    let (low, rise) = (min(1, 2 * ratio), max(1, heartRate / restingHeartRate))
    return ratio * rise * rise * low * low * low
  }
}
