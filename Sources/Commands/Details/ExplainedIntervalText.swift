import Glibc
import HRV
import Localization
import Reports
import Stress
import Terminal

/// The interval of a stress value, with its components and the wider interval of a comparison.
struct ExplainedIntervalText {
  let interval: ExplainedInterval
  let score: StressScore

  var lines: [String] {
    let (window, rest) = (interval.ofWindow, interval.ofRest)
    return [
      "Interval \(bounds(window)): contains the value of the undisturbed beats of this window in 9 of 10 cases.",
      "  HRV can be wrong by these factors, which are multiplied\(assumption):",
    ] + table.map { "  " + $0 } + [
      "  stress at HRV \(hrv(1 / total(\.fall))) ms = \(window.high.fixed(1)),"
        + " at HRV \(hrv(total(\.rise))) ms = \(window.low.fixed(1))",
      "Compared with another time \(bounds(rest)): also contains the variation between minutes of one rest",
      "  (standard deviation \(deviation) % of HRV, \(origin)).",
    ]
  }

  private func bounds(_ interval: StressInterval) -> String {
    "\(interval.low.fixed(1)) to \(interval.high.fixed(1))"
  }

  private var assumption: String { interval.isAssumed ? " (an undisturbed window is assumed)" : "" }

  private var table: [String] {
    var table = TextTable([("", .left), ("value", .right), ("HRV lower by", .right), ("higher by", .right)])
    for part in interval.components {
      table.append([
        part.quantity?.subject ?? "every window", part.quantity.map { interval.quality[$0].fixed(3) } ?? "",
        percent(part.fallPercent), percent(part.risePercent),
      ])
    }
    table.append(["all", "", percent(100 - 100 / total(\.fall)), percent(100 * total(\.rise) - 100)])
    return table.lines()
  }

  /// The product of the factors of one side.
  private func total(_ side: KeyPath<StressInterval.Component, Double>) -> Double {
    exp(interval.components.reduce(0) { $0 + $1[keyPath: side] })
  }

  private func hrv(_ factor: Double) -> String { (score.inputs.hrv * factor).fixed(1) }

  private func percent(_ value: Double) -> String { "\(value.fixed(1)) %" }

  private var deviation: String { (100 * (exp(interval.restSD) - 1)).fixed(0) }

  private var origin: String {
    let windows = interval.variability.windows
    return windows > 0 ? "from \(windows) of your minutes at rest" : "population default"
  }
}

extension WindowQuality.Quantity {
  /// What the quantity measures.
  fileprivate var subject: String {
    switch self {
    case .abnormalBeats: "abnormal beats"
    case .lostData: "lost data"
    case .contactLost: "lost contact"
    case .duplicates: "duplicates"
    case .tail: "tail"
    case .noise: "noise"
    }
  }
}
