import Breathing
import HeartRate
import Localization

/// A guided exercise as lines of text, one per instruction: for pipes and terminals without cursor movement.
package struct BreathingLines: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) { self.style = style }

  /// `1:03  Breathe in for 4 s (cycle 1 of 4)  HR 62 bpm  RMSSD 48.1 ms`, as long as there is an instruction.
  package func line(_ view: BreathingView) -> String? {
    let title = style.localized(view.title)
    let text: String
    switch view.stage {
    case .waiting, .over: return nil
    case .before(_, let length), .after(_, let length):
      text = style.localized("\(title) for \(seconds(length)). \(style.localized(view.explanation))")
    case .paused: text = title
    case .breathing(let position):
      let time = seconds(position.pattern.seconds(of: position.phase))
      text =
        position.phase == .inhale
        ? style.localized("\(title) for \(time) (cycle \(position.cycle + 1) of \(position.cycles))")
        : style.localized("\(title) for \(time)")
    }
    let numbers = if case .breathing(let position) = view.stage { position.phase == .inhale } else { false }
    let heart = numbers ? view.numbers(style) : ""
    return "\(clockText(seconds: view.time.seconds))  \(text)" + (heart.isEmpty ? "" : "   \(heart)")
  }

  private func seconds(_ value: Double) -> String {
    value == value.rounded() ? "\(value.fixed(0)) s" : "\(value.fixed(1)) s"
  }
}
