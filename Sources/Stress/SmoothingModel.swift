/// How much the spectrum of successive differences looks like that of an average, and how little like a heart's.
///
/// The logarithm of the odds that penalised logistic regression learns, less the highest that recordings of hearts
/// reach in models that were not learned from them: above 0 no heart was seen. Benchmarks/smoothing_weights.py makes
/// them; docs/confidence.md says what they find.
struct SmoothingModel: Sendable {
  private var weights: SIMD16<Float>
  private var rate: Float
  private var constant: Float

  private init(_ weights: SIMD16<Float>, rate: Float, constant: Float) {
    self.weights = weights
    self.rate = rate
    self.constant = constant
  }

  /// - Parameters:
  ///   - spectrum: logarithms of the power at j / 32 cycles a beat, in ms^2.
  ///   - interval: logarithm of the mean interval, in ms.
  func score(_ spectrum: SIMD16<Float>, _ interval: Float) -> Float {
    (weights * spectrum).sum() + rate * interval + constant
  }

  static let all = [
    // mean of 2
    SmoothingModel(
      [
        0.004, -0.046, -0.048, 0.114, 0.101, 0.088, 0.128, 0.174,
        0.152, 0.027, 0.063, -0.053, -0.270, -0.358, -0.481, -0.478,
      ], rate: 0.878, constant: -6.772),
    // mean of 3
    SmoothingModel(
      [
        0.053, -0.046, -0.097, 0.133, 0.140, 0.075, 0.020, -0.063,
        -0.182, -0.369, -0.406, -0.318, -0.256, -0.104, -0.017, -0.001,
      ], rate: 4.534, constant: -27.102),
    // mean of 4
    SmoothingModel(
      [
        0.132, -0.008, -0.026, 0.195, 0.129, -0.107, -0.208, -0.306,
        -0.208, -0.108, -0.038, -0.013, -0.096, -0.135, -0.253, -0.334,
      ], rate: 3.403, constant: -21.083),
    // mean of 5
    SmoothingModel(
      [
        0.185, 0.006, -0.057, 0.092, -0.039, -0.287, -0.214, -0.088,
        -0.009, -0.043, -0.098, -0.258, -0.367, -0.263, -0.121, -0.091,
      ], rate: 3.467, constant: -18.249),
    // mean of 6
    SmoothingModel(
      [
        0.192, 0.010, -0.085, -0.048, -0.188, -0.192, -0.027, -0.001,
        -0.071, -0.216, -0.241, -0.201, -0.184, -0.161, -0.200, -0.248,
      ], rate: 3.041, constant: -14.773),
    // mean of 8
    SmoothingModel(
      [
        0.230, 0.024, -0.171, -0.191, -0.115, -0.066, -0.088, -0.156,
        -0.119, -0.101, -0.141, -0.216, -0.222, -0.175, -0.166, -0.193,
      ], rate: 2.743, constant: -12.341),
  ]
}
