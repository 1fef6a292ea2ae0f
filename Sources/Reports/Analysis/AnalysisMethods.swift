package import HRV

/// The methods of an analysis.
package struct AnalysisMethods: Equatable, Sendable {
  /// How beats are classified.
  package enum Classification: Equatable, Sendable {
    /// ``ArtefactClassifier`` with the standard criteria.
    case automatic
    /// The algorithm of Lipponen & Tarvainen (2019) as published.
    case lipponenTarvainen
    /// ``ThresholdClassifier``.
    case threshold(CorrectionLevel)

    /// Sets the verdicts of the beats.
    func classify(_ beats: inout [Beat]) {
      switch self {
      case .automatic: ArtefactClassifier.classify(&beats)
      case .lipponenTarvainen: beats = ArtefactClassifier.classifyAsPublished(beats)
      case .threshold(let level): ThresholdClassifier.classify(&beats, level: level)
      }
    }
  }

  package var spectrum: SpectrumSettings
  package var classification: Classification
  /// Whether only the series that is reported first is computed.
  package var onlyTopSeries: Bool

  package init(
    spectrum: SpectrumSettings = SpectrumSettings(), classification: Classification = .automatic,
    onlyTopSeries: Bool = false
  ) {
    (self.spectrum, self.classification, self.onlyTopSeries) = (spectrum, classification, onlyTopSeries)
  }

  /// The value of `correction` in JSON and CSV: the level of the threshold-based classification, else `automatic`.
  package var correctionName: String {
    if case .threshold(let level) = classification { level.rawValue } else { "automatic" }
  }

  /// The value of `classifier` in JSON and CSV.
  package var classifierName: String {
    switch classification {
    case .automatic: "stressmon"
    case .lipponenTarvainen: "lipponen-tarvainen"
    case .threshold: "threshold"
    }
  }
}
