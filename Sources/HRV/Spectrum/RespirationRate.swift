import RealModule

/// The breathing rate, from the peak that respiratory sinus arrhythmia leaves in the spectrum of NN intervals
/// (Hirsch & Bishop 1981).
///
/// The highest density from 0.15 Hz to 0.4 Hz (9 to 24 breaths a minute) is taken for breathing if it is a maximum
/// inside the band and stands out. Breathing slower than that moves into LF, where other rhythms live, and cannot
/// be told from them; its second harmonic is not mistaken for a rate.
///
/// The rate is absent where the spectrum is (``LombScargle/spectrum(of:)``), where the band has no maximum
/// inside, where the share of the band's power near the peak is below 0.25 + 4.5 / sqrt(seconds), and where a peak
/// in LF that is higher lies at half the frequency. White noise, whose highest peak is an accident, stays below
/// that share 99 times in 100: it is 0.83 for 60 s and 0.51 for 300 s.
public struct RespirationRate: Equatable, Sendable {
  /// In breaths per minute.
  public let rate: Metric
  /// Share, 0 to 1, of the power in 0.15 to 0.4 Hz that lies within 0.03 Hz of the peak (or twice the resolution,
  /// if that is more): how sure the rate is. Nil without a peak.
  public let reliability: Double?

  /// Smallest reliability with which a rate is given, by the time that the spectrum covers.
  public static func minimumReliability(seconds: Double) -> Double { 0.25 + 4.5 / seconds.squareRoot() }

  /// From a spectrum that is there already.
  public init(_ spectrum: PowerSpectrum) {
    guard let peak = Self.highest(spectrum, SpectralBands.hfBand) else {
      (rate, reliability) = (.absent(.noPeak), nil)
      return
    }
    let share = Self.share(spectrum, around: peak)
    reliability = share
    rate = Metric { () throws(Absence) in
      let seconds = spectrum.windowLength * Double(spectrum.windows + 1) / 2
      let needed = Self.minimumReliability(seconds: seconds)
      guard share >= needed else { throw .weakPeak(found: share, needed: needed) }
      if let slower = Self.highest(spectrum, SpectralBands.lfBand),
        spectrum.density[slower] > spectrum.density[peak],
        abs(2 * spectrum.frequencies[slower] - spectrum.frequencies[peak]) <= 2 * spectrum.frequencies.step
      {
        throw .harmonic(of: 60 * Self.vertex(spectrum, slower))
      }
      return 60 * Self.vertex(spectrum, peak)
    }
  }

  /// From the NN intervals, by Lomb-Scargle.
  public init(_ segments: NNSegments, settings: LombScargle = LombScargle()) {
    do {
      self.init(try settings.spectrum(of: segments))
    } catch {
      self.init(rate: .absent(error), reliability: nil)
    }
  }

  private init(rate: Metric, reliability: Double?) {
    self.rate = rate
    self.reliability = reliability
  }

  /// The highest density of a band, if both of its neighbours are lower: no slope, and no edge.
  private static func highest(_ spectrum: PowerSpectrum, _ band: Range<Double>) -> Int? {
    let (inside, density) = (spectrum.indices(of: band), spectrum.density)
    guard let peak = inside.max(by: { density[$0] < density[$1] }), peak > 0, peak + 1 < density.count,
      density[peak - 1] < density[peak], density[peak + 1] < density[peak]
    else { return nil }
    return peak
  }

  private static func share(_ spectrum: PowerSpectrum, around peak: Int) -> Double {
    let reach = max(0.03, 2 * spectrum.frequencies.step) + spectrum.frequencies.step / 2
    let center = spectrum.frequencies[peak]
    let band = SpectralBands.hfBand
    let near = max(center - reach, band.lowerBound)..<min(center + reach, band.upperBound)
    return spectrum.power(in: near) / spectrum.power(in: band)
  }

  /// Where the parabola through the logarithms of the peak and its neighbours is highest, in Hz.
  private static func vertex(_ spectrum: PowerSpectrum, _ peak: Int) -> Double {
    let (before, at, after) = (
      Double.log(spectrum.density[peak - 1]), Double.log(spectrum.density[peak]),
      Double.log(spectrum.density[peak + 1])
    )
    let offset = (before - after) / (2 * (before - 2 * at + after))
    return spectrum.frequencies[peak] + (offset.isFinite ? offset : 0) * spectrum.frequencies.step
  }
}
