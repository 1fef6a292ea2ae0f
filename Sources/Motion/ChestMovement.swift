import HeartRate

/// Estimates the breathing rate from the movement of the chest.
///
/// Breathing tilts and lifts the strap by 5 to 30 mg. A band-pass filter (0.05 to 0.5 Hz) of each axis is sampled at 5 Hz; the
/// rate follows from the autocorrelation along the principal axis of the last 30 s.
struct ChestMovement: Sendable {
  static let rate = 5.0
  private static let capacity = 150
  /// 5 to 43 breaths per minute.
  private static let lags = 7...60
  private static let minimumCorrelation = 0.4
  /// The smallest standard deviation in mg that is breathing and not noise of the sensor.
  private static let minimumDeviation = 1.0

  private var fast: GravityFilter
  private var slow: GravityFilter
  private let interval: Double
  private var elapsed = 0.0
  private var values = InlineArray<150, Acceleration>(repeating: Acceleration(x: 0, y: 0, z: 0))
  private var total = 0

  /// - Parameter rate: Rate of the samples in Hz.
  init(rate: Double) {
    fast = GravityFilter(rate: rate, timeConstant: 0.3)
    slow = GravityFilter(rate: rate, timeConstant: 3)
    interval = rate / Self.rate
  }

  /// Discards the values so far, because the chest moved otherwise.
  mutating func reset() { total = 0 }

  mutating func update(_ sample: Acceleration) {
    fast.update(sample)
    slow.update(sample)
    elapsed += 1
    guard elapsed >= interval else { return }
    elapsed -= interval
    values[total % Self.capacity] = fast.gravity - slow.gravity
    total += 1
  }

  /// Breaths per minute. Requires 30 s of values with a period.
  /// - Complexity: about 10,000 operations, independent of the length of the session.
  var respirationRate: Double? {
    guard total >= Self.capacity else { return nil }
    var projected = InlineArray<150, Double>(repeating: 0)
    let axis = principalAxis
    var mean = 0.0
    for index in 0..<Self.capacity {
      projected[index] = values[(total + index) % Self.capacity].dot(axis)
      mean += projected[index] / Double(Self.capacity)
    }
    var energy = 0.0
    for index in 0..<Self.capacity {
      projected[index] -= mean
      energy += projected[index] * projected[index]
    }
    guard (energy / Double(Self.capacity)).squareRoot() >= Self.minimumDeviation else { return nil }
    return Self.period(projected).map { 60 * Self.rate / $0 }
  }

  /// The direction of the largest variance, by power iteration of the covariance matrix.
  private var principalAxis: Acceleration {
    var (xx, xy, xz, yy, yz, zz) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for index in 0..<Self.capacity {
      let value = values[index]
      xx += value.x * value.x
      xy += value.x * value.y
      xz += value.x * value.z
      yy += value.y * value.y
      yz += value.y * value.z
      zz += value.z * value.z
    }
    var axis = Acceleration(x: 1, y: 0.9, z: 0.8)
    for _ in 0..<12 {
      let next = Acceleration(
        x: xx * axis.x + xy * axis.y + xz * axis.z, y: xy * axis.x + yy * axis.y + yz * axis.z,
        z: xz * axis.x + yz * axis.y + zz * axis.z)
      guard next.norm > 0 else { return axis }
      axis = next * (1 / next.norm)
    }
    return axis
  }

  /// The period in samples: the first maximum of the autocorrelation that reaches 85 % of the highest one.
  private static func period(_ values: InlineArray<150, Double>) -> Double? {
    var correlations = InlineArray<64, Double>(repeating: 0)
    var highest = 0.0
    for lag in (lags.lowerBound - 1)...(lags.upperBound + 1) {
      correlations[lag] = correlation(values, lag)
      if lags.contains(lag) { highest = max(highest, correlations[lag]) }
    }
    guard highest >= minimumCorrelation else { return nil }
    for lag in lags where correlations[lag] >= 0.85 * highest {
      let (left, peak, right) = (correlations[lag - 1], correlations[lag], correlations[lag + 1])
      guard peak >= left, peak >= right else { continue }
      let curvature = left - 2 * peak + right
      return Double(lag) + (curvature < 0 ? (left - right) / (2 * curvature) : 0)
    }
    return nil
  }

  private static func correlation(_ values: InlineArray<150, Double>, _ lag: Int) -> Double {
    var (products, squares, shifted) = (0.0, 0.0, 0.0)
    for index in lag..<capacity {
      let (a, b) = (values[index], values[index - lag])
      products += a * b
      squares += a * a
      shifted += b * b
    }
    let scale = (squares * shifted).squareRoot()
    return scale > 0 ? products / scale : 0
  }
}
