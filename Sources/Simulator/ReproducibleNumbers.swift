import Platform

extension SplitMix64 {
  mutating func uniform(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) * 0x1p-53
  }

  mutating func integer(in range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  /// Returns an approximately normal number with mean 0 and variance 1, at most 3.5 in magnitude: the scaled
  /// sum of four uniform 16-bit numbers.
  mutating func nearNormal() -> Double {
    let bits = next()
    let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
    return (Double(sum) / 65_535 - 2) * 1.732_050_807_568_877_2
  }

  /// Returns whether an event that occurs `perHour` times per hour begins within the next `seconds`.
  mutating func happens(perHour: Double, within seconds: Double) -> Bool {
    uniform(in: 0...3600) < perHour * seconds
  }
}

/// Returns the cosine of a phase in cycles (1 is a full turn), with an error of about 4e-6.
///
/// The cosine of the C library can differ in the last bit between versions; this one makes results for a seed
/// reproducible on every platform.
func cosine(cycles: Double) -> Double {
  let turn = cycles - cycles.rounded(.down)
  // cos 2πt = sin 2π(|t - 1/2| - 1/4): reduces the argument to a quarter turn around 0, where the Taylor
  // series of the sine converges quickly.
  let folded = abs(turn - 0.5) - 0.25
  let x = folded * 2 * Double.pi
  let x2 = x * x
  return x * (1 - x2 / 6 * (1 - x2 / 20 * (1 - x2 / 42 * (1 - x2 / 72))))
}
