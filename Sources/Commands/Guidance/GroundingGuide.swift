import Breathing
import HeartRate
import Localization
import Terminal

/// Guides the 5-4-3-2-1 exercise, on a screen or in lines.
struct GroundingGuide {
  let style: TerminalStyle
  let isOnScreen: Bool
  /// Whether keys are read: in the screen view, and for sentences on a terminal.
  let hasKeys: Bool
  let bell: Bool
  private let grounding = Grounding()
  private let output = StandardOutput()

  init(style: TerminalStyle, isOnScreen: Bool, hasKeys: Bool, bell: Bool) {
    (self.style, self.isOnScreen, self.hasKeys, self.bell) = (style, isOnScreen, hasKeys, bell)
  }

  /// Returns at the end of the exercise, or after `q`.
  func run() async throws {
    let keys: TerminalKeys? = hasKeys ? TerminalKeys() : nil
    defer { keys?.close() }
    if keys != nil, !isOnScreen { try output.line(style.localized("Space continues, q quits") + ".") }
    var block = DrawnBlock()
    var shown: Grounding.Sense?
    var skipped = Duration.zero
    let start = ContinuousClock.now
    while let position = grounding.position(at: start.duration(to: .now) + skipped) {
      let isNew = shown != position.sense
      shown = position.sense
      let view = GroundingView(sense: position.sense, thing: position.thing)
      let ring = bell && isNew && output.isTerminal ? "\u{7}" : ""
      if isOnScreen {
        try output.write(block.frame(lines(view), on: .current) + ring)
      } else if isNew {
        try output.line(style.localized(view.task) + ring)
      }
      for key in keys?.pressed() ?? [] {
        switch key {
        case "q", "Q", "\u{4}": return
        case " ", "\n", "\r": skipped += position.left
        default: break
        }
      }
      try await Task.sleep(for: .milliseconds(100))
    }
    try output.line(style.localized("Well done."))
  }

  private func lines(_ view: GroundingView) -> [String] {
    let width = TerminalSize.current.columns
    let text = [
      style.bold(style.localized(view.task)), view.dots(unicode: style.unicode), "",
      style.dim(style.localized("Space continues, q quits")),
    ]
    return text.map { $0.clipped(to: width, unicode: style.unicode) }
  }
}
