package import HRV
import LiveSession
package import Localization
package import Stress

/// The metrics of all outputs. The keys that lines of a session contain are those of ``LineKey``.
///
/// Tests compare the catalogue with the tables of the documentation of metrics and of JSON.
package enum MetricCatalogue {
  /// Metrics of a series of beats, in the order of tables and JSON.
  package static let series = timeDomain + extremes + frequencyDomain + nonlinear + longTerm

  package static let timeDomain: [MetricDefinition] = [
    .meanNN, .meanHeartRate, .sdnn, .rmssd, .lnRMSSD, .sdsd, .pNN50, .pNN20, .sd1, .sd2,
  ]
  package static let extremes: [MetricDefinition] = [.minHeartRate, .maxHeartRate]
  package static let frequencyDomain: [MetricDefinition] = [
    .vlf, .lf, .hf, .totalPower, .lfHF, .lfNormalised, .hfNormalised, .respiration, .respirationReliability,
  ]
  package static let nonlinear: [MetricDefinition] = [
    .dfaAlpha1, .dfaAlpha2, .sampleEntropy, .approximateEntropy, .baevskyIndex, .parasympatheticIndex,
    .sympatheticIndex,
  ]
  package static let longTerm: [MetricDefinition] = [
    .triangularIndex, .tinn, .sdann, .sdnnIndex, .ulf,
  ]

  /// Metrics of measurements, baselines, exercises and morning readings.
  package static let derived: [MetricDefinition] = [
    .heartRate, .hrv, .unpacedHRV, .unpacedRMSSD, .unpacedSDNN, .stress, .stressLow, .stressHigh,
    .hrvFall, .hrvRise, .confidence, .coverage, .artefacts,
    .baselineRMSSD, .baselineSDNN, .baselineHRV, .restingHeartRate, .coherence, .sinusArrhythmia, .rmssdRatio,
    .detectableRatio, .resonance, .normalLow, .normalHigh, .variation, .heartRateRise, .lowestHeartRate,
  ]

  package static let all = series + derived

  /// The names of the metrics of a series by group, as in the help and the man page.
  package static var groups: String {
    [
      ("time", timeDomain + extremes), ("frequency", frequencyDomain), ("nonlinear", nonlinear),
      ("long-term", longTerm),
    ].map { group, metrics in
      "\(group): " + metrics.filter { !$0.isQualifier }.map(\.name).joined(separator: ", ")
    }.joined(separator: "; ")
  }
}

// MARK: - Time domain

extension MetricDefinition {
  package static let meanNN = MetricDefinition(
    LineKey.meanNN, "Mean NN", unit: "ms", decimals: 2, "mean of NN", source: "Task Force 1996")
  package static let meanHeartRate = MetricDefinition(
    LineKey.meanHeartRate, "Mean HR", unit: "bpm", decimals: 2, "60,000 / mean NN")
  package static let sdnn = MetricDefinition(
    LineKey.sdnn, "SDNN", unit: "ms", decimals: 2, "standard deviation of NN, over n - 1",
    source: "Task Force 1996")
  package static let rmssd = MetricDefinition(
    LineKey.rmssd, "RMSSD", unit: "ms", decimals: 2, "root mean square of successive differences",
    source: "Task Force 1996")
  package static let lnRMSSD = MetricDefinition(
    LineKey.lnRMSSD, "ln RMSSD", decimals: 3, "natural logarithm of RMSSD in ms")
  package static let sdsd = MetricDefinition(
    LineKey.sdsd, "SDSD", unit: "ms", decimals: 2, "standard deviation of successive differences, over n - 1")
  package static let pNN50 = MetricDefinition(
    LineKey.pNN50, "pNN50", unit: "%", decimals: 2, "differences above 50 ms, of all differences")
  package static let pNN20 = MetricDefinition(
    LineKey.pNN20, "pNN20", unit: "%", decimals: 2, "differences above 20 ms, of all differences")
  package static let sd1 = MetricDefinition(
    LineKey.sd1, "SD1", unit: "ms", decimals: 2, "SDSD / sqrt 2", source: "Brennan et al. 2001")
  package static let sd2 = MetricDefinition(
    LineKey.sd2, "SD2", unit: "ms", decimals: 2, "sqrt(2 SDNN^2 - SDSD^2 / 2)", source: "Brennan et al. 2001")
  package static let minHeartRate = MetricDefinition(
    "min_hr_bpm", "Min HR (beat)", unit: "bpm", decimals: 1, "60,000 / longest NN")
  package static let maxHeartRate = MetricDefinition(
    "max_hr_bpm", "Max HR (beat)", unit: "bpm", decimals: 1, "60,000 / shortest NN")
}

// MARK: - Frequency domain

extension MetricDefinition {
  package static let vlf = MetricDefinition(
    "vlf_ms2", "VLF", unit: "ms^2", decimals: 1, "power from 0.0033 Hz to 0.04 Hz", source: "Task Force 1996")
  package static let lf = MetricDefinition(
    "lf_ms2", "LF", unit: "ms^2", decimals: 1, "power from 0.04 Hz to 0.15 Hz", source: "Task Force 1996")
  package static let hf = MetricDefinition(
    "hf_ms2", "HF", unit: "ms^2", decimals: 1, "power from 0.15 Hz to 0.4 Hz", source: "Task Force 1996")
  package static let totalPower = MetricDefinition(
    "total_power_ms2", "Total power", unit: "ms^2", decimals: 1, "VLF + LF + HF, from 18 h on with ULF",
    source: "Task Force 1996")
  package static let lfHF = MetricDefinition("lf_hf", "LF/HF", decimals: 3, "LF / HF")
  package static let lfNormalised = MetricDefinition(
    "lf_nu", "LF nu", unit: "%", decimals: 1, "100 LF / (LF + HF)")
  package static let hfNormalised = MetricDefinition(
    "hf_nu", "HF nu", unit: "%", decimals: 1, "100 HF / (LF + HF)")
  package static let respiration = MetricDefinition(
    LineKey.respiration, "Respiration", unit: "1/min", decimals: 1,
    "frequency of the highest density from 0.15 to 0.4 Hz", source: "Hirsch & Bishop 1981")
  package static let respirationReliability = MetricDefinition(
    "respiration_reliability", "reliability", decimals: 2, "fraction of the band's power near its peak",
    isQualifier: true)
}

// MARK: - Nonlinear

extension MetricDefinition {
  package static let dfaAlpha1 = MetricDefinition(
    "dfa_alpha1", "DFA alpha1", decimals: 3, "slope of log F(n) over log n, n = 4 to 16 beats",
    source: "Peng et al. 1995")
  package static let sampleEntropy = MetricDefinition(
    "sample_entropy", "SampEn", decimals: 3, "-ln(A / B), m = 2, r = 0.2 SD", source: "Richman & Moorman 2000"
  )
  package static let dfaAlpha2 = MetricDefinition(
    "dfa_alpha2", "DFA alpha2", decimals: 3, "slope of log F(n) over log n, n = 17 to 64 beats",
    source: "Peng et al. 1995")
  package static let approximateEntropy = MetricDefinition(
    "approximate_entropy", "ApEn", decimals: 3, "phi(2) - phi(3), r = 0.2 SD", source: "Pincus 1991")
  package static let baevskyIndex = MetricDefinition(
    "baevsky_si", "Baevsky SI", unit: "%/s^2", decimals: 1, "AMo / (2 Mo MxDMn)",
    source: "Baevsky & Berseneva 2008")
  package static let parasympatheticIndex = MetricDefinition(
    "pns_index", "PNS index", decimals: 2, "mean z-score of mean NN, RMSSD and normalised SD1",
    source: "Nunan et al. 2010")
  package static let sympatheticIndex = MetricDefinition(
    "sns_index", "SNS index", decimals: 2, "mean z-score of mean HR, root of Baevsky SI and normalised SD2",
    source: "Nunan et al. 2010")
}

// MARK: - Long recordings

extension MetricDefinition {
  package static let triangularIndex = MetricDefinition(
    "triangular_index", "Triangular index", decimals: 2,
    "number of NN over the number in the fullest bin of 1/128 s", source: "Task Force 1996")
  package static let tinn = MetricDefinition(
    "tinn_ms", "TINN", unit: "ms", decimals: 1,
    "base of the triangle that approximates the histogram of bins of 1/128 s", source: "Task Force 1996")
  package static let sdann = MetricDefinition(
    "sdann_ms", "SDANN", unit: "ms", decimals: 2, "standard deviation of the mean NN of periods of 5 min",
    source: "Task Force 1996")
  package static let sdnnIndex = MetricDefinition(
    "sdnn_index_ms", "SDNN index", unit: "ms", decimals: 2, "mean of the SDNN of periods of 5 min",
    source: "Task Force 1996")
}

extension MetricDefinition {
  package static let ulf = MetricDefinition(
    "ulf_ms2", "ULF", unit: "ms^2", decimals: 1, "power below 0.0033 Hz of at least 18 h",
    source: "Task Force 1996")
}

// MARK: - Measurements, baselines and exercises

extension MetricDefinition {
  package static let heartRate = MetricDefinition(
    LineKey.heartRate, "HR", unit: "bpm", decimals: 0, "heart rate")
  package static let hrv = MetricDefinition(
    "hrv_ms", "HRV", unit: "ms", decimals: 1, "RMSSD or SDNN, as configured")
  package static let unpacedHRV = MetricDefinition(
    "unpaced_hrv_ms", "HRV", unit: "ms", decimals: 1, "HRV without windows that contain paced breathing")
  package static let unpacedRMSSD = MetricDefinition(
    "unpaced_rmssd_ms", "RMSSD", unit: "ms", decimals: 1, "RMSSD without windows that contain paced breathing"
  )
  package static let unpacedSDNN = MetricDefinition(
    "unpaced_sdnn_ms", "SDNN", unit: "ms", decimals: 1, "SDNN without windows that contain paced breathing")
  package static let stress = MetricDefinition(
    LineKey.stress, "Stress", decimals: 0, "stress value, 0 to 100")
  package static let stressLow = MetricDefinition(
    LineKey.stressLow, "Stress low", decimals: 0, "lower bound of the 90 % interval of the stress value")
  package static let stressHigh = MetricDefinition(
    LineKey.stressHigh, "Stress high", decimals: 0, "upper bound of the 90 % interval of the stress value")
  package static let stressRangeLow = MetricDefinition(
    LineKey.stressRangeLow, "Stress range low", decimals: 0,
    "lower bound of the 90 % range of the next minute in the same state")
  package static let stressRangeHigh = MetricDefinition(
    LineKey.stressRangeHigh, "Stress range high", decimals: 0,
    "upper bound of the 90 % range of the next minute in the same state")
  package static let hrvFall = MetricDefinition(
    "hrv_fall_percent", "HRV lower by", unit: "%", decimals: 1,
    "how far the HRV of the undisturbed beats can be below the measured one")
  package static let hrvRise = MetricDefinition(
    "hrv_rise_percent", "HRV higher by", unit: "%", decimals: 1,
    "how far the HRV of the undisturbed beats can be above the measured one")
  package static let confidence = MetricDefinition(
    LineKey.confidence, "Confidence", decimals: 2, "product of the factors of confidence, 0 to 1")
  package static let coverage = MetricDefinition(
    LineKey.coverage, "Coverage", decimals: 2, "RR received over time passed")
  package static let artefacts = MetricDefinition(
    LineKey.artefacts, "Artefacts", unit: "%", decimals: 1, "percentage of beats that are not normal")
  package static let baselineRMSSD = MetricDefinition(
    LineKey.baselineRMSSD, "RMSSD", unit: "ms", decimals: 1, "RMSSD of the baseline")
  package static let baselineSDNN = MetricDefinition(
    LineKey.baselineSDNN, "SDNN", unit: "ms", decimals: 1, "SDNN of the baseline")
  package static let baselineHRV = MetricDefinition(
    "baseline_hrv_ms", "HRV", unit: "ms", decimals: 1, "RMSSD or SDNN of the baseline")
  package static let restingHeartRate = MetricDefinition(
    LineKey.restingHeartRate, "Resting HR", unit: "bpm", decimals: 1, "heart rate of the baseline")
  package static let coherence = MetricDefinition(
    "coherence", "Coherence", decimals: 2, "fraction of the variation at the pacing frequency, 0 to 1")
  package static let sinusArrhythmia = MetricDefinition(
    "rsa_ms", "RSA", unit: "ms", decimals: 0, "amplitude of the intervals at the pacing frequency")
  package static let rmssdRatio = MetricDefinition(
    "rmssd_ratio", "RMSSD ratio", decimals: 2, "RMSSD after over RMSSD before")
  package static let detectableRatio = MetricDefinition(
    "smallest_detectable_ratio", "Smallest detectable ratio", decimals: 2,
    "smallest ratio that counts as a change")
  package static let resonance = MetricDefinition(
    "resonance_brpm", "Resonance", unit: "1/min", decimals: 2,
    "breathing rate with the largest heart rate oscillation")
}

// MARK: - Morning readings

extension MetricDefinition {
  package static let normalLow = MetricDefinition(
    "normal_low_ms", "Normal low", unit: "ms", decimals: 0, "lower bound of the normal range of RMSSD")
  package static let normalHigh = MetricDefinition(
    "normal_high_ms", "Normal high", unit: "ms", decimals: 0, "upper bound of the normal range of RMSSD")
  package static let variation = MetricDefinition(
    "cv_percent", "CV", unit: "%", decimals: 1, "coefficient of variation of ln RMSSD over seven days",
    source: "Plews et al. 2012")
  package static let heartRateRise = MetricDefinition(
    "heart_rate_rise_bpm", "Rise of HR", unit: "bpm", decimals: 0, "heart rate standing minus lying")
  package static let lowestHeartRate = MetricDefinition(
    "lowest_hr_bpm", "Lowest HR", unit: "bpm", decimals: 0,
    "lowest mean heart rate of five minutes of a night")
}

extension HRVMetric {
  /// The metric in the catalogue.
  package var definition: MetricDefinition {
    switch self {
    case .rmssd: .rmssd
    case .sdnn: .sdnn
    }
  }
}

/// The groups of metrics that an analysis computes.
package enum MetricsSelection: String, CaseIterable, Sendable {
  case time
  case frequency
  case nonlinear
  case longTerm = "long-term"
  case all

  package var includesTime: Bool { self == .time || self == .all }
  package var includesFrequency: Bool { self == .frequency || self == .all }
  package var includesNonlinear: Bool { self == .nonlinear || self == .all }
  package var includesLongTerm: Bool { self == .longTerm || self == .all }

  /// The default for a number of beats: all metrics below 20,000 beats, else the time domain.
  package static func usual(beats: Int) -> MetricsSelection { beats < 20_000 ? .all : .time }
}

extension Absence {
  /// Why a metric has no value, as `description` states it in English.
  package var phrase: Phrase {
    switch self {
    case .tooFewBeats(let found, let needed): Phrase("\(found) normal beats, \(needed) needed")
    case .tooManyBeats(let found, let limit): Phrase("\(found) normal beats, at most \(limit) possible")
    case .tooShort(let found, let needed):
      Phrase("longest stretch without a gap \(Self.tenths(found)) s, \(Self.tenths(needed)) s needed")
    case .tooSparse(let found, let needed):
      Phrase("normal beats cover \(Self.tenths(100 * found)) %, \(Self.tenths(100 * needed)) % needed")
    case .tooFewPeriods(let found, let needed): Phrase("\(found) periods of 5 min, \(needed) needed")
    case .unchanging: Phrase("all intervals are equal")
    case .undefined: Phrase("not defined for these intervals")
    case .noMatches: Phrase("no two patterns match")
    case .noPeak: Phrase("no peak in the respiratory band")
    case .weakPeak(let found, let needed):
      Phrase(
        "the peak holds \(Self.tenths(100 * found)) % of its band, \(Self.tenths(100 * needed)) % needed")
    case .harmonic(let rate):
      Phrase("the peak may be a harmonic of breathing at \(Self.tenths(rate)) a minute")
    }
  }
}
