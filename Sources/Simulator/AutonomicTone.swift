/// What the nervous system does to the heart: the mean of RR and the size of what modulates it.
///
/// The sizes are chosen so that resting stretches show 60 to 65 bpm and an RMSSD of 40 to 60 ms, stressed ones 85 to
/// 100 bpm and 10 to 18 ms. A modulation of amplitude A and frequency f contributes sqrt(2) A sin(pi f RR) to RMSSD,
/// white noise of deviation s contributes sqrt(2) s.
struct AutonomicTone: Sendable {
  var meanRR: Double
  /// Respiratory sinus arrhythmia, at the frequency of breathing.
  var respiratory: Double
  /// Mayer waves at 0.1 Hz.
  var mayer: Double
  /// Deviation of the wander below 0.04 Hz.
  var slow: Double
  /// Deviation of what differs from beat to beat.
  var noise: Double
  /// Breaths a second.
  var breathing: Double

  static func resting(_ random: inout SplitMix64) -> AutonomicTone {
    AutonomicTone(
      meanRR: 60_000 / random.uniform(in: 61.5...63.5), respiratory: random.uniform(in: 50...58), mayer: 20,
      slow: 14, noise: 8, breathing: random.uniform(in: 0.205...0.225))
  }

  static func stressed(_ random: inout SplitMix64) -> AutonomicTone {
    AutonomicTone(
      meanRR: 60_000 / random.uniform(in: 88...97), respiratory: random.uniform(in: 12...15), mayer: 17,
      slow: 8, noise: 5, breathing: random.uniform(in: 0.23...0.245))
  }

  /// The tone that is `weight` (0 to 1) of the way to `other`.
  func mixed(with other: AutonomicTone, weight: Double) -> AutonomicTone {
    func mix(_ from: Double, _ to: Double) -> Double { from + (to - from) * weight }
    return AutonomicTone(
      meanRR: mix(meanRR, other.meanRR), respiratory: mix(respiratory, other.respiratory),
      mayer: mix(mayer, other.mayer), slow: mix(slow, other.slow), noise: mix(noise, other.noise),
      breathing: mix(breathing, other.breathing))
  }
}
