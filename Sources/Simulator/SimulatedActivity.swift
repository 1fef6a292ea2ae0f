/// What a simulated person does, as far as the acceleration of the chest shows it.
package enum SimulatedActivity: String, Sendable, CaseIterable {
  /// Sits without visible breathing.
  case still
  /// Sits and breathes 15 times per minute.
  case breathing
  case fidgeting
  case walking
  case running
  /// Lies on the back and breathes 12 times per minute.
  case lying
  /// The strap lies on a table.
  case removed
}

/// A sequence of activities, repeated from the start when it is over.
package struct MotionScript: Equatable, Sendable {
  package struct Part: Equatable, Sendable {
    package var activity: SimulatedActivity
    /// Duration in seconds.
    package var seconds: Double
  }

  package let parts: [Part]
  private let total: Double

  /// Creates a script. At least one part must have a positive duration.
  package init?(_ parts: [Part]) {
    self.parts = parts
    total = parts.reduce(0) { $0 + $1.seconds }
    guard total > 0, parts.allSatisfy({ $0.seconds > 0 }) else { return nil }
  }

  /// Parses `walking`, or `lying:60,still:60` with durations in seconds.
  package init?(_ text: String) {
    let parts = text.split(separator: ",").map { part -> Part? in
      let words = part.split(separator: ":", maxSplits: 1)
      guard let activity = words.first.flatMap({ SimulatedActivity(rawValue: String($0)) }) else {
        return nil
      }
      guard words.count == 2 else { return Part(activity: activity, seconds: 3600) }
      return Double(words[1]).map { Part(activity: activity, seconds: $0) }
    }
    guard parts.allSatisfy({ $0?.seconds.isFinite ?? false }) else { return nil }
    self.init(parts.compactMap(\.self))
  }

  /// The activity at a time in seconds, and the time since it began.
  package func activity(at time: Double) -> (activity: SimulatedActivity, since: Double) {
    var rest = time - (time / total).rounded(.down) * total
    for part in parts {
      if rest < part.seconds { return (part.activity, rest) }
      rest -= part.seconds
    }
    return (parts[0].activity, 0)
  }
}
