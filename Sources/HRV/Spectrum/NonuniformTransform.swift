import RealModule

/// The nonuniform discrete Fourier transform: sums at equally spaced frequencies over points at arbitrary
/// times.
///
/// F(k) = sum over j of c(j) e^(2 pi i f(k) t(j)), computed by spreading each point over an oversampled grid
/// with a Gaussian, a fast Fourier transform, and division by the transform of the Gaussian (Dutt & Rokhlin
/// 1993; Greengard & Lee 2004). Twelve grid points on each side keep the error below 1e-10 of the sum of |c|.
/// It replaces the extirpolation of Press & Rybicki (1989), with a smaller error.
///
/// - Complexity: O(points + frequencies log frequencies).
struct NonuniformTransform: Sendable {
  private let frequencies: FrequencyGrid

  private static let reach = 12
  private let fourier: FourierTransform
  /// Width of the Gaussian, and its values at integer grid steps.
  private let width: Double
  private let steps: [Double]
  /// Reciprocal of the Gaussian's transform at each frequency.
  private let correction: [Double]

  init(_ frequencies: FrequencyGrid) {
    self.frequencies = frequencies
    let count = frequencies.count
    let size = FourierTransform.length(atLeast: max(2 * count, 4 * Self.reach))
    fourier = FourierTransform(count: size)
    let modes = Double(count)
    let oversampling = Double(size) / modes
    let width = Double.pi * Double(Self.reach) / (modes * modes * oversampling * (oversampling - 0.5))
    self.width = width
    let spacing = 2 * Double.pi / Double(size)
    steps = (0...Self.reach).map { .exp(-(Double($0) * spacing) * (Double($0) * spacing) / (4 * width)) }
    let scale = (Double.pi / width).squareRoot() / Double(size)
    correction = (0..<count).map { index in
      let mode = Double(index - count / 2)
      return scale * .exp(mode * mode * width)
    }
  }

  /// Returns the transforms of two real series over the same times, in seconds: for each frequency (real,
  /// imaginary) of the first, (real, imaginary) of the second.
  func callAsFunction(_ times: [Double], _ values: [SIMD2<Double>]) -> [SIMD4<Double>] {
    var grid = spread(times, values)
    fourier(&grid)
    return (0..<frequencies.count).map { index in
      grid[(index - frequencies.count / 2) & (fourier.count - 1)] * correction[index]
    }
  }

  /// Spreads each point with a Gaussian, and shifts the middle frequency to zero.
  private func spread(_ times: [Double], _ values: [SIMD2<Double>]) -> [SIMD4<Double>] {
    let size = fourier.count
    let middle = frequencies[frequencies.count / 2]
    let spacing = 2 * Double.pi / Double(size)
    var grid = [SIMD4<Double>](repeating: .zero, count: size)
    unsafe grid.withUnsafeMutableBufferPointer { grid in
      for (time, value) in zip(times, values) {
        let position = Self.fraction(time / frequencies.perHertz) * Double(size)
        let nearest = position.rounded(.down)
        let offset = (position - nearest) * spacing
        let angle = 2 * Double.pi * Self.fraction(time * middle)
        let (cosine, sine) = (Double.cos(angle), Double.sin(angle))
        let point = SIMD4(value.x * cosine, value.x * sine, value.y * cosine, value.y * sine)
        unsafe add(
          point * .exp(-offset * offset / (4 * width)), ratio: .exp(offset * spacing / (2 * width)),
          at: Int(nearest), to: grid)
      }
    }
    return grid
  }

  /// Adds one point. Each point needs only two exponentials, because the Gaussian is a product of powers of `ratio` and of
  /// values common to all points.
  @inline(__always)
  private func add(
    _ point: SIMD4<Double>, ratio: Double, at nearest: Int, to grid: UnsafeMutableBufferPointer<SIMD4<Double>>
  ) {
    let mask = fourier.count - 1
    let inverse = 1 / ratio
    unsafe grid[nearest & mask] += point
    var (up, down) = (point, point)
    for distance in 1..<Self.reach {
      up *= ratio
      down *= inverse
      unsafe grid[(nearest + distance) & mask] += up * steps[distance]
      unsafe grid[(nearest - distance) & mask] += down * steps[distance]
    }
    unsafe grid[(nearest + Self.reach) & mask] += up * ratio * steps[Self.reach]
  }

  private static func fraction(_ value: Double) -> Double { value - value.rounded(.down) }
}
