import Localization
import Stress

extension StressMeasurement {
  /// `♣ 12 Relaxed`; `12 moving` if acceleration shows it, `12 moving?` during exertion; nil without a stress value.
  func stressText(_ style: TerminalStyle) -> String? {
    score.map { score in
      guard let category else {
        return "\(score.value.fixed(0)) \(isMoving ? style.localized("moving") : style.localized("moving?"))"
      }
      let icon = category.icon(unicode: style.unicode)
      return style.coloured("\(icon) \(score.value.fixed(0)) \(style.word(category))", category)
    }
  }
}
