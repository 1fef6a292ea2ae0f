package import LiveSession
package import Localization
package import Stress

/// A notice of a live session as text. The same sentences are printed, shown on the screen and spoken.
package struct NoticeText: Sendable {
  private let style: TerminalStyle
  /// Precedes each sentence; empty for a single session.
  private let label: String
  /// The option that selects the profile in commands, with a space before it.
  private let option: String
  /// Whether a change of category rings the bell.
  private let ringsOnChange: Bool

  /// - Parameters:
  ///   - label: The name of the session, if there are several.
  ///   - profile: The profile, unless it is the one of commands without `--profile`.
  package init(
    style: TerminalStyle, label: String? = nil, profile: String? = nil, ringsOnChange: Bool = false
  ) {
    self.style = style
    self.label = label.map { $0.printable + ": " } ?? ""
    option = profile.map { " --profile \($0)" } ?? ""
    self.ringsOnChange = ringsOnChange
  }

  /// The sentence, if the notice has one. The displays show the category themselves.
  package func sentence(_ notice: SessionNotice) -> String? {
    switch notice {
    case .prompt(let number, _): label + question(number)
    case .category: nil
    case .alarm(let condition): label + style.localized(Self.alarm(condition, style))
    }
  }

  /// Whether the notice rings the bell of the terminal.
  package func rings(_ notice: SessionNotice) -> Bool {
    if case .category = notice { ringsOnChange } else { true }
  }

  private func question(_ number: Int64) -> String {
    let command = "stressmon prompts answer yes --prompt \(number)\(option) --trigger work"
    return style.localized(
      "Stressed? By what? Your HRV has been below your usual range. Answer yes, no, breathe or not-today with: \(command)"
    )
  }

  /// `Alarm: heart rate above 170 beats per minute for 30 seconds.`
  package static func alarm(_ condition: AlarmCondition, _ style: TerminalStyle) -> Phrase {
    let (limit, time) = (
      condition.limitText, SpokenWords(style: style).length(seconds: condition.seconds)
    )
    return switch (condition.quantity, condition.isAbove) {
    case (.heartRate, true): Phrase("Alarm: heart rate above \(limit) beats per minute for \(time).")
    case (.heartRate, false): Phrase("Alarm: heart rate below \(limit) beats per minute for \(time).")
    case (.stress, true): Phrase("Alarm: stress value above \(limit) for \(time).")
    case (.stress, false): Phrase("Alarm: stress value below \(limit) for \(time).")
    case (.rmssd, true): Phrase("Alarm: HRV (RMSSD) above \(limit) milliseconds for \(time).")
    case (.rmssd, false): Phrase("Alarm: HRV (RMSSD) below \(limit) milliseconds for \(time).")
    }
  }
}
