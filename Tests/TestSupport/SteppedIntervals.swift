/// Intervals like those of an undisturbed rest, with an exact RMSSD: successive intervals differ by exactly one step, and
/// successive differences are hardly correlated. Alternating intervals would be classified as noise, and periodic waves as
/// the output of an averaging sensor.
package enum SteppedIntervals {
  /// Number of intervals after which the series repeats. Their mean is exactly the mean of the series.
  package static let period = 2 * steps.count

  private static let steps: [Double] = [
    0, -1, -2, -1, -2, -1, 0, -1, 0, 1, 2, 1, 2, 1, 0, -1, -2, -1, 0, 1, 2, 1, 2, 1, 2, 1, 0, 1, 0, -1,
  ]

  /// The interval with the number `index`, in the unit of `mean` and `step`.
  package static func interval(_ index: Int, mean: Double, step: Double) -> Double {
    let place = index % period
    return mean + step * (place < steps.count ? steps[place] : -steps[place - steps.count])
  }
}
