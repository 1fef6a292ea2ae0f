import RealModule

/// The breathing rate, from the peak of respiratory sinus arrhythmia in the spectrum of NN intervals (Hirsch
/// & Bishop 1981).
///
/// The highest density from 0.15 Hz to 0.4 Hz (9 to 24 breaths per minute) is accepted if it is a local
/// maximum inside the band and exceeds a reliability limit. Slower breathing falls into the LF band and
/// cannot be separated from other rhythms, unless a pacer gives its rate; its second harmonic is rejected.
///
/// The rate is absent if the spectrum is (``LombScargle/spectrum(of:)``), if the band has no maximum inside,
/// if the fraction of the band's power near the peak is below 0.25 + 4.5 / sqrt(seconds), and if there is a
/// higher LF peak at half the frequency. White noise stays below this limit in 99 of 100 cases; the limit is
/// 0.83 for 60 s and 0.51 for 300 s.
public struct RespirationRate: Equatable, Sendable {
  /// Breathing rate in breaths per minute.
  public let rate: Metric
  /// Fraction, 0 to 1, of the power in 0.15 to 0.4 Hz that is within 0.03 Hz of the peak (or twice the resolution, if
  /// larger). Missing if the band has no peak.
  public let reliability: Double?

  /// Returns the minimum reliability for a spectrum that covers `seconds`.
  public static func minimumReliability(seconds: Double) -> Double { 0.25 + 4.5 / seconds.squareRoot() }

  /// Estimates the rate from an existing spectrum.
  public init(_ spectrum: PowerSpectrum) {
    guard let peak = Self.highest(spectrum, SpectralBands.hfBand) else {
      (rate, reliability) = (.absent(.noPeak), nil)
      return
    }
    let fraction = Self.fraction(spectrum, around: peak)
    reliability = fraction
    rate = Metric { () throws(Absence) in
      let needed = Self.minimumReliability(seconds: Self.seconds(spectrum))
      guard fraction >= needed else { throw .weakPeak(found: fraction, needed: needed) }
      if let slower = Self.highest(spectrum, SpectralBands.lfBand),
        spectrum.density[slower] > spectrum.density[peak],
        abs(2 * spectrum.frequencies[slower] - spectrum.frequencies[peak]) <= 2 * spectrum.frequencies.step
      {
        throw .harmonic(of: 60 * Self.vertex(spectrum, slower))
      }
      return 60 * Self.vertex(spectrum, peak)
    }
  }

  /// Estimates the rate from the Lomb-Scargle spectrum of the NN intervals.
  public init(_ segments: NNSegments, settings: LombScargle = LombScargle()) {
    do {
      self.init(try settings.spectrum(of: segments))
    } catch {
      self.init(rate: .absent(error), reliability: nil)
    }
  }

  /// Estimates the rate while a pacer gives it: the highest density within 15 % of `frequency` in Hz, from 4 to 24 breaths per
  /// minute. The fraction of the power near the peak then relates to 0.04 to 0.4 Hz. Without such a peak, or if it is
  /// unreliable, the rate is that of ``init(_:)``: the person may not follow the pacer.
  public init(_ spectrum: PowerSpectrum, pacedAt frequency: Double) {
    let band = max(frequency * 0.85, Self.slowest)..<max(Self.slowest, min(frequency * 1.15, 0.4))
    let paced = Self(
      spectrum, highestIn: band, of: Self.lowest..<SpectralBands.hfBand.upperBound,
      needed: Self.minimumReliability(seconds: Self.seconds(spectrum)))
    self = paced.rate.value == nil ? Self(spectrum) : paced
  }

  /// Accepts the highest density of `band` if it is a local maximum and the fraction of the power in `whole` near it is at least
  /// `needed`.
  init(_ spectrum: PowerSpectrum, highestIn band: Range<Double>, of whole: Range<Double>, needed: Double) {
    guard !band.isEmpty, let peak = Self.highest(spectrum, band) else {
      (rate, reliability) = (.absent(.noPeak), nil)
      return
    }
    let fraction = Self.fraction(spectrum, around: peak, of: whole)
    reliability = fraction
    rate =
      fraction < needed
      ? .absent(.weakPeak(found: fraction, needed: needed)) : .value(60 * Self.vertex(spectrum, peak))
  }

  /// The rate of a pacer down to which respiration is estimated, and the lower end of the power that a slow peak is compared
  /// with, in Hz: 3.6 breaths per minute, so that 4 is inside, and the end of the VLF band.
  private static let (slowest, lowest) = (0.06, 0.04)

  /// Estimates the rate from the Lomb-Scargle spectrum of the NN intervals, with the frequency of the pacer in Hz.
  public init(_ segments: NNSegments, pacedAt frequency: Double) {
    do {
      self.init(try LombScargle().spectrum(of: segments), pacedAt: frequency)
    } catch {
      self.init(rate: .absent(error), reliability: nil)
    }
  }

  package init(rate: Metric, reliability: Double?) {
    self.rate = rate
    self.reliability = reliability
  }

  /// The length that the windows of a spectrum cover, in seconds.
  private static func seconds(_ spectrum: PowerSpectrum) -> Double {
    spectrum.windowLength * Double(spectrum.windows + 1) / 2
  }

  /// Returns the index of the highest density of a band, if both neighbours are lower.
  private static func highest(_ spectrum: PowerSpectrum, _ band: Range<Double>) -> Int? {
    let (inside, density) = (spectrum.indices(of: band), spectrum.density)
    guard let peak = inside.max(by: { density[$0] < density[$1] }), peak > 0, peak + 1 < density.count,
      density[peak - 1] < density[peak], density[peak + 1] < density[peak]
    else { return nil }
    return peak
  }

  private static func fraction(
    _ spectrum: PowerSpectrum, around peak: Int, of band: Range<Double> = SpectralBands.hfBand
  ) -> Double {
    let reach = max(0.03, 2 * spectrum.frequencies.step) + spectrum.frequencies.step / 2
    let center = spectrum.frequencies[peak]
    let near = max(center - reach, band.lowerBound)..<min(center + reach, band.upperBound)
    return spectrum.power(in: near) / spectrum.power(in: band)
  }

  /// Returns the frequency in Hz of the vertex of a parabola through the logarithms of the peak and its
  /// neighbours.
  private static func vertex(_ spectrum: PowerSpectrum, _ peak: Int) -> Double {
    let (before, at, after) = (
      Double.log(spectrum.density[peak - 1]), Double.log(spectrum.density[peak]),
      Double.log(spectrum.density[peak + 1])
    )
    let offset = (before - after) / (2 * (before - 2 * at + after))
    return spectrum.frequencies[peak] + (offset.isFinite ? offset : 0) * spectrum.frequencies.step
  }
}

extension RespirationRate {
  /// The band of breathing that the amplitude of QRS complexes can show, 5 to 36 breaths per minute, and the band that its power is
  /// compared with, in Hz.
  private static let (amplitudeBand, amplitudeWhole) = (5.0 / 60..<36.0 / 60, 3.0 / 60..<36.0 / 60)

  /// The fraction of the power that is required near the peak. White noise exceeds 0.49 in 1 of 100 minutes, and 0.37 in two
  /// minutes; the amplitudes of real beats also follow posture and movement (Research/ECG).
  private static func leastAmplitudeFraction(seconds: Double) -> Double { 0.4 + 1.4 / seconds.squareRoot() }

  /// Estimates the rate from the amplitude of QRS complexes, which changes with the position of the heart in the chest (Moody et al.
  /// 1985, Computers in Cardiology 12:113). It does not depend on respiratory sinus arrhythmia, which is weak in old age, and
  /// outside of 9 to 24 breaths per minute cannot be separated from other rhythms.
  ///
  /// Amplitudes are limited to four median absolute deviations around their median: those of ectopic beats differ by more.
  /// - Parameter peaks: times in seconds, ascending, and amplitudes in any unit. At least a minute of 30 peaks is required.
  package init(amplitudes peaks: [(time: Double, amplitude: Double)]) {
    guard let first = peaks.first?.time, let last = peaks.last?.time, peaks.count >= 30,
      last - first >= SpectralBands.leastLength(for: LombScargle.shortestWindow)
    else {
      self.init(rate: .absent(.tooShort(found: 0, needed: LombScargle.shortestWindow)), reliability: nil)
      return
    }
    let values = Self.limited(peaks.map(\.amplitude))
    let (times, length) = (peaks.map { $0.time - first }, last - first)
    let tapered = times.map { Taper.hann.weight(at: $0 / length) }
    let total = tapered.reduce(0, +)
    let grid = FrequencyGrid(first: 0, perHertz: length, count: 1 + Int(0.7 * length))
    let power = Periodogram(grid)(times: times, values: values, weights: tapered.map { $0 / total })
    let spectrum = PowerSpectrum(frequencies: grid, density: power, windowLength: length, windows: 1)
    self.init(
      spectrum, highestIn: Self.amplitudeBand, of: Self.amplitudeWhole,
      needed: Self.leastAmplitudeFraction(seconds: length))
  }

  private static func limited(_ values: [Double]) -> [Double] {
    let middle = median(values)
    let reach = 4 * median(values.map { ($0 - middle).magnitude })
    return reach > 0 ? values.map { min(max($0, middle - reach), middle + reach) } : values
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
