import Glibc
import Localization
import Reports
import Stress
import Terminal

/// The range of a stress value, and its interval with the components.
struct ExplainedIntervalText {
  let interval: ExplainedInterval
  let score: StressScore

  var lines: [String] {
    let (window, range) = (interval.ofWindow, interval.range)
    let (low, high) = (range.lowerBound.fixed(1), range.upperBound.fixed(1))
    return [
      "Range \(low) to \(high): contains the value of the next minute in the same state in 9 of 10 cases.",
      "Interval \(window.low.fixed(1)) to \(window.high.fixed(1)): contains the value of the undisturbed beats of this window in 9 of 10 cases.",
      "  HRV can be wrong by these factors, which are multiplied\(assumption):",
    ] + table.map { "  " + $0 } + [
      "  stress at HRV \(hrv(1 / total(\.fall))) ms = \(window.high.fixed(1)),"
        + " at HRV \(hrv(total(\.rise))) ms = \(window.low.fixed(1))"
    ]
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
