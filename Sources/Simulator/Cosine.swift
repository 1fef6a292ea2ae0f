/// The cosine of a phase in cycles (1 is a full turn), to about 4e-6.
///
/// The C library's cosine may differ in its last bit between versions, and a seed must mean the same everywhere.
func cosine(cycles: Double) -> Double {
  let turn = cycles - cycles.rounded(.down)
  // cos 2πt = sin 2π(|t - 1/2| - 1/4): within a quarter turn of 0, where the series of the sine is short.
  let folded = abs(turn - 0.5) - 0.25
  let x = folded * 2 * Double.pi
  let x2 = x * x
  return x * (1 - x2 / 6 * (1 - x2 / 20 * (1 - x2 / 42 * (1 - x2 / 72))))
}
