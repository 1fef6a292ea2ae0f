/// The power of NN intervals in the frequency bands of the Task Force (1996).
///
/// A band is absent if the windows are too short for it: HF needs 60 s, LF 120 s (Task Force 1996), VLF 270 s
/// (the usual five minutes minus their ends). For HF and LF, windows up to 5 % shorter suffice, because the beats of a
/// window rarely fill it completely. Ratios and sums are absent if one of their bands is.
///
///     let bands = SpectralBands(NNSegments(ArtefactClassifier.classify(beats)))
///     switch bands.lfHF {
///     case .value(let ratio): print(ratio)
///     case .absent(let reason): print(reason)  // such as "longest stretch without a gap 40 s, 120 s needed"
///     }
public struct SpectralBands: Equatable, Sendable {
  /// The method and settings of the spectrum.
  public enum Method: Equatable, Sendable {
    case lombScargle(LombScargle)
    case welch(Welch)
    case autoregressive(Autoregressive)
  }

  /// The method and settings of the spectrum.
  public let method: Method
  /// Power from 0.0033 Hz to 0.04 Hz, in ms^2.
  public let vlf: Metric
  /// Power from 0.04 Hz to 0.15 Hz, in ms^2.
  public let lf: Metric
  /// Power from 0.15 Hz to 0.4 Hz, in ms^2.
  public let hf: Metric
  /// VLF + LF + HF in ms^2.
  public let total: Metric
  /// LF / HF; absent if HF is zero.
  public let lfHF: Metric
  /// 100 LF / (LF + HF), in normalised units (percent).
  public let lfNormalised: Metric
  /// 100 HF / (LF + HF), in normalised units (percent).
  public let hfNormalised: Metric
  /// The spectrum, if it could be computed.
  public let spectrum: PowerSpectrum?

  /// Very low frequency band in Hz. Bands exclude their upper limit (Task Force 1996).
  public static let vlfBand = 0.0033..<0.04
  /// Low frequency band in Hz.
  public static let lfBand = 0.04..<0.15
  /// High frequency band in Hz.
  public static let hfBand = 0.15..<0.4

  /// Minimum window length in seconds where `seconds` are needed: 5 % less.
  static func leastLength(for seconds: Double) -> Double { 0.95 * seconds }

  /// Computes the bands by Lomb-Scargle, the default method.
  public init(lombScargle segments: NNSegments, settings: LombScargle = LombScargle()) {
    self.init(.lombScargle(settings)) { () throws(Absence) in try settings.spectrum(of: segments) }
  }

  /// Computes the bands by Welch's method, for comparison.
  public init(welch segments: NNSegments, settings: Welch = Welch()) {
    self.init(.welch(settings)) { () throws(Absence) in try settings.spectrum(of: segments) }
  }

  /// Computes the bands of an autoregressive model, for comparison.
  public init(autoregressive segments: NNSegments, settings: Autoregressive = Autoregressive()) {
    self.init(.autoregressive(settings)) { () throws(Absence) in try settings.spectrum(of: segments) }
  }

  private init(_ method: Method, _ makeSpectrum: () throws(Absence) -> PowerSpectrum) {
    self.method = method
    let spectrum: Result<PowerSpectrum, Absence>
    do { spectrum = .success(try makeSpectrum()) } catch { spectrum = .failure(error) }
    let power = { (band: Range<Double>, seconds: Double, least: Double) in
      spectrum.flatMap { spectrum in
        spectrum.windowLength >= least
          ? .success(spectrum.power(in: band))
          : .failure(Absence.tooShort(found: spectrum.windowLength, needed: seconds))
      }
    }
    let vlf = power(Self.vlfBand, 270, 270)
    let lf = power(Self.lfBand, 120, Self.leastLength(for: 120))
    let hf = power(Self.hfBand, 60, Self.leastLength(for: 60))
    self.spectrum = try? spectrum.get()
    self.vlf = Metric { () throws(Absence) in try vlf.get() }
    self.lf = Metric { () throws(Absence) in try lf.get() }
    self.hf = Metric { () throws(Absence) in try hf.get() }
    total = Metric { () throws(Absence) in try vlf.get() + lf.get() + hf.get() }
    lfHF = Metric { () throws(Absence) in try Self.ratio(lf.get(), hf.get()) }
    lfNormalised = Metric { () throws(Absence) in try 100 * Self.ratio(lf.get(), lf.get() + hf.get()) }
    hfNormalised = Metric { () throws(Absence) in try 100 * Self.ratio(hf.get(), lf.get() + hf.get()) }
  }

  /// Returns a ratio. Below 1e-9 ms^2 (a squared tick is 1.6e-10 ms^2) the divisor is only rounding error.
  private static func ratio(_ part: Double, _ whole: Double) throws(Absence) -> Double {
    guard whole > 1e-9 else { throw .undefined }
    return part / whole
  }
}
