import Breathing
import HeartRate

/// A guided exercise as lines of text, one for each thing to do: for pipes and terminals that cannot move their cursor.
public struct BreathingLines: Sendable {
  private let style: TerminalStyle

  public init(style: TerminalStyle) { self.style = style }

  /// `1:03  Breathe in for 4 s (cycle 1 of 4)  HR 62 bpm  RMSSD 48.1 ms`; nil where there is nothing to do.
  public func line(_ view: BreathingView) -> String? {
    let text: String
    switch view.stage {
    case .waiting, .over: return nil
    case .before(let left), .after(let left):
      text = "\(view.title) for \(left.fixed(0)) s. \(view.explanation)"
    case .paused: text = view.title
    case .breathing(let position):
      let cycle = position.phase == .inhale ? " (cycle \(position.cycle + 1) of \(position.cycles))" : ""
      text = "\(view.title) for \(seconds(position.pattern.seconds(of: position.phase)))\(cycle)"
    }
    let numbers = if case .breathing(let position) = view.stage { position.phase == .inhale } else { false }
    let heart = numbers ? view.numbers(style) : ""
    return "\(clockText(seconds: view.time.seconds))  \(text)" + (heart.isEmpty ? "" : "   \(heart)")
  }

  private func seconds(_ value: Double) -> String {
    value == value.rounded() ? "\(value.fixed(0)) s" : "\(value.fixed(1)) s"
  }
}
