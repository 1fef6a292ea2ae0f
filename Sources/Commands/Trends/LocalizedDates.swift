import Reports
import Terminal

extension TerminalStyle {
  /// A date or the label of a chart with its weekday or month in ``language``: `Mon 2026-11-16`, `Nov`.
  func date(_ text: String) -> String { localized(.date(text)) }
}
