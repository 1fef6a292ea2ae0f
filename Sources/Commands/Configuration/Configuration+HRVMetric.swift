import Stress

extension Configuration {
  /// The setting `hrv`; RMSSD if it is not set.
  var hrvMetric: HRVMetric { self[.hrv].flatMap(HRVMetric.init(rawValue:)) ?? .rmssd }
}
