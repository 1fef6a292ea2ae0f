import HRV

/// One metric of a series, as it is shown and written: its JSON key, name and unit, and its value or why there is none.
struct ShownMetric {
  let key: String
  let name: String
  let unit: String
  let decimals: Int
  let value: Double?
  var absence: Absence?

  init(_ metric: TimeDomainMetric, of nn: NNSums) {
    (key, name, unit, decimals) = (metric.key, metric.name, metric.unit, metric.decimals)
    value = metric.value(nn)
  }

  init(_ key: String, _ name: String, _ unit: String, _ decimals: Int, _ value: Double?) {
    (self.key, self.name, self.unit, self.decimals) = (key, name, unit, decimals)
    self.value = value
  }

  init(_ key: String, _ name: String, _ unit: String, _ decimals: Int, _ metric: Metric) {
    self.init(key, name, unit, decimals, metric.value)
    absence = metric.absence
  }
}

/// What is computed of one series of beats: normal, raw or corrected.
struct SeriesMetrics {
  let beats: Int
  let metrics: [ShownMetric]

  /// The segments are asked for only where a metric needs them.
  init(_ series: NNSeries, _ selection: MetricsSelection, segments: () -> NNSegments) {
    beats = series.sums.count
    var metrics: [ShownMetric] = []
    if selection.includesTime { metrics += Self.time(series) }
    if selection != .time {
      let segments = segments()
      if selection.includesFrequency { metrics += Self.frequency(segments) }
      if selection.includesNonlinear { metrics += Self.nonlinear(segments) }
    }
    self.metrics = metrics
  }

  init(_ beats: some Collection<Beat>, _ selection: MetricsSelection) {
    var sums = NNSeries()
    for beat in beats { sums.append(beat) }
    self.init(sums, selection) { NNSegments(beats) }
  }

  private static func time(_ series: NNSeries) -> [ShownMetric] {
    TimeDomainMetric.all.map { ShownMetric($0, of: series.sums) } + [
      ShownMetric("min_hr_bpm", "Min HR", "bpm", 1, series.minHeartRate),
      ShownMetric("max_hr_bpm", "Max HR", "bpm", 1, series.maxHeartRate),
    ]
  }

  private static func frequency(_ segments: NNSegments) -> [ShownMetric] {
    let bands = SpectralBands(lombScargle: segments)
    let respiration = RespirationRate(segments)
    return [
      ShownMetric("vlf_ms2", "VLF", "ms^2", 1, bands.vlf),
      ShownMetric("lf_ms2", "LF", "ms^2", 1, bands.lf),
      ShownMetric("hf_ms2", "HF", "ms^2", 1, bands.hf),
      ShownMetric("total_power_ms2", "Total power", "ms^2", 1, bands.total),
      ShownMetric("lf_hf", "LF/HF", "", 3, bands.lfHF),
      ShownMetric("lf_nu", "LF nu", "%", 1, bands.lfNormalised),
      ShownMetric("hf_nu", "HF nu", "%", 1, bands.hfNormalised),
      ShownMetric("respiration_brpm", "Respiration", "1/min", 1, respiration.rate),
      ShownMetric("respiration_reliability", "  reliability", "", 2, respiration.reliability),
    ]
  }

  private static func nonlinear(_ segments: NNSegments) -> [ShownMetric] {
    [
      ShownMetric("dfa_alpha1", "DFA alpha1", "", 3, FluctuationAnalysis().exponent(of: segments)),
      ShownMetric("sample_entropy", "SampEn", "", 3, SampleEntropy().entropy(of: segments)),
      ShownMetric("baevsky_si", "Baevsky SI", "%/s^2", 1, StressIndex(segments).value),
    ]
  }
}

/// Which metrics `analyze` computes.
enum MetricsSelection: String, CaseIterable, Sendable {
  case time
  case frequency
  case nonlinear
  case all

  var includesTime: Bool { self == .time || self == .all }
  var includesFrequency: Bool { self == .frequency || self == .all }
  var includesNonlinear: Bool { self == .nonlinear || self == .all }

  /// What is computed of so many beats where nothing was asked for: everything of what a person reads in one go, the
  /// time domain of whole days.
  static func usual(beats: Int) -> MetricsSelection { beats < 20_000 ? .all : .time }
}
