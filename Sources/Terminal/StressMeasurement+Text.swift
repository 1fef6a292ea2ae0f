import Localization
import Stress

extension StressMeasurement {
  /// `♣ 12 (9-16) Relaxed`; `12 (9-16) moving` if acceleration shows it, `12 (9-16) moving?` during exertion; nil
  /// without a stress value.
  func stressText(_ style: TerminalStyle, showsInterval: Bool = true) -> String? {
    score.map { score in
      let interval = showsInterval ? interval?.range : nil
      guard category != nil else {
        let word = isMoving ? style.localized("moving") : style.localized("moving?")
        return "\(Terminal.stressText(score.value, interval)) \(word)"
      }
      return style.stress(score.value, interval)
    }
  }
}
