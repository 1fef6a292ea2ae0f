public import HeartRate

/// The strap that is not there: the events of a session with a seeded heart, its notifications and faults.
///
/// Equal arguments give equal events, on every machine. Events are made when they are asked for, in constant memory. The
/// heart alternates between resting stretches (60 to 65 bpm, RMSSD 40 to 60 ms) and stressed ones (85 to 100 bpm,
/// RMSSD 10 to 18 ms) and begins with two resting minutes.
public struct SimulatedStrap: Sequence, Sendable {
  /// Phase of breathing in cycles at a time of the session: a breath in begins at each whole number and ends half
  /// a cycle later. Nil while the breath is free. Called with times that never go backwards.
  public typealias Breathing = @Sendable (SessionTime) -> Double?

  /// A strap as no radio can show it: the address is all zeros.
  public static let identity = StrapIdentity(address: "00:00:00:00:00:00", name: "Simulated strap")

  /// How long nothing goes wrong at the beginning of a session, in s.
  public static let faultlessSeconds: Int64 = 20

  public let seed: UInt64
  public let startWall: WallTime?
  public let duration: Duration?
  public let faults: Faults
  private let breathing: Breathing?
  private let sitter: Sitter?

  /// - Parameters:
  ///   - startWall: what the wall clock shows when the session begins; without it no event has a wall time.
  ///   - duration: no event comes later than this; without it the session never ends.
  ///   - breathing: paces the breath; without it the person breathes 12 to 15 times a minute, with a slight wander.
  public init(
    seed: UInt64, startWall: WallTime? = nil, duration: Duration? = nil, faults: Faults = .typical,
    breathing: Breathing? = nil
  ) {
    self.seed = seed
    self.startWall = startWall
    self.duration = duration
    self.faults = faults
    self.breathing = breathing
    sitter = nil
  }

  /// A person who sits still for a breathing exercise instead of living a day.
  public init(
    seed: UInt64, startWall: WallTime? = nil, duration: Duration? = nil, faults: Faults = .typical,
    sitting: Sitting
  ) {
    self.seed = seed
    self.startWall = startWall
    self.duration = duration
    self.faults = faults
    breathing = nil
    sitter = Sitter(seed: seed, sitting)
  }

  /// Every beat that the sensor detects, sent or lost with the link, and the truth about it. Without end.
  public var beats: SimulatedHeart {
    SimulatedHeart(seed: seed, faults: faults, breathing: breathing, sitter: sitter)
  }

  public func makeIterator() -> Iterator {
    Iterator(
      seconds: StrapSeconds(seed: seed, heart: beats, faults: faults), startWall: startWall,
      limit: duration?.ticks ?? .max)
  }

  public struct Iterator: IteratorProtocol {
    private var seconds: StrapSeconds
    private let startWall: WallTime?
    private let limit: Int64
    /// The events of the second at hand, the next one last.
    private var pending: [SessionEvent]

    fileprivate init(seconds: StrapSeconds, startWall: WallTime?, limit: Int64) {
      self.seconds = seconds
      self.startWall = startWall
      self.limit = limit
      pending = []
    }

    public mutating func next() -> SessionEvent? {
      while pending.isEmpty { pending = seconds.next().reversed() }
      guard var event = pending.popLast(), event.at.ticks <= limit else { return nil }
      event.wall = startWall?.advanced(ticks: event.at.ticks)
      return event
    }
  }
}
