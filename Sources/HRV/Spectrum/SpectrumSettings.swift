/// The method of the spectrum, and the trend that is removed before it.
public struct SpectrumSettings: Equatable, Sendable {
  /// The method of the power spectral density.
  public enum Method: String, CaseIterable, Sendable {
    /// Lomb-Scargle without resampling (``LombScargle``).
    case lomb
    /// Welch's method on samples at 4 Hz (``Welch``).
    case welch
    /// Autoregressive model of order 16 of samples at 4 Hz (``Autoregressive``).
    case autoregressive = "ar"
  }

  /// The trend that is removed in addition to the mean or the line of each window.
  public enum Detrending: String, CaseIterable, Sendable {
    /// Only the line (Lomb-Scargle) or the mean (Welch, autoregressive) of each window or run.
    case window
    /// The trend of ``SmoothnessPriors``.
    case smoothnessPriors = "smoothness-priors"
  }

  public var method: Method
  public var detrending: Detrending
  /// Parameter of ``SmoothnessPriors``.
  public var lambda: Double

  public init(method: Method = .lomb, detrending: Detrending = .window, lambda: Double = 500) {
    (self.method, self.detrending, self.lambda) = (method, detrending, lambda)
  }

  var trend: SmoothnessPriors? {
    detrending == .smoothnessPriors ? SmoothnessPriors(lambda: lambda) : nil
  }

  /// The method as the title of a figure.
  public var name: String {
    let method =
      switch method {
      case .lomb: "Lomb-Scargle"
      case .welch: "Welch"
      case .autoregressive: "autoregressive"
      }
    return detrending == .smoothnessPriors ? method + ", smoothness priors" : method
  }
}

extension SpectralBands {
  /// Computes the bands with `settings`.
  public init(_ segments: NNSegments, settings: SpectrumSettings = SpectrumSettings()) {
    switch settings.method {
    case .lomb:
      var method = LombScargle()
      method.trend = settings.trend
      self.init(lombScargle: segments, settings: method)
    case .welch:
      var method = Welch()
      method.trend = settings.trend
      self.init(welch: segments, settings: method)
    case .autoregressive:
      var method = Autoregressive()
      method.trend = settings.trend
      self.init(autoregressive: segments, settings: method)
    }
  }
}
