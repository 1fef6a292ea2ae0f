package import HeartRate

/// How often a person is asked, independent of sessions: the limits apply to all prompts of a profile together.
package enum PromptLimits {
  /// Number of prompts on a local day.
  package static let mostPerDay = 2
  /// Time between prompts in seconds.
  package static let leastDistance: Int64 = 90 * 60
  /// Number of the latest answers that the margin depends on.
  package static let consideredAnswers = 12

  /// An earlier prompt.
  package struct Earlier: Sendable {
    package var time: WallTime
    package var answer: StressPrompt.Answer?

    package init(time: WallTime, answer: StressPrompt.Answer? = nil) {
      (self.time, self.answer) = (time, answer)
    }
  }

  /// Whether a prompt is permitted at `now`.
  /// - Parameters:
  ///   - dayStart: The start of the local day.
  ///   - earlier: At least the prompts of the day and the latest one before it. Prompts after `now`, written before the clock was
  ///     set back, count as prompts of the day.
  package static func permit(at now: WallTime, dayStart: WallTime, earlier: [Earlier]) -> Bool {
    let today = earlier.filter { $0.time >= dayStart }
    let isNear = earlier.contains {
      abs(now.microseconds - $0.time.microseconds) < leastDistance * 1_000_000
    }
    return today.count < mostPerDay && !isNear && !today.contains { $0.answer == .notToday }
  }

  /// The margin of ``PromptRule`` for the latest answers.
  ///
  /// The lowest margin applies as long as the person agrees in at least half of the cases. With less agreement it increases
  /// linearly, up to the highest one. The fraction is estimated as (agreed + 3) / (answered + 6), because few
  /// answers are weak evidence. The rule is never less strict than the lowest margin.
  package static func margin(_ answers: some Sequence<StressPrompt.Answer>) -> Double {
    let known = answers.compactMap(\.agrees).prefix(consideredAnswers)
    let agreement = Double(known.count { $0 } + 3) / Double(known.count + 6)
    let margins = PromptRule.margins
    return margins.lowerBound
      + (margins.upperBound - margins.lowerBound) * min(1, max(0, 3 * (0.5 - agreement)))
  }
}

/// A part of the local day without prompts, such as 22:00-07:00. Its end is not included.
package struct QuietHours: Equatable, Sendable {
  /// In minutes since midnight.
  package let start: Int
  package let end: Int

  /// Without prompts at night.
  package static let usual = QuietHours(start: 22 * 60, end: 7 * 60)

  private init(start: Int, end: Int) { (self.start, self.end) = (start, end) }

  /// Parses `22:00-07:00`. Fails for other text, and for an empty part of the day.
  package init?(_ text: String) {
    let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
    guard times.count == 2, let start = times[0], let end = times[1], start != end else { return nil }
    self.init(start: start, end: end)
  }

  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    return 60 * hour + minute
  }

  /// - Parameter minute: The minute of the local clock, 0 to 1439. A change to or from daylight-saving time needs no rule: the
  ///   hours are those of the clock on the wall.
  package func contains(minute: Int) -> Bool {
    start < end ? (start..<end).contains(minute) : minute >= start || minute < end
  }
}
