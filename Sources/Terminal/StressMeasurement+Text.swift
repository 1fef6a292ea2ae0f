import Localization
import Stress

extension StressMeasurement {
  /// `♣ 12 (9-16) Relaxed`; `12 (9-16) moving` if acceleration shows it, `12 (9-16) moving?` during exertion,
  /// `12 (9-16) irregular rhythm`; nil without a stress value.
  func stressText(_ style: TerminalStyle, showsInterval: Bool = true) -> String? {
    score.map { score in
      let interval = showsInterval ? interval?.range : nil
      guard category != nil else {
        return "\(Terminal.stressText(score.value, interval)) \(wordWithoutCategory(style))"
      }
      return style.stress(score.value, interval)
    }
  }

  private func wordWithoutCategory(_ style: TerminalStyle) -> String {
    if isMoving { return style.localized("moving") }
    return confidence.indicatesExertion ? style.localized("moving?") : style.localized("irregular rhythm")
  }
}
