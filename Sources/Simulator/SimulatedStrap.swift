package import HeartRate

/// A simulated strap: the events of a session with a seeded heart, notifications and faults.
///
/// Equal arguments give equal events on every platform. Events are generated lazily in constant memory. The
/// heart alternates between resting periods (60 to 65 bpm, RMSSD 40 to 60 ms) and stressed periods (85 to 100
/// bpm, RMSSD 10 to 18 ms) and begins with two resting minutes.
package struct SimulatedStrap: Sequence, Sendable {
  /// Breathing phase in cycles at a session time: inhaling begins at each integer and ends half a cycle later. Spontaneous
  /// breathing has no phase. Called with non-decreasing times.
  package typealias Breathing = @Sendable (SessionTime) -> Double?

  /// An identity that no real strap has: the address is all zeros.
  package static let identity = StrapIdentity(address: "00:00:00:00:00:00", name: "Simulated strap")

  /// Number of seconds without faults at the start of a session.
  package static let faultlessSeconds: Int64 = 20

  package let seed: UInt64
  package let startWall: WallTime?
  package let duration: Duration?
  package let faults: Faults
  /// What the person does. By default, the strap sends no acceleration.
  package var motion: MotionScript?
  private let breathing: Breathing?
  private let sitter: SittingHeart?

  /// Creates a strap worn during a simulated day.
  /// - Parameters:
  ///   - startWall: wall-clock time of the start. If it is missing, events have no wall times.
  ///   - duration: time of the end event, which is the last one. By default, the session is infinite.
  ///   - breathing: paces the breathing. The default is spontaneous breathing at 12 to 15 breaths per minute.
  package init(
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

  /// Creates a strap worn by a person who sits still for a breathing exercise.
  package init(
    seed: UInt64, startWall: WallTime? = nil, duration: Duration? = nil, faults: Faults = .typical,
    sitting: Sitting
  ) {
    self.seed = seed
    self.startWall = startWall
    self.duration = duration
    self.faults = faults
    breathing = nil
    sitter = SittingHeart(seed: seed, sitting)
  }

  /// All beats that the sensor detects, transmitted or not, with their ground truth; an infinite sequence.
  package var beats: SimulatedHeart {
    SimulatedHeart(seed: seed, faults: faults, breathing: breathing, sitter: sitter)
  }

  package func makeIterator() -> Iterator {
    Iterator(
      seconds: StrapSeconds(seed: seed, heart: beats, faults: faults, motion: motion), startWall: startWall,
      limit: duration?.ticks ?? .max)
  }

  package struct Iterator: IteratorProtocol {
    private var seconds: StrapSeconds
    private let startWall: WallTime?
    private let limit: Int64
    /// The events of the current second in reverse order.
    private var pending: [SessionEvent]
    private var hasEnded = false

    fileprivate init(seconds: StrapSeconds, startWall: WallTime?, limit: Int64) {
      self.seconds = seconds
      self.startWall = startWall
      self.limit = limit
      pending = []
    }

    package mutating func next() -> SessionEvent? {
      while pending.isEmpty { pending = seconds.next().reversed() }
      guard !hasEnded, var event = pending.popLast() else { return nil }
      if event.at.ticks > limit {
        event = SessionEvent(at: SessionTime(ticks: limit), .end)
        hasEnded = true
      }
      event.wall = startWall?.advanced(ticks: event.at.ticks)
      return event
    }
  }
}

/// Rates of simulated artefacts and connection faults per hour.
///
/// No fault occurs in the first ``SimulatedStrap/faultlessSeconds``.
package struct Faults: Equatable, Sendable {
  /// Premature beats, each followed by a compensatory pause.
  package var ectopicsPerHour: Double
  /// R peaks that the sensor does not detect: two RR intervals are merged.
  package var missedPerHour: Double
  /// False detections: one RR interval is split into two.
  package var extraPerHour: Double
  /// Connection losses of 4 to 20 s.
  package var dropoutsPerHour: Double
  /// Losses of skin contact for 5 to 15 s, with notifications without RR.
  package var contactLossesPerHour: Double

  package init(
    ectopicsPerHour: Double = 0, missedPerHour: Double = 0, extraPerHour: Double = 0,
    dropoutsPerHour: Double = 0, contactLossesPerHour: Double = 0
  ) {
    self.ectopicsPerHour = ectopicsPerHour
    self.missedPerHour = missedPerHour
    self.extraPerHour = extraPerHour
    self.dropoutsPerHour = dropoutsPerHour
    self.contactLossesPerHour = contactLossesPerHour
  }

  package static let none = Faults()

  /// A healthy person with a well-fitted strap on an active day.
  package static let typical = Faults(
    ectopicsPerHour: 12, missedPerHour: 8, extraPerHour: 4, dropoutsPerHour: 2, contactLossesPerHour: 0.5)
}
