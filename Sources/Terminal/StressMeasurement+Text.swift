import LiveSession
import Localization
import Stress

extension StressMeasurement {
  /// `♣ 12 (9-16) Relaxed`; `12 (9-16) moving` if acceleration shows it, `12 (9-16) moving?` during exertion, `12 (9-16)
  /// irregular rhythm`. Requires a stress value.
  func stressText(_ style: TerminalStyle, showsInterval: Bool = true) -> String? {
    score.map { score in
      let interval = showsInterval ? interval?.range : nil
      guard let suspension else { return style.stress(score.value, interval) }
      return "\(Terminal.stressText(score.value, interval)) \(style.localized(suspension.word))"
    }
  }
}
