package import HRV
package import JSONLines

/// The value of a metric of a series, or the reason why it is absent.
package struct MetricValue: Sendable {
  package let metric: MetricDefinition
  package let value: Double?
  package let absence: Absence?

  init(_ metric: MetricDefinition, _ value: Double?) {
    (self.metric, self.value, absence) = (metric, value, nil)
  }

  init(_ metric: MetricDefinition, _ result: Metric) {
    (self.metric, value, absence) = (metric, result.value, result.absence)
  }
}

/// The metrics of one series of beats: normal, raw or corrected.
package struct SeriesMetrics: Sendable {
  package let beats: Int
  package let metrics: [MetricValue]
  /// The daily rhythm of the heart rate, of at least 18 h, with the metrics of long recordings.
  package private(set) var cosinor: Cosinor?

  /// - Parameter segments: called only if a selected metric needs segments.
  package init(
    _ series: NNSeries, _ selection: MetricsSelection, spectrum: SpectrumSettings = SpectrumSettings(),
    segments: () -> NNSegments
  ) {
    beats = series.sums.count
    var metrics: [MetricValue] = []
    if selection.includesTime { metrics += Self.time(series) }
    if selection != .time {
      let segments = segments()
      if selection.includesFrequency { metrics += Self.frequency(segments, spectrum) }
      if selection.includesNonlinear { metrics += Self.nonlinear(segments) }
      if selection.includesLongTerm {
        metrics += Self.longTerm(segments)
        cosinor = Cosinor(segments)
      }
    }
    self.metrics = metrics
  }

  package init(
    _ beats: some Collection<Beat>, _ selection: MetricsSelection,
    spectrum: SpectrumSettings = SpectrumSettings()
  ) {
    self.init(NNSeries(of: beats), selection, spectrum: spectrum) { NNSegments(beats) }
  }

  /// The corrected beats are not kept in memory.
  package init(
    _ corrected: CorrectedSeries, _ selection: MetricsSelection,
    spectrum: SpectrumSettings = SpectrumSettings()
  ) {
    var series = NNSeries()
    corrected.forEachBeat { series.append($0) }
    self.init(series, selection, spectrum: spectrum) {
      var segments = NNSegments()
      corrected.forEachBeat { segments.append($0) }
      return segments
    }
  }

  package subscript(_ metric: MetricDefinition) -> Double? {
    metrics.first { $0.metric == metric }?.value
  }

  private static func time(_ series: NNSeries) -> [MetricValue] {
    NNSums.timeDomain.map { MetricValue($0, $1(series.sums)) } + [
      MetricValue(.minHeartRate, series.minHeartRate), MetricValue(.maxHeartRate, series.maxHeartRate),
    ]
  }

  /// The respiration rate always uses the default spectrum, for which its reliability limit was determined.
  private static func frequency(_ segments: NNSegments, _ settings: SpectrumSettings) -> [MetricValue] {
    let bands = SpectralBands(segments, settings: settings)
    let usual = settings == SpectrumSettings() ? bands.spectrum : nil
    let total = UltraLowFrequency(segments).power.value.flatMap { ulf in
      bands.total.value.map { Metric.value(ulf + $0) }
    }
    let respiration = usual.map(RespirationRate.init) ?? RespirationRate(segments)
    return [
      MetricValue(.vlf, bands.vlf), MetricValue(.lf, bands.lf), MetricValue(.hf, bands.hf),
      MetricValue(.totalPower, total ?? bands.total), MetricValue(.lfHF, bands.lfHF),
      MetricValue(.lfNormalised, bands.lfNormalised), MetricValue(.hfNormalised, bands.hfNormalised),
      MetricValue(.respiration, respiration.rate),
      MetricValue(.respirationReliability, respiration.reliability),
    ]
  }

  private static func nonlinear(_ segments: NNSegments) -> [MetricValue] {
    let indices = AutonomicIndices(segments)
    return [
      MetricValue(.dfaAlpha1, FluctuationAnalysis().exponent(of: segments)),
      MetricValue(.dfaAlpha2, FluctuationAnalysis.longTerm.exponent(of: segments)),
      MetricValue(.sampleEntropy, SampleEntropy().entropy(of: segments)),
      MetricValue(.approximateEntropy, ApproximateEntropy().entropy(of: segments)),
      MetricValue(.baevskyIndex, StressIndex(segments).value),
      MetricValue(.parasympatheticIndex, indices.parasympathetic),
      MetricValue(.sympatheticIndex, indices.sympathetic),
    ]
  }

  private static func longTerm(_ segments: NNSegments) -> [MetricValue] {
    let geometric = GeometricMeasures(segments)
    let periods = FiveMinuteStatistics(segments)
    return [
      MetricValue(.triangularIndex, geometric.triangularIndex), MetricValue(.tinn, geometric.tinn),
      MetricValue(.sdann, periods.sdann), MetricValue(.sdnnIndex, periods.sdnnIndex),
      MetricValue(.ulf, UltraLowFrequency(segments).power),
    ]
  }
}

extension NNSums {
  /// The metrics of ``MetricCatalogue/timeDomain`` and their values.
  package static let timeDomain: [(metric: MetricDefinition, value: @Sendable (NNSums) -> Double?)] = [
    (.meanNN, { $0.meanNN }), (.meanHeartRate, { $0.meanHeartRate }), (.sdnn, { $0.sdnn }),
    (.rmssd, { $0.rmssd }), (.lnRMSSD, { $0.lnRMSSD }), (.sdsd, { $0.sdsd }), (.pNN50, { $0.pNN50 }),
    (.pNN20, { $0.pNN20 }), (.sd1, { $0.sd1 }), (.sd2, { $0.sd2 }),
  ]
}

extension NNSeries {
  init(of beats: some Sequence<Beat>) {
    self.init()
    for beat in beats { append(beat) }
  }
}

extension JSONLine {
  /// Adds the time-domain metrics.
  package mutating func put(_ sums: NNSums) {
    for (metric, value) in NNSums.timeDomain { put(metric, value(sums)) }
  }

  /// Adds the number of beats, the metrics, and under `absent` the reason for each absent metric.
  package mutating func put(_ series: SeriesMetrics) {
    put("beats", series.beats)
    for metric in series.metrics { put(metric.metric, metric.value) }
    if let cosinor = series.cosinor {
      put("cosinor") { line in
        line.put("mesor_bpm", cosinor.mesor)
        line.put("mesor_low_bpm", cosinor.mesor - cosinor.mesorHalfWidth)
        line.put("mesor_high_bpm", cosinor.mesor + cosinor.mesorHalfWidth)
        line.put("amplitude_bpm", cosinor.amplitude)
        line.put("amplitude_low_bpm", max(0, cosinor.amplitude - cosinor.amplitudeHalfWidth))
        line.put("amplitude_high_bpm", cosinor.amplitude + cosinor.amplitudeHalfWidth)
        line.put("peak_s", cosinor.peak)
        line.put("peak_half_width_s", cosinor.peakHalfWidth)
        line.put("explained_fraction", cosinor.explained)
      }
    }
    let absent = series.metrics.filter { $0.absence != nil }
    guard !absent.isEmpty else { return }
    put("absent") { reasons in
      for metric in absent { reasons.put(metric.metric.key, metric.absence?.description) }
    }
  }
}
