import HRV
import HeartRate

/// Two sides compared: each metric, and whether RMSSD changed.
struct SessionComparison {
  /// A metric of both sides.
  struct Row {
    let a: ShownMetric
    let b: ShownMetric
    /// B less A; absent where either is.
    let difference: Double?
    /// The bounds of its 95 % interval; absent where ``reason`` is not.
    let interval: ClosedRange<Double>?
    /// Why there is no interval.
    let reason: String?
  }

  let a: ComparedSide
  let b: ComparedSide
  let selection: MetricsSelection
  let variability: RestVariability
  let metrics: (a: SeriesMetrics, b: SeriesMetrics)
  let rows: [Row]
  let change: Result<RMSSDChange, RMSSDChange.Reason>

  init(_ a: ComparedSide, _ b: ComparedSide, selection: MetricsSelection?, variability: RestVariability) {
    (self.a, self.b, self.variability) = (a, b, variability)
    let chosen = selection ?? .usual(beats: max(a.data.beats.count, b.data.beats.count))
    self.selection = chosen
    metrics = (SeriesMetrics(a.data.beats, chosen), SeriesMetrics(b.data.beats, chosen))
    let change = Result { () throws(RMSSDChange.Reason) in
      try RMSSDChange(from: a.change, to: b.change, variability: variability)
    }
    self.change = change
    let (short, long) = (MetricWindows(a, b, .seconds(60), .time), MetricWindows(a, b, .seconds(300), chosen))
    rows = zip(metrics.a.metrics, metrics.b.metrics).map { a, b in
      Self.row(a, b, change, TimeDomainMetric.keys.contains(a.key) ? short : long)
    }
  }

  private static func row(
    _ a: ShownMetric, _ b: ShownMetric, _ change: Result<RMSSDChange, RMSSDChange.Reason>,
    _ windows: MetricWindows
  ) -> Row {
    guard let before = a.value, let after = b.value else {
      return Row(
        a: a, b: b, difference: nil, interval: nil, reason: "absent in \(a.value == nil ? "A" : "B")")
    }
    let difference = after - before
    switch a.key {
    case "ln_rmssd", "rmssd_ms":
      // One judgement of RMSSD, in both of its scales.
      guard let change = try? change.get() else {
        return Row(a: a, b: b, difference: difference, interval: nil, reason: "see below")
      }
      let ratio = change.ratio
      let interval =
        a.key == "ln_rmssd" ? change.low...change.high : before * (ratio.low - 1)...before * (ratio.high - 1)
      return Row(a: a, b: b, difference: difference, interval: interval, reason: nil)
    case "min_hr_bpm", "max_hr_bpm", "respiration_reliability":
      return Row(
        a: a, b: b, difference: difference, interval: nil, reason: "no mean that windows could vary around")
    default:
      switch windows.difference(a, b, before, after).halfWidth {
      case .success(let half):
        return Row(
          a: a, b: b, difference: difference, interval: difference - half...difference + half, reason: nil)
      case .failure(let reason):
        return Row(
          a: a, b: b, difference: difference, interval: nil, reason: "\(windows.seconds) s: \(reason)")
      }
    }
  }
}

/// The metrics of both sides in windows of one length.
private struct MetricWindows {
  let seconds: Int64
  /// By the key of the metric, the values that there are.
  private let a: [String: [Double]]
  private let b: [String: [Double]]

  init(_ a: ComparedSide, _ b: ComparedSide, _ length: Duration, _ selection: MetricsSelection) {
    seconds = length.components.seconds
    self.a = Self.values(a.data.windows(length, selection))
    self.b = Self.values(b.data.windows(length, selection))
  }

  func difference(_ a: ShownMetric, _ b: ShownMetric, _ before: Double, _ after: Double) -> MetricDifference {
    MetricDifference(from: (before, self.a[a.key] ?? []), to: (after, self.b[b.key] ?? []))
  }

  private static func values(_ windows: [SeriesMetrics]) -> [String: [Double]] {
    var values: [String: [Double]] = [:]
    for metric in windows.flatMap(\.metrics) {
      if let value = metric.value { values[metric.key, default: []].append(value) }
    }
    return values
  }
}
