import Glibc
import Localization
import Reports
import Stress
import Terminal

extension MorningTriggers {
  /// The associations as sentences; empty without morning readings.
  func text(style: TerminalStyle) -> String {
    guard effects.occasions > 0 else { return "" }
    let count = effects.occasions
    let heading =
      source == .nights
      ? style.localized(
        "HRV of \(count) night, compared by the triggers of the day before:",
        "HRV of \(count) nights, compared by the triggers of the day before:", count: count)
      : style.localized(
        "HRV of \(count) morning, compared by the triggers of the day before:",
        "HRV of \(count) mornings, compared by the triggers of the day before:", count: count)
    let lines = [heading] + (effects.effects.isEmpty ? [tooFew(style)] : associations(style))
    return lines.map { $0 + "\n" }.joined()
  }

  private func tooFew(_ style: TerminalStyle) -> String {
    let needed = TriggerEffects.fewestOccasions
    if source == .nights {
      return style.localized(
        "Too few nights: \(needed) after a trigger, and as many without it, are required.")
    }
    return style.localized(
      "Too few mornings: \(needed) after a trigger, and as many without it, are required.")
  }

  private func associations(_ style: TerminalStyle) -> [String] {
    let found = effects.effects.filter(\.isBeyondChance).map { sentence($0, style) }
    guard found.isEmpty else { return found }
    return [
      source == .nights
        ? style.localized("No trigger is associated with HRV of the night beyond chance.")
        : style.localized("No trigger is associated with HRV of the morning beyond chance.")
    ]
  }

  private func sentence(_ effect: TriggerEffect, _ style: TerminalStyle) -> String {
    let (trigger, change) = (effect.trigger.printable, Self.percent(effect.difference))
    let (low, high) = (Self.percent(effect.low), Self.percent(effect.high))
    if source == .nights {
      return style.localized(
        "\(trigger) is associated with \(change) HRV in the next night (95 % interval \(low) to \(high)).")
    }
    return style.localized(
      "\(trigger) is associated with \(change) HRV on the next morning (95 % interval \(low) to \(high)).")
  }

  /// The change of RMSSD for a difference of 100 ln RMSSD: `-12 %`.
  private static func percent(_ difference: Double) -> String {
    "\((100 * (exp(difference / 100) - 1)).signed(0)) %"
  }
}
