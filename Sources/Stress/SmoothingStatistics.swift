import HeartRate
import RealModule

/// Whether intervals were averaged before they were sent: by the shape and the level of their spectrum, or, where a heart
/// has far more HRV than most, by the shape alone (``SpectralHoles``).
///
/// The mean of k neighbours has no power at j / k cycles a beat, and little at all fast waves, where hearts and detectors
/// of R peaks have some. In the logarithm of the spectrum of successive differences that is a known sum, so each
/// ``SmoothingModel`` is a linear one. (So is the blur of a moving camera found: Cannon 1976, "Blind deconvolution
/// of spatially invariant image blurs with phase".) Their weights are learned from recordings.
///
/// A jump of more than a fifth is no average's: the spectrum begins anew behind it. It does so above 86 bpm, too, where
/// the spectra of hearts are like those of averages: nothing is decided there.
struct SmoothingStatistics: Sendable {
  /// Differences so far.
  private(set) var count = 0
  /// Those of them that came to a spectrum.
  private var compared = 0
  private var holes = SpectralHoles()
  private var spectrum = DifferenceSpectrum()
  /// Fading sums of intervals in ms and of ones, as old as the spectrum.
  private var lengths: Float = 0
  private var weight: Float = 0
  /// What an interval has been of late, in ms.
  private var pace: Float = 0

  private static let fewest = 40
  /// Of stretches that overlap by half only.
  private static let fewestLater = 64
  /// In ms.
  private static let shortest: Float = 700
  private static let memory = DifferenceSpectrum.memory.squareRoot()
  private static let millisecondsPerTick = 1 / Float(RRInterval.ticksPerMillisecond)

  /// Takes an interval and the one before it, in ticks.
  mutating func append(_ rr: Int64, after previous: Int64) {
    let milliseconds = Float(rr) * Self.millisecondsPerTick
    if count == 0 { pace = Float(previous) * Self.millisecondsPerTick }
    count += 1
    holes.append(rr, after: previous)
    pace += (milliseconds - pace) / 16
    let isJump = 5 * abs(rr - previous) > min(rr, previous)
    guard !isJump, pace >= Self.shortest else { return startAnew() }
    compared += 1
    spectrum.append(Float(rr - previous) * Self.millisecondsPerTick, isNew: isNew)
    lengths = lengths * Self.memory + milliseconds
    weight = weight * Self.memory + 1
  }

  /// Whether it is the first minutes, in which each stretch is looked at: sooner or later a jump or a fast minute makes
  /// every spectrum begin anew, and nobody waits for what it says then.
  private var isNew: Bool { compared <= 256 }

  /// Whether enough has come to look at.
  var isComplete: Bool { count >= Self.fewest }

  /// Whether the intervals are averages. What was found before holds on until the opposite is plain.
  func isSmoothed(before: Bool) -> Bool {
    holes.areThere(before: before) || looksLikeAnAverage(before: before)
  }

  private func looksLikeAnAverage(before: Bool) -> Bool {
    guard spectrum.count >= (isNew ? Self.fewest : Self.fewestLater) else { return before }
    let logarithms = spectrum.logarithms
    // The tallest waves of an average are not the fastest, as where beats alternate.
    guard
      max(logarithms.lowHalf.max(), logarithms.highHalf.lowHalf.max()) > logarithms.highHalf.highHalf.max()
    else { return false }
    let interval = Float.log(lengths / weight)
    let limit = (before ? -2 : 0) - evidence
    return SmoothingModel.all.contains { $0.score(logarithms, interval) > limit }
  }

  /// By how much less a score may do: the longer, the less do the spectra of hearts differ by chance.
  private var evidence: Float { 1.6 * min(1, max(0, Float(spectrum.count - 64) / 86)) }

  private mutating func startAnew() {
    spectrum = DifferenceSpectrum()
    lengths = 0
    weight = 0
  }
}
