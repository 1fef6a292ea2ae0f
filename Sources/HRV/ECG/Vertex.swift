import RealModule

/// A maximum or minimum of samples, located between them.
///
/// The samples around the extreme one are interpolated at quarters of a sample with a sinc function under a Lanczos window
/// (Duchon 1979, J Appl Meteorol 18:1016), because a QRS complex has only two or three samples near its peak. A parabola through
/// the extreme value and its neighbours gives the vertex.
struct Vertex {
  /// In samples from the first.
  let position: Double
  let value: Double

  /// Samples to each side that an interpolated value depends on, and interpolated values per sample.
  private static let (reach, steps) = (4, 4)
  /// The weights of the samples from `-reach` to `reach`, for the places from one sample before to one after.
  private static let weights: [[Double]] = (-steps...steps).map { step in
    let weights = (-reach...reach).map { lanczos(Double(step) / Double(steps) - Double($0)) }
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum }
  }

  private static func lanczos(_ distance: Double) -> Double {
    guard distance.magnitude < Double(reach) else { return 0 }
    let angle = .pi * distance
    return distance == 0 ? 1 : Double(reach) * .sin(angle) * .sin(angle / Double(reach)) / (angle * angle)
  }

  /// - Parameter peak: the index of an extreme sample. Samples beyond the ends have the value of the first or the last one.
  init(near peak: Int, of values: [Double]) {
    let last = values.count - 1
    let around = (-Self.reach...Self.reach).map { values[min(max(peak + $0, 0), last)] }
    let (before, after) = (around[Self.reach - 1], around[Self.reach + 1])
    let sign: Double = 2 * around[Self.reach] >= before + after ? 1 : -1
    let fine = Self.weights.map { weights in zip(weights, around).reduce(0) { $0 + $1.0 * $1.1 } }
    let best = (1..<fine.count - 1).max { sign * fine[$0] < sign * fine[$1] } ?? Self.steps
    let curvature = fine[best - 1] - 2 * fine[best] + fine[best + 1]
    let slope = fine[best - 1] - fine[best + 1]
    let offset = curvature == 0 ? 0 : min(max(slope / (2 * curvature), -0.5), 0.5)
    position = Double(peak) + (Double(best - Self.steps) + offset) / Double(Self.steps)
    value = fine[best] - slope * offset / 4
  }
}
