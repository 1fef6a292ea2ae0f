import HeartRate
import Localization

/// A guided morning reading as a block of lines: instruction, countdown, heart rate, RR intervals as a curve and quality. A
/// pure function of view and size.
package struct MorningScreen: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) { self.style = style }

  private static let chartRows = 2...10

  /// The block for a terminal of `width` columns and `height` rows: fewer lines than `height`, none wider than `width`. The
  /// curve is omitted first.
  package func lines(_ view: MorningView, width: Int, height: Int) -> [String] {
    let above = [heading(view), view.numbers(style)]
    let notice = LiveText(state: view.live, style: style).linkNotice.map { style.bold($0.printable) }
    let below = [view.quality(style), LiveText(state: view.live, style: style).tally]
    let footer = style.dim(
      style.localized("q ends the reading; an incomplete reading is not added to the series"))
    let text = above + below + [notice, footer].compactMap(\.self)
    // The title of the curve, and its row for beats that are not normal.
    let rows = height - 1 - text.count - 2
    let chart =
      rows < Self.chartRows.lowerBound ? [] : curve(view, min(rows, Self.chartRows.upperBound), width)
    let lines = above + chart + text.dropFirst(above.count)
    return lines.prefix(max(1, height - 1)).map { $0.clipped(to: width, unicode: style.unicode) }
  }

  private func heading(_ view: MorningView) -> String {
    let parts = [style.localized(view.instruction), view.countdown(style)].compactMap(\.self)
    return style.bold(parts.joined(separator: "  "))
  }

  private func curve(_ view: MorningView, _ rows: Int, _ width: Int) -> [String] {
    let chart = RRChart(view.live.recentBeats, rows: rows, width: width, unicode: style.unicode).lines
    return chart.isEmpty ? [] : [style.dim(style.localized("RR in ms, latest beats"))] + chart
  }
}

/// A guided morning reading as lines of text, one per instruction.
package struct MorningLines: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) { self.style = style }

  /// `0:02  Lie still and breathe normally.  1:00 left`
  package func line(_ view: MorningView) -> String {
    let parts = [
      clockText(seconds: view.live.now.seconds), style.localized(view.instruction), view.countdown(style),
    ]
    return parts.compactMap(\.self).joined(separator: "  ")
  }
}
