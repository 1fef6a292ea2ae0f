import LiveSession
import Localization
import Reports

/// The newest values of one metric of a live session, and their direction.
///
/// The mean of the last minute is compared with the four minutes before it. The direction is `up` or `down` if it is outside of
/// their mean ± standard deviation (over n - 1), and differs by at least a visible step.
struct LiveTrend: Equatable, Sendable {
  /// The metrics with a direction, by their keys in the lines of a session.
  enum Metric: String, CaseIterable, Sendable {
    case heartRate = "hr_bpm"
    case rmssd = "rmssd_ms"
    case sdnn = "sdnn_ms"
    case respiration = "respiration_brpm"
    case artefacts = "artefact_percent"

    /// Decimals of the page.
    var decimals: Int { self == .heartRate ? 0 : 1 }
    /// The least difference, in the unit of the metric.
    var step: Double { self == .respiration ? 0.5 : 1 }
  }

  /// Lengths of the compared parts in s.
  static let (latest, earlier) = (60.0, 240.0)
  /// The least number of values of both parts, and the least time from the first to the last earlier value in s.
  private static let (fewestLatest, fewestEarlier, shortestEarlier) = (3, 6, 60.0)

  private var values: [(time: Double, value: Double)] = []

  static func == (a: LiveTrend, b: LiveTrend) -> Bool {
    a.values.elementsEqual(b.values) { $0.time == $1.time && $0.value == $1.value }
  }

  /// - Parameter time: in seconds of the session.
  mutating func add(_ value: Double, at time: Double) {
    guard value.isFinite, time >= values.last?.time ?? -.infinity else { return }
    values.append((time, value))
  }

  /// nil with too few values.
  func direction(_ metric: Metric) -> StatusReport.Trend? { direction(step: metric.step) }

  /// - Parameter step: the least difference.
  func direction(step: Double) -> StatusReport.Trend? {
    guard let end = values.last?.time else { return nil }
    let recent = values.filter { $0.time > end - Self.latest }.map(\.value)
    let before = values.filter { $0.time <= end - Self.latest && $0.time > end - Self.latest - Self.earlier }
    guard recent.count >= Self.fewestLatest, before.count >= Self.fewestEarlier,
      let first = before.first, let last = before.last, last.time - first.time >= Self.shortestEarlier
    else { return nil }
    let mean = Self.mean(before.map(\.value))
    let squares = before.reduce(0) { $0 + ($1.value - mean) * ($1.value - mean) }
    let limit = max((squares / Double(before.count - 1)).squareRoot(), step)
    let change = Self.mean(recent) - mean
    return change > limit ? .up : change < -limit ? .down : .steady
  }

  /// The values of both parts as a path from 0 0 to 100 20, with the newest value at the right edge; nil with fewer than three values.
  var path: String? {
    guard let end = values.last?.time else { return nil }
    let span = Self.latest + Self.earlier
    let shown = values.filter { $0.time > end - span }
    guard shown.count >= 3, let low = shown.map(\.value).min(), let high = shown.map(\.value).max() else {
      return nil
    }
    // One value for each two units of the width, so that the path of a long session stays short.
    let stride = max(1, shown.count / 50)
    return shown.indices.filter { (shown.count - 1 - $0) % stride == 0 }.map { index -> String in
      let (time, value) = shown[index]
      let height = high > low ? 19 - (value - low) / (high - low) * 18 : 10
      return "\((100 - (end - time) / span * 100).fixed(1)) \(height.fixed(1))"
    }.joined(separator: "L")
  }

  private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
}
