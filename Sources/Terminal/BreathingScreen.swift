import Breathing
import Localization

/// A guided exercise as a block of lines: a circle that grows during inhalation and shrinks during exhalation, the
/// instruction, a countdown, heart rate and HRV. A pure function of view and size.
package struct BreathingScreen: Sendable {
  private let style: TerminalStyle
  /// Omits the circle: only the countdown changes.
  private let isStill: Bool
  /// The last line: the keys and their actions.
  private let footer: String

  package init(style: TerminalStyle, isStill: Bool, footer: String) {
    (self.style, self.isStill, self.footer) = (style, isStill, footer)
  }

  /// The block for a terminal of `width` columns and `height` rows: fewer lines than `height`, none wider than `width`. The
  /// least important lines are omitted first.
  package func lines(_ view: BreathingView, width: Int, height: Int) -> [String] {
    let notice = [view.notice, LiveText(state: view.live, style: style).linkNotice].compactMap {
      $0?.printable
    }
    var below = [heading(view), style.localized(view.explanation), view.numbers(style)]
    below += notice.map(style.bold) + [style.dim(footer)]
    let room = height - 1 - below.count - 1
    let circle =
      isStill || room < 3 ? [] : BreathCircle(style: style, width: width, rows: room).lines(fullness(view))
    let text = below.prefix(max(1, height - 1)).map { centred($0, width) }
    return circle + (circle.isEmpty || room < 1 ? [] : [""]) + text
  }

  private func heading(_ view: BreathingView) -> String {
    let seconds = view.countdown.map { " \(Int($0.rounded(.up)))" } ?? ""
    return style.bold(style.localized(view.title) + seconds)
  }

  /// Fraction of full lungs, 0 to 1. Constant during rest.
  private func fullness(_ view: BreathingView) -> Double {
    switch view.stage {
    case .breathing(let position), .paused(let position): position.fullness
    case .waiting, .before, .after, .over: 0.3
    }
  }

  private func centred(_ line: String, _ width: Int) -> String {
    let clipped = line.clipped(to: width, unicode: style.unicode)
    return String(repeating: " ", count: max(0, (width - clipped.columns) / 2)) + clipped
  }
}

/// A disc whose radius shows how full the lungs are, inside a circle that marks full lungs.
struct BreathCircle {
  let style: TerminalStyle
  let width: Int
  /// The number of available rows.
  let rows: Int

  /// Radius for full lungs, in rows; a row is as high as two columns are wide.
  private var radius: Double { Double(max(1, min(8, (rows - 1) / 2, (width - 2) / 4))) }

  func lines(_ fullness: Double) -> [String] {
    let (full, least) = (radius, max(0.8, radius / 4))
    let reach = least + (full - least) * min(max(fullness, 0), 1)
    let margin = String(repeating: " ", count: max(0, (width - Int(4 * full) - 1) / 2))
    return stride(from: -full, through: full, by: 1).map { row in
      let cells = stride(from: -2 * full, through: 2 * full, by: 1).map { column in
        cell((row * row + column * column / 4).squareRoot(), reach, full)
      }
      var line = margin + cells.joined()
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  private func cell(_ distance: Double, _ reach: Double, _ full: Double) -> String {
    if distance <= reach { return style.unicode ? "█" : "o" }
    // The circle that marks full lungs.
    return abs(distance - full) < 0.25 ? (style.unicode ? "·" : ".") : " "
  }
}
