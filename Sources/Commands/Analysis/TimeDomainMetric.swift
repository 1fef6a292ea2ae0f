import HRV

/// A metric of the time domain: its JSON key, its name, its unit, and how it follows from the sums.
struct TimeDomainMetric: Sendable {
  let key: String
  let name: String
  let unit: String
  let decimals: Int
  let value: @Sendable (NNSums) -> Double?

  /// In the order in which they are shown.
  static let all: [TimeDomainMetric] = [
    TimeDomainMetric(key: "mean_nn_ms", name: "Mean NN", unit: "ms", decimals: 2) { $0.meanNN },
    TimeDomainMetric(key: "mean_hr_bpm", name: "Mean HR", unit: "bpm", decimals: 2) { $0.meanHeartRate },
    TimeDomainMetric(key: "sdnn_ms", name: "SDNN", unit: "ms", decimals: 2) { $0.sdnn },
    TimeDomainMetric(key: "rmssd_ms", name: "RMSSD", unit: "ms", decimals: 2) { $0.rmssd },
    TimeDomainMetric(key: "ln_rmssd", name: "ln RMSSD", unit: "", decimals: 3) { $0.lnRMSSD },
    TimeDomainMetric(key: "sdsd_ms", name: "SDSD", unit: "ms", decimals: 2) { $0.sdsd },
    TimeDomainMetric(key: "pnn50_percent", name: "pNN50", unit: "%", decimals: 2) { $0.pNN50 },
    TimeDomainMetric(key: "pnn20_percent", name: "pNN20", unit: "%", decimals: 2) { $0.pNN20 },
    TimeDomainMetric(key: "sd1_ms", name: "SD1", unit: "ms", decimals: 2) { $0.sd1 },
    TimeDomainMetric(key: "sd2_ms", name: "SD2", unit: "ms", decimals: 2) { $0.sd2 },
  ]

  static let keys = Set(all.map(\.key))
}
