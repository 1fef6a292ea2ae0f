package import HRV
import HeartRate
import RealModule

/// A stationary Gaussian process with known autocovariance, simulated exactly by the recursion of Durbin and Levinson (Brockwell &
/// Davis 1991, Time Series: Theory and Methods, section 5.2).
package struct SimulatedProcess: Sendable {
  package let name: String
  /// The coefficients of the best linear prediction from all values before, newest first, and its standard deviation.
  private let predictions: [(coefficients: [Double], deviation: Double)]

  /// Creates a process of at most `length` values.
  /// - Parameter covariance: the autocovariance at each lag.
  private init(_ name: String, length: Int, covariance: (Int) -> Double) {
    let known = (0..<length).map(covariance)
    var variance = known[0]
    var coefficients: [Double] = []
    var predictions = [(coefficients, variance.squareRoot())]
    for lag in 1..<length {
      let predicted = zip(coefficients, known[1..<lag].reversed()).reduce(0) { $0 + $1.0 * $1.1 }
      let partial = (known[lag] - predicted) / variance
      coefficients = zip(coefficients, coefficients.reversed()).map { $0 - partial * $1 } + [partial]
      variance *= 1 - partial * partial
      predictions.append((coefficients, variance.squareRoot()))
    }
    (self.name, self.predictions) = (name, predictions)
  }

  /// Fractional Gaussian noise (Mandelbrot & Van Ness 1968); 0.5 is white noise.
  package static func fractionalNoise(hurst: Double, length: Int) -> Self {
    Self("fractional noise, H = \(hurst)", length: length) { lag in
      func power(_ value: Int) -> Double { .pow(Double(abs(value)), 2 * hurst) }
      return (power(lag + 1) - 2 * power(lag) + power(lag - 1)) / 2
    }
  }

  /// An autoregressive process of order 1.
  package static func autoregressive(_ coefficient: Double, length: Int) -> Self {
    Self("autoregressive, \(coefficient)", length: length) { .pow(coefficient, $0) }
  }

  /// A fractionally integrated process, ARFIMA(0, d, 0) (Hosking 1981).
  package static func integrated(_ d: Double, length: Int) -> Self {
    Self("ARFIMA(0, \(d), 0)", length: length) { lag in
      (0..<lag).reduce(1.0) { $0 * (Double($1) + d) / (Double($1 + 1) - d) }
    }
  }

  /// Draws RR intervals of about 500 ms, with a standard deviation of 15 ms times that of the process.
  package func beats(_ count: Int, using random: inout SeededGenerator) -> [Beat] {
    var values: [Double] = []
    values.reserveCapacity(count)
    var time = SessionTime.zero
    return predictions.prefix(count).map { coefficients, deviation in
      var value = deviation * random.normal()
      for (offset, coefficient) in coefficients.enumerated() {
        value += coefficient * values[values.count - 1 - offset]
      }
      values.append(value)
      let rr = RRInterval(ticks: Int64((500 + 15 * value) * 80_000))
      time = time + rr
      return Beat(end: time, rr: rr, verdict: .normal, followsBreak: false)
    }
  }
}

extension SeededGenerator {
  /// A standard normal number (Box & Muller 1958).
  package mutating func normal() -> Double {
    let radius = (-2 * Double.log(Double.random(in: Double.leastNonzeroMagnitude..<1, using: &self)))
      .squareRoot()
    return radius * Double.cos(2 * Double.pi * Double.random(in: 0..<1, using: &self))
  }
}
