package import HeartRate
import Platform

/// The infinite sequence of beats of a seeded heart as detected by a sensor; equal seeds give equal beats.
package struct SimulatedHeart: Sequence, IteratorProtocol, Sendable {
  private var day: Day
  private var random: SplitMix64
  private let faults: Faults
  private let breathing: SimulatedStrap.Breathing?
  private var sitter: SittingHeart?
  private var clock = SessionTime.zero
  private var breath: Double
  private var breathWander = 0.0
  private let mayerPhase: Double
  private var slow = 0.0
  private var queued: SimulatedBeat?

  init(seed: UInt64, faults: Faults, breathing: SimulatedStrap.Breathing?, sitter: SittingHeart?) {
    day = Day(seed: seed)
    random = SplitMix64(seed: seed, stream: 2)
    self.faults = faults
    self.breathing = breathing
    self.sitter = sitter
    breath = random.uniform(in: 0...1)
    mayerPhase = random.uniform(in: 0...1)
  }

  package mutating func next() -> SimulatedBeat? {
    if let beat = queued.take() { return beat }
    let (tone, state) = sitter == nil ? day.tone(at: clock) : (day.first, .resting)
    let rr = sinus(tone)
    switch fault(within: rr) {
    case .ectopic:
      let early = Int64(Double(rr) * random.uniform(in: 0.62...0.8))
      let beat = advance(early, state, .ectopic)
      queued = advance(2 * rr - early, state, .pause)
      return beat
    case .extra:
      let part = Int64(Double(rr) * random.uniform(in: 0.3...0.7))
      let beat = advance(part, state, .extra)
      queued = advance(rr - part, state, .extra)
      return beat
    case .missed: return advance(rr + sinus(tone), state, .missed)
    case .sinus, .pause: return advance(rr, state, .sinus)
    }
  }

  /// Selects the artefact of the next beat.
  private mutating func fault(within rr: Int64) -> SimulatedBeat.Origin {
    let seconds = Double(rr) / 1024
    let rates: [(Double, SimulatedBeat.Origin)] = [
      (faults.ectopicsPerHour, .ectopic), (faults.missedPerHour, .missed), (faults.extraPerHour, .extra),
    ]
    var found = SimulatedBeat.Origin.sinus
    for (rate, origin) in rates where random.happens(perHour: rate, within: seconds) { found = origin }
    // The draws do not depend on the faultless time. Two more beats may follow, and they must not be within
    // it.
    return clock.ticks < SimulatedStrap.faultlessSeconds * RRInterval.ticksPerSecond ? .sinus : found
  }

  private mutating func advance(
    _ units: Int64, _ state: SimulatedBeat.State, _ origin: SimulatedBeat.Origin
  ) -> SimulatedBeat {
    let rr = RRInterval(gattUnits: UInt16(clamping: units))
    clock = clock + rr
    return SimulatedBeat(end: clock, rr: rr, state: state, origin: origin)
  }

  /// Returns the next RR interval without artefacts, in 1/1024 s, the resolution of the sensor's clock.
  private mutating func sinus(_ tone: AutonomicTone) -> Int64 {
    if let milliseconds = sitter?.next(at: clock) { return Int64(Swift.max(milliseconds, 300) * 1.024 + 0.5) }
    slow += (tone.slow * 0.18 * random.nearNormal()) - slow / 60
    let milliseconds =
      tone.meanRR + tone.respiratory * cosine(cycles: breathPhase(tone))
      + tone.mayer * cosine(cycles: mayerPhase + clock.seconds / 10) + slow + tone.noise * random.nearNormal()
    let units = Int64(Swift.max(milliseconds, 300) * 1.024 + 0.5)
    breathWander += (0.003 * random.nearNormal()) - breathWander / 20
    breath += (tone.breathing + breathWander) * Double(units) / 1024
    breath -= breath.rounded(.down)
    return units
  }

  /// The breathing phase in cycles. RR is longest at the start of inhaling (0) and shortest at its end (0.5).
  private func breathPhase(_ tone: AutonomicTone) -> Double { breathing?(clock) ?? breath }
}

extension Optional {
  fileprivate mutating func take() -> Wrapped? {
    defer { self = nil }
    return self
  }
}

/// A beat as detected by the sensor, with its ground truth.
package struct SimulatedBeat: Equatable, Sendable {
  /// End time in the strap's exact running sum of RR.
  package var end: SessionTime
  /// Time since the previous beat, a multiple of 1/1024 s.
  package var rr: RRInterval
  package var state: State
  package var origin: Origin

  /// State of the simulated person.
  package enum State: Sendable, CaseIterable {
    case resting
    case stressed
    /// In a transition.
    case changing
  }

  /// Origin of the RR interval.
  package enum Origin: Sendable, CaseIterable {
    case sinus
    /// Ends with a premature beat.
    case ectopic
    /// The compensatory pause after a premature beat.
    case pause
    /// Contains a beat that the sensor missed.
    case missed
    /// One of the two parts of an RR interval split by a false detection.
    case extra
  }
}
