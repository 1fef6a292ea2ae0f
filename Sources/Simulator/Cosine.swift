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
