import HeartRate

/// The 5-4-3-2-1 grounding exercise: name things that can be seen, felt, heard, smelled and tasted, one fewer
/// for each sense.
package struct Grounding: Equatable, Sendable {
  /// The senses, in order of the exercise.
  package enum Sense: String, Sendable, CaseIterable {
    case sight
    case touch
    case hearing
    case smell
    case taste

    /// Number of things to name.
    package var things: Int {
      switch self {
      case .sight: 5
      case .touch: 4
      case .hearing: 3
      case .smell: 2
      case .taste: 1
      }
    }
  }

  /// Duration for each thing.
  package let pace: Duration

  package init(pace: Duration = .seconds(8)) { self.pace = pace }

  /// Total duration, for fifteen things.
  package var duration: Duration { pace * Sense.allCases.reduce(0) { $0 + $1.things } }

  /// Returns the current sense, the number of the current thing from 1, and the time remaining for the sense. Returns `nil`
  /// after the end.
  package func position(at elapsed: Duration) -> (sense: Sense, thing: Int, left: Duration)? {
    var start = Duration.zero
    for sense in Sense.allCases {
      let length = pace * sense.things
      if elapsed < start + length {
        let within = max(elapsed - start, .zero)
        return (sense, min(sense.things, 1 + Int(within.ticks / max(1, pace.ticks))), length - within)
      }
      start += length
    }
    return nil
  }
}
