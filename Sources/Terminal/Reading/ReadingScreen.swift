import HeartRate
package import Localization

/// A guided reading as a block of lines: instruction, countdown, heart rate, RR intervals as a curve and quality. A pure
/// function of view and size.
package struct ReadingScreen: Sendable {
  private let style: TerminalStyle
  private let ending: Phrase

  /// - Parameter ending: The keys that end the reading, and what is kept.
  package init(style: TerminalStyle, ending: Phrase) { (self.style, self.ending) = (style, ending) }

  private static let chartRows = 2...10
  private static let barCells = 20

  /// The block for a terminal of `width` columns and `height` rows: fewer lines than `height`, none wider than `width`. The
  /// curve is omitted first.
  package func lines(_ view: ReadingView, width: Int, height: Int) -> [String] {
    let above = [heading(view.stage, width), view.numbers(style)]
    let text = LiveText(state: view.live, style: style)
    let notice = text.linkNotice.map { style.bold($0.printable) }
    let quality = view.quality(style)
    let below = [quality, text.tally == quality ? nil : text.tally, notice].compactMap(\.self)
    let footer = style.dim(style.localized(ending))
    // The title of the curve, and its row for beats that are not normal.
    let rows = height - 1 - (above.count + below.count + 1) - 2
    let chart =
      rows < Self.chartRows.lowerBound ? [] : curve(view, min(rows, Self.chartRows.upperBound), width)
    let lines = above + chart + below + [footer]
    return lines.prefix(max(1, height - 1)).map { $0.clipped(to: width, unicode: style.unicode) }
  }

  /// `Sit still and breathe normally.  0:43 left  [██████··············]`
  private func heading(_ stage: ReadingStage, _ width: Int) -> String {
    let parts = [style.localized(stage.instruction), stage.countdown(style)].compactMap(\.self)
    let heading = style.bold(parts.joined(separator: "  "))
    guard let progress = stage.progress, heading.columns + Self.barCells + 4 <= width else { return heading }
    let filled = Int((progress * Double(Self.barCells)).rounded(.down))
    let (full, empty): (Character, Character) = style.unicode ? ("█", "·") : ("#", ".")
    let rest = String(repeating: empty, count: Self.barCells - filled)
    return "\(heading)  [\(String(repeating: full, count: filled))\(rest)]"
  }

  private func curve(_ view: ReadingView, _ rows: Int, _ width: Int) -> [String] {
    let chart = RRChart(view.live.recentBeats, rows: rows, width: width, unicode: style.unicode).lines
    return chart.isEmpty ? [] : [RRChart.title(style)] + chart
  }
}

/// A guided reading as lines of text, one per instruction.
package struct ReadingLines: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) { self.style = style }

  /// `0:02  Lie still and breathe normally.  1:00 left`
  package func line(_ view: ReadingView) -> String {
    let parts = [
      clockText(seconds: view.live.now.seconds), style.localized(view.stage.instruction),
      view.stage.countdown(style),
    ]
    return parts.compactMap(\.self).joined(separator: "  ")
  }
}
