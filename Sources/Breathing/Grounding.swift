import HeartRate

/// The 5-4-3-2-1 exercise: things around one that are seen, felt, heard, smelled and tasted, each sense with one fewer.
public struct Grounding: Equatable, Sendable {
  /// In the order in which they are asked for.
  public enum Sense: String, Sendable, CaseIterable {
    case sight
    case touch
    case hearing
    case smell
    case taste

    /// How many things are to be named.
    public var things: Int {
      switch self {
      case .sight: 5
      case .touch: 4
      case .hearing: 3
      case .smell: 2
      case .taste: 1
      }
    }
  }

  /// Time for each thing.
  public let pace: Duration

  public init(pace: Duration = .seconds(8)) { self.pace = pace }

  /// In all: fifteen things.
  public var duration: Duration { pace * Sense.allCases.reduce(0) { $0 + $1.things } }

  /// Which sense it is the turn of after `elapsed`, which of its things, from 1, and how long the sense has still; nil
  /// when it is over.
  public func position(at elapsed: Duration) -> (sense: Sense, thing: Int, left: Duration)? {
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
