import Glibc
import Localization
import NetworkCommands
import Reports
import Stress
import Terminal

/// The range of a stress value, and its interval with the components.
struct ExplainedIntervalText {
  let interval: ExplainedInterval
  let score: StressScore

  var lines: [String] {
    let window = interval.ofWindow
    return interval.sentences.map { localized($0) } + [
      "  "
        + (interval.isAssumed
          ? localized(
            "HRV can be wrong by these factors, which are multiplied (an undisturbed window is assumed):")
          : localized("HRV can be wrong by these factors, which are multiplied:"))
    ] + table.map { "  " + $0 } + [
      "  "
        + localized(
          "stress at HRV \(hrv(1 / total(\.fall))) ms = \(window.high.fixed(1)), at HRV \(hrv(total(\.rise))) ms = \(window.low.fixed(1))"
        )
    ]
  }

  private var table: [String] {
    var table = TextTable([
      ("", .left), (localized("value"), .right), (localized("HRV lower by"), .right),
      (localized("higher by"), .right),
    ])
    for part in interval.components {
      let subject = part.quantity?.subject ?? Phrase("every window")
      table.append([
        localized(subject),
        part.quantity.map { localized(number: interval.quality[$0], 3) } ?? "",
        percent(part.fallPercent), percent(part.risePercent),
      ])
    }
    table.append([
      localized("all"), "", percent(100 - 100 / total(\.fall)), percent(100 * total(\.rise) - 100),
    ])
    return table.lines()
  }

  /// The product of the factors of one side.
  private func total(_ side: KeyPath<StressInterval.Component, Double>) -> Double {
    exp(interval.components.reduce(0) { $0 + $1[keyPath: side] })
  }

  private func hrv(_ factor: Double) -> String { (score.inputs.hrv * factor).fixed(1) }

  private func percent(_ value: Double) -> String { "\(localized(number: value, 1)) %" }

}

extension WindowQuality.Quantity {
  /// What the quantity measures.
  fileprivate var subject: Phrase {
    switch self {
    case .abnormalBeats: Phrase("abnormal beats")
    case .lostData: Phrase("lost data")
    case .contactLost: Phrase("lost contact")
    case .duplicates: Phrase("duplicates")
    case .tail: Phrase("tail")
    case .noise: Phrase("noise")
    }
  }
}
