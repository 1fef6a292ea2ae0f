import HeartRate

/// The marks of a guided exercise, stored in the session as text.
package enum ExerciseMark: Equatable, Sendable {
  case restBegins
  /// The breathing begins; the rest before it ends.
  case breathingBegins
  /// A new pattern begins.
  case pattern(BreathingPattern)
  case paused
  case resumed
  /// The breathing ends; the rest after it begins.
  case breathingEnds
  case restEnds

  /// Parses ``text``. Fails for any other mark, such as a note of the user.
  package init?(text: String) {
    if let plain = Self.plain.first(where: { $0.text == text }) {
      self = plain.mark
    } else if text.hasPrefix(Self.prefix),
      let pattern = try? BreathingPattern(String(text.dropFirst(Self.prefix.count)))
    {
      self = .pattern(pattern)
    } else {
      return nil
    }
  }

  /// The stored text, such as `breathing paused`. Recordings contain it, so it must never change.
  package var text: String {
    if case .pattern(let pattern) = self { return Self.prefix + pattern.description }
    return Self.plain.first { $0.mark == self }?.text ?? ""
  }

  private static let prefix = "breathing at "

  private static let plain: [(mark: ExerciseMark, text: String)] = [
    (.restBegins, "rest before breathing begins"), (.breathingBegins, BreathingMark.begins.rawValue),
    (.paused, "breathing paused"), (.resumed, "breathing resumed"),
    (.breathingEnds, BreathingMark.ends.rawValue), (.restEnds, "rest after breathing ends"),
  ]
}
