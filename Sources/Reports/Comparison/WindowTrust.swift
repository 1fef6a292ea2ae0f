import HRV
import HeartRate
package import Stress

/// Data quality of the windows in a part of a session: the median of each figure over the windows.
package struct WindowTrust {
  /// The quality figures of all windows.
  struct Samples {
    fileprivate var confidences: [Confidence] = []
    fileprivate var coverages: [Double] = []
    fileprivate var stillness: [Double] = []
    fileprivate var qualities: [WindowQuality] = []
    fileprivate var failures: [[DataGates.Gate]] = []

    /// Measures the session with its own settings, and adds the measurements in the part: those with a full window, or the
    /// last one if no window is full. A window longer than the part is shortened to it.
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

    mutating func add(_ measurement: StressMeasurement) {
      if let motion = measurement.motion { stillness.append(motion.still) }
      if let coverage = measurement.coverage { coverages.append(coverage) }
      confidences.append(measurement.confidence)
      qualities.append(measurement.quality)
      failures.append(DataGates.comparison.failures(measurement))
    }
  }

  /// Median confidence of the windows, 0 to 1.
  package let confidence: Double?
  /// Median of each factor.
  package let factors: [(factor: Confidence.Factor, value: Double)]
  /// Median coverage, if there are arrival times.
  package let coverage: Double?
  /// Mean fraction of still seconds, if there is acceleration.
  package let still: Double?
  /// Median of each quantity of the quality of the windows.
  package let quality: WindowQuality?
  /// Fraction of the windows with usable data (``DataGates/comparison``), 0 to 1; 0 without windows. It does not depend on the
  /// baseline.
  package let value: Double
  /// The requirements that windows do not satisfy, the most frequent first.
  private let failures: [DataGates.Gate]

  init(_ samples: Samples) {
    confidence = Self.median(samples.confidences.map(\.value))
    coverage = Self.median(samples.coverages)
    let stillness = samples.stillness
    still = stillness.isEmpty ? nil : stillness.reduce(0, +) / Double(stillness.count)
    quality = Self.quality(samples.qualities)
    factors = Confidence.Factor.allCases.compactMap { factor in
      Self.median(samples.confidences.compactMap { $0[factor] }).map { (factor, $0) }
    }
    let all = samples.failures
    value = all.isEmpty ? 0 : Double(all.count(where: \.isEmpty)) / Double(all.count)
    failures = Self.byFrequency(all.flatMap(\.self))
  }

  /// The reasons for a confidence below 1, the lowest factor first.
  package var reasons: [String] { Self.reasons(factors) }

  /// The reasons for a ``value`` below 1, the most frequent first.
  package var reasonsOfData: [String] { failures.map(\.reason) }

  /// Each of `gates` once, the most frequent first; equally frequent ones in the order of their declaration.
  private static func byFrequency(_ gates: [DataGates.Gate]) -> [DataGates.Gate] {
    let counts = Dictionary(gates.map { ($0, 1) }, uniquingKeysWith: +)
    let found = DataGates.Gate.allCases.enumerated().compactMap { place, gate in
      counts[gate].map { (gate: gate, count: $0, place: place) }
    }
    return found.sorted { ($1.count, $0.place) < ($0.count, $1.place) }.map(\.gate)
  }

  private static func reasons(_ factors: [(factor: Confidence.Factor, value: Double)]) -> [String] {
    factors.filter { $0.value < 0.995 }.sorted { $0.value < $1.value }.map(\.factor.reason)
  }

  private static func quality(_ qualities: [WindowQuality]) -> WindowQuality? {
    guard !qualities.isEmpty else { return nil }
    return WindowQuality.Quantity.allCases.reduce(into: WindowQuality()) { quality, quantity in
      quality[quantity] = median(qualities.map { $0[quantity] }) ?? 0
    }
  }

  /// The upper median: the result is always one of the values.
  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}
