import HRV
import HeartRate
import Stress

/// How far the windows of some part of a session can be trusted: what is usual among them.
struct WindowTrust {
  /// The windows' own values.
  struct Samples {
    fileprivate var confidences: [Confidence] = []
    fileprivate var coverages: [Double] = []

    /// Measures the session as it was measured, but in windows that fit into the part, and keeps those that lie in it:
    /// of a part of several minutes the windows that are full.
    mutating func add(_ part: SessionPart, from start: SessionTime, through end: SessionTime) {
      var settings = part.settings
      settings.classification = .provisional
      let longest = Duration(ticks: end.ticks - start.ticks)
      settings.window = min(settings.window, max(longest, StressEngine.Settings.windows.lowerBound))
      var engine = StressEngine(settings: settings, baseline: part.baseline)
      var last: StressMeasurement?
      let before = confidences.count
      for event in part.events {
        engine.update(event) { measurement in
          guard measurement.time > start, measurement.time <= end else { return }
          last = measurement
          if measurement.time.ticks - start.ticks >= settings.window.ticks { add(measurement) }
        }
      }
      if confidences.count == before, let last { add(last) }
    }

    private mutating func add(_ measurement: StressMeasurement) {
      confidences.append(measurement.confidence)
      if let coverage = measurement.coverage { coverages.append(coverage) }
    }
  }

  /// Median confidence of the windows, 0 to 1.
  let confidence: Double?
  /// Median of each factor.
  let factors: [(factor: Confidence.Factor, value: Double)]
  /// Median coverage; absent without arrival times.
  let coverage: Double?
  /// The confidence without what says nothing about the data: a low HRV, a young baseline, a window that fills.
  let value: Double

  init(_ samples: Samples) {
    confidence = Self.median(samples.confidences.map(\.value))
    coverage = Self.median(samples.coverages)
    factors = Confidence.Factor.allCases.compactMap { factor in
      Self.median(samples.confidences.compactMap { $0[factor] }).map { (factor, $0) }
    }
    let ofData = samples.confidences.map { confidence in
      var confidence = confidence
      for factor in Self.besidesData { confidence[factor] = nil }
      return confidence.value
    }
    value = Self.median(ofData) ?? 0
  }

  private static let besidesData: [Confidence.Factor] = [.lowHRV, .baseline, .windowFill]

  /// Why the confidence is below 1, the weightiest reasons first.
  var reasons: [String] { Self.reasons(factors) }

  /// Why ``value`` is.
  var reasonsOfData: [String] { Self.reasons(factors.filter { !Self.besidesData.contains($0.factor) }) }

  private static func reasons(_ factors: [(factor: Confidence.Factor, value: Double)]) -> [String] {
    factors.filter { $0.value < 0.995 }.sorted { $0.value < $1.value }.map(\.factor.reason)
  }

  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}
