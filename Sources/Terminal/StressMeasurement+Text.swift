import LiveSession
import Localization
import Stress

extension StressMeasurement {
  /// `♣ 12 (9-16) Relaxed`; `12 (9-16) moving` if acceleration shows it, `12 (9-16) moving?` during exertion, `12 (9-16)
  /// irregular rhythm`. Requires a stress value.
  func stressText(_ style: TerminalStyle, showsRange: Bool = true) -> String? {
    score.map { score in
      let range = showsRange ? range?.bounds : nil
      guard let suspension else { return style.stress(score.value, range) }
      return "\(Terminal.stressText(score.value, range)) \(style.localized(suspension.word))"
    }
  }
}
