import HeartRate

/// Separates gravity from movement by a first-order low-pass filter of each axis.
struct GravityFilter: Sendable {
  private let weight: Double
  private(set) var gravity = Acceleration(x: 0, y: 0, z: 0)
  private var isEmpty = true

  /// - Parameters:
  ///   - rate: Sampling rate in Hz.
  ///   - timeConstant: in seconds.
  init(rate: Double, timeConstant: Double) { weight = 1 / (1 + rate * timeConstant) }

  mutating func update(_ sample: Acceleration) {
    if isEmpty {
      gravity = sample
      isEmpty = false
    } else {
      gravity.x += weight * (sample.x - gravity.x)
      gravity.y += weight * (sample.y - gravity.y)
      gravity.z += weight * (sample.z - gravity.z)
    }
  }
}

extension Acceleration {
  func dot(_ other: Acceleration) -> Double { x * other.x + y * other.y + z * other.z }

  /// Length of the vector in mg.
  var norm: Double { dot(self).squareRoot() }

  /// Cosine of the angle to `other`; 1 if a vector has no direction.
  func cosine(to other: Acceleration) -> Double {
    let lengths = norm * other.norm
    return lengths > 0 ? dot(other) / lengths : 1
  }

  static func - (a: Acceleration, b: Acceleration) -> Acceleration {
    Acceleration(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }

  static func + (a: Acceleration, b: Acceleration) -> Acceleration {
    Acceleration(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
  }

  static func * (a: Acceleration, factor: Double) -> Acceleration {
    Acceleration(x: a.x * factor, y: a.y * factor, z: a.z * factor)
  }
}
