/// The power of NN intervals in the bands of the Task Force (1996).
///
/// A band is absent where the windows are too short for it: HF needs 60 s, LF 120 s (Task Force 1996), VLF 270 s:
/// the usual five minutes less their edges. Ratios and sums are absent with the band that they lack.
public struct SpectralBands: Equatable, Sendable {
  /// How the spectrum was made; it belongs to every value.
  public enum Method: Equatable, Sendable {
    case lombScargle(LombScargle)
    case welch(Welch)
  }

  /// How the spectrum was made.
  public let method: Method
  /// Power from 0.0033 Hz to 0.04 Hz, in ms^2.
  public let vlf: Metric
  /// Power from 0.04 Hz to 0.15 Hz, in ms^2.
  public let lf: Metric
  /// Power from 0.15 Hz to 0.4 Hz, in ms^2.
  public let hf: Metric
  /// VLF + LF + HF in ms^2.
  public let total: Metric
  /// LF / HF; absent where HF is zero.
  public let lfHF: Metric
  /// 100 LF / (LF + HF), in normalised units (percent).
  public let lfNormalised: Metric
  /// 100 HF / (LF + HF), in normalised units (percent).
  public let hfNormalised: Metric
  /// What the bands were summed over; nil where there is none.
  public let spectrum: PowerSpectrum?

  /// Very low frequencies, in Hz, each band without its upper end (Task Force 1996).
  public static let vlfBand = 0.0033..<0.04
  /// Low frequencies, in Hz.
  public static let lfBand = 0.04..<0.15
  /// High frequencies, in Hz.
  public static let hfBand = 0.15..<0.4

  /// The bands by Lomb-Scargle, the main method.
  public init(lombScargle segments: NNSegments, settings: LombScargle = LombScargle()) {
    self.init(.lombScargle(settings)) { () throws(Absence) in try settings.spectrum(of: segments) }
  }

  /// The bands by Welch's method, for comparison.
  public init(welch segments: NNSegments, settings: Welch = Welch()) {
    self.init(.welch(settings)) { () throws(Absence) in try settings.spectrum(of: segments) }
  }

  private init(_ method: Method, _ makeSpectrum: () throws(Absence) -> PowerSpectrum) {
    self.method = method
    let spectrum: Result<PowerSpectrum, Absence>
    do { spectrum = .success(try makeSpectrum()) } catch { spectrum = .failure(error) }
    let power = { (band: Range<Double>, seconds: Double) in
      spectrum.flatMap { spectrum in
        spectrum.windowLength >= seconds
          ? .success(spectrum.power(in: band))
          : .failure(Absence.tooShort(found: spectrum.windowLength, needed: seconds))
      }
    }
    let (vlf, lf, hf) = (power(Self.vlfBand, 270), power(Self.lfBand, 120), power(Self.hfBand, 60))
    self.spectrum = try? spectrum.get()
    self.vlf = Metric { () throws(Absence) in try vlf.get() }
    self.lf = Metric { () throws(Absence) in try lf.get() }
    self.hf = Metric { () throws(Absence) in try hf.get() }
    total = Metric { () throws(Absence) in try vlf.get() + lf.get() + hf.get() }
    lfHF = Metric { () throws(Absence) in try Self.ratio(lf.get(), hf.get()) }
    lfNormalised = Metric { () throws(Absence) in try 100 * Self.ratio(lf.get(), lf.get() + hf.get()) }
    hfNormalised = Metric { () throws(Absence) in try 100 * Self.ratio(hf.get(), lf.get() + hf.get()) }
  }

  /// Below 1e-9 ms^2 (a tick squared is 1.6e-10 ms^2) there is nothing but rounding to divide by.
  private static func ratio(_ part: Double, _ whole: Double) throws(Absence) -> Double {
    guard whole > 1e-9 else { throw .undefined }
    return part / whole
  }
}
