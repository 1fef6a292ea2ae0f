package import HRV

/// The methods of an analysis.
package struct AnalysisMethods: Equatable, Sendable {
  package var spectrum: SpectrumSettings
  /// The level of the threshold-based classification; nil for the automatic one.
  package var correction: CorrectionLevel?
  /// Whether only the series that is reported first is computed.
  package var onlyTopSeries: Bool

  package init(
    spectrum: SpectrumSettings = SpectrumSettings(), correction: CorrectionLevel? = nil,
    onlyTopSeries: Bool = false
  ) {
    (self.spectrum, self.correction, self.onlyTopSeries) = (spectrum, correction, onlyTopSeries)
  }

  /// The classification in JSON and CSV.
  package var correctionName: String { correction?.rawValue ?? "automatic" }
}
