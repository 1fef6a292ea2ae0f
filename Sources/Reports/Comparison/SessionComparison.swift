package import HRV
package import Localization

/// The comparison of two sides: each metric, and whether RMSSD changed.
package struct SessionComparison {
  /// A metric of both sides.
  package struct Row {
    package let a: MetricValue
    package let b: MetricValue
    /// B minus A, if both are known.
    package let difference: Double?
    /// 95 % interval of the difference.
    package let interval: ClosedRange<Double>?
    /// Why there is no interval. Present exactly if the interval is not.
    package let reason: Phrase?
  }

  package let a: ComparedSide
  package let b: ComparedSide
  package let selection: MetricsSelection
  package let variability: RestVariability
  package let metrics: (a: SeriesMetrics, b: SeriesMetrics)
  package let rows: [Row]
  package let change: Result<RMSSDChange, RMSSDChange.Reason>

  package init(
    _ a: ComparedSide, _ b: ComparedSide, selection: MetricsSelection?, variability: RestVariability
  ) {
    (self.a, self.b, self.variability) = (a, b, variability)
    let chosen = selection ?? .usual(beats: max(a.data.beats.count, b.data.beats.count))
    self.selection = chosen
    metrics = (a.data.metrics(chosen), b.data.metrics(chosen))
    let change = Result { () throws(RMSSDChange.Reason) in
      try RMSSDChange(from: a.change, to: b.change, variability: variability, extent: a.extent(with: b))
    }
    self.change = change
    let (short, long) = (MetricWindows(a, b, .seconds(60), .time), MetricWindows(a, b, .seconds(300), chosen))
    rows = zip(metrics.a.metrics, metrics.b.metrics).map { a, b in
      Row(a, b, change, MetricCatalogue.timeDomain.contains(a.metric) ? short : long)
    }
  }
}

extension SessionComparison.Row {
  fileprivate init(
    _ a: MetricValue, _ b: MetricValue, _ change: Result<RMSSDChange, RMSSDChange.Reason>,
    _ windows: MetricWindows
  ) {
    (self.a, self.b) = (a, b)
    guard let before = a.value, let after = b.value else {
      (difference, interval, reason) = (
        nil, nil, a.value == nil ? Phrase("absent in A") : Phrase("absent in B")
      )
      return
    }
    let difference = after - before
    self.difference = difference
    switch a.metric {
    case .lnRMSSD, .rmssd:
      let change = try? change.get()
      interval = change.map { Self.interval(of: a.metric, $0, before) }
      reason = change == nil ? Phrase("see below") : nil
    case .minHeartRate, .maxHeartRate, .respirationReliability:
      (interval, reason) = (nil, Phrase("no mean that windows could vary around"))
    default:
      switch windows.difference(a.metric, before, after).halfWidth {
      case .success(let half): (interval, reason) = (difference - half...difference + half, nil)
      case .failure(let absence):
        (interval, reason) = (nil, Phrase("\(windows.seconds) s: \(absence.phrase)"))
      }
    }
  }

  /// The interval of RMSSD or ln RMSSD, from the one test of whether RMSSD changed.
  private static func interval(
    of metric: MetricDefinition, _ change: RMSSDChange, _ before: Double
  ) -> ClosedRange<Double> {
    let ratio = change.ratio
    return metric == .lnRMSSD
      ? change.low...change.high : before * (ratio.low - 1)...before * (ratio.high - 1)
  }
}

extension MetricDifference.Reason {
  /// Why there is no interval, as `description` states it in English.
  fileprivate var phrase: Phrase {
    switch self {
    case .tooFewWindows(let found, let needed): Phrase("\(found) windows with a value, \(needed) needed")
    }
  }
}

/// The metrics of both sides in windows of one length.
private struct MetricWindows {
  let seconds: Int64
  private let a: [MetricDefinition: [Double]]
  private let b: [MetricDefinition: [Double]]

  init(_ a: ComparedSide, _ b: ComparedSide, _ length: Duration, _ selection: MetricsSelection) {
    seconds = length.components.seconds
    self.a = Self.values(a.data.windows(length, selection))
    self.b = Self.values(b.data.windows(length, selection))
  }

  func difference(_ metric: MetricDefinition, _ before: Double, _ after: Double) -> MetricDifference {
    MetricDifference(from: (before, a[metric] ?? []), to: (after, b[metric] ?? []))
  }

  private static func values(_ windows: [SeriesMetrics]) -> [MetricDefinition: [Double]] {
    var values: [MetricDefinition: [Double]] = [:]
    for metric in windows.flatMap(\.metrics) {
      if let value = metric.value { values[metric.metric, default: []].append(value) }
    }
    return values
  }
}
