import HeartRate
import Simulator
import Testing

@Suite struct SimulatedStrapTests {
  static let seeds: [UInt64] = [0, 1, 2, 42, .max]

  @Test("Equal seeds give equal events", arguments: seeds) func equalSeeds(seed: UInt64) {
    let wall = WallTime(rfc3339: "2026-11-21T07:30:00Z")
    let a = SimulatedStrap(seed: seed, startWall: wall, duration: .seconds(3600))
    let b = SimulatedStrap(seed: seed, startWall: wall, duration: .seconds(3600))
    #expect(Array(a) == Array(b))
  }

  @Test("Different seeds give different events") func differentSeeds() {
    let a = Array(SimulatedStrap(seed: 1, duration: .seconds(60)))
    let b = Array(SimulatedStrap(seed: 2, duration: .seconds(60)))
    #expect(a != b)
  }

  /// The values are fixed, so that a seed in a bug report keeps its meaning.
  @Test("A seed always gives the same intervals") func reproducibleSeed() {
    let units = SimulatedStrap(seed: 42).beats.lazy.map(\.rr.gattUnits).prefix(8)
    #expect(Array(units) == [986, 1048, 1002, 945, 945, 973, 1000, 947])
  }

  @Test("A session begins with link and battery events") func firstEvents() {
    let kinds = SimulatedStrap(seed: 7).prefix(5).map(\.kind)
    #expect(kinds[0] == .link(LinkChange(.searching)))
    #expect(kinds[1] == .link(LinkChange(.connecting, strap: SimulatedStrap.identity)))
    #expect(kinds[2] == .link(LinkChange(.connected, strap: SimulatedStrap.identity)))
    #expect(kinds[3] == BatteryLevel(percent: 95).map { .battery($0) })
    #expect(kinds[4].payload != nil)
  }

  @Test("Times do not decrease and end before the duration", arguments: seeds) func monotonicTimes(
    seed: UInt64
  ) throws {
    let wall = WallTime(microseconds: 1_000_000)
    var last = SessionTime.zero
    for event in SimulatedStrap(seed: seed, startWall: wall, duration: .seconds(7200)) {
      #expect(event.at >= last && event.at.ticks <= 7200 * RRInterval.ticksPerSecond)
      #expect(event.wall == wall.advanced(ticks: event.at.ticks))
      last = event.at
    }
    #expect(last.ticks > 7190 * RRInterval.ticksPerSecond)
  }

  @Test("Every payload can be decoded", arguments: seeds) func decodablePayloads(seed: UInt64) throws {
    let faults = Faults(
      ectopicsPerHour: 200, missedPerHour: 200, extraPerHour: 200, dropoutsPerHour: 60,
      contactLossesPerHour: 60)
    for payload in SimulatedStrap(seed: seed, duration: .seconds(7200), faults: faults).compactMap(
      \.kind.payload)
    {
      let measurement = try HeartRateMeasurement(payload: payload)
      #expect(measurement.leftoverBytes == 0)
      switch measurement.contact {
      case .detected: #expect((40...150).contains(try #require(measurement.plausibleHeartRate)))
      case .notDetected: #expect(measurement.rrIntervals.isEmpty && measurement.heartRate == 0)
      case .unsupported: Issue.record("a strap that reports contact always does")
      }
    }
  }

  @Test("The sum of RR without faults is the elapsed time", arguments: seeds) func sumOfIntervals(
    seed: UInt64
  ) throws {
    let strap = SimulatedStrap(seed: seed, duration: .seconds(86_400), faults: .none)
    let sent = strap.compactMap(\.kind.payload).flatMap {
      (try? HeartRateMeasurement(payload: $0).rrIntervals) ?? .none
    }
    let all = Array(strap.beats.prefix { $0.end.ticks <= 86_399 * RRInterval.ticksPerSecond })
    let first = try #require(all.firstIndex { $0.end.ticks > 2 * RRInterval.ticksPerSecond })
    #expect(sent == all[first...].map(\.rr))
    let elapsed = try #require(all.last).end.ticks - all[first - 1].end.ticks
    #expect(sent.reduce(0) { $0 + $1.ticks } == elapsed)
  }

  @Test("A link loss discards notifications while the heart continues") func linkLoss() throws {
    let strap = SimulatedStrap(
      seed: 3, duration: .seconds(3600), faults: Faults(dropoutsPerHour: 30))
    var states: [LinkChange.State] = []
    var lost: SessionTime?
    for event in strap {
      if case .link(let change) = event.kind {
        states.append(change.state)
        if change.state == .lost { lost = event.at }
        if change.state == .connected { lost = nil }
      }
      #expect(lost == nil || event.kind.payload == nil, "a notification without a link")
    }
    #expect(states.filter { $0 == .lost }.count > 10)
    #expect(
      Array(states.prefix(7)) == [
        .searching, .connecting, .connected, .lost, .searching, .connecting, .connected,
      ])
    let sent = strap.compactMap(\.kind.payload).compactMap { try? HeartRateMeasurement(payload: $0) }
    let beats = strap.beats.prefix { $0.end.ticks <= 3600 * RRInterval.ticksPerSecond }
    #expect(sent.map(\.rrIntervals.count).reduce(0, +) < beats.map(\.rr).count - 100)
  }

  @Test("The first 20 s have no faults", arguments: seeds) func faultlessStart(seed: UInt64) throws {
    let faults = Faults(
      ectopicsPerHour: 3600, missedPerHour: 3600, extraPerHour: 3600, dropoutsPerHour: 3600,
      contactLossesPerHour: 3600)
    let strap = SimulatedStrap(seed: seed, duration: .seconds(20), faults: faults)
    #expect(
      strap.beats.prefix { $0.end.ticks < 20 * RRInterval.ticksPerSecond }.allSatisfy { $0.origin == .sinus })
    #expect(Array(strap) == Array(SimulatedStrap(seed: seed, duration: .seconds(20), faults: .none)))
  }

  @Test(
    "Artefacts occur at the configured rate",
    arguments: [
      (SimulatedBeat.Origin.ectopic, Faults(ectopicsPerHour: 60)), (.missed, Faults(missedPerHour: 60)),
      (.extra, Faults(extraPerHour: 60)),
    ])
  func artefactRate(origin: SimulatedBeat.Origin, faults: Faults) {
    let hours: Int64 = 20
    let strap = SimulatedStrap(seed: 11, faults: faults)
    let count = strap.beats.prefix { $0.end.ticks <= hours * 3600 * RRInterval.ticksPerSecond }
      .count { $0.origin == origin }
    let events = origin == .extra ? count / 2 : count
    #expect((1000...1400).contains(events))
  }

  @Test("A premature beat is followed by a compensatory pause") func compensatoryPause() {
    let beats = Array(SimulatedStrap(seed: 5, faults: Faults(ectopicsPerHour: 100)).beats.prefix(20_000))
    for (early, late) in zip(beats, beats.dropFirst()) where early.origin == .ectopic {
      #expect(late.origin == .pause && late.rr > early.rr)
    }
  }

  @Test("A pacer determines the breathing frequency") func pacedBreathing() {
    // At six breaths per minute, the RR intervals of a resting minute repeat after 10 s.
    let paced = SimulatedStrap(seed: 9, faults: .none) { $0.seconds / 10 }
    let own = SimulatedStrap(seed: 9, faults: .none)
    let pacedRR = paced.beats.prefix(110).map(\.rr.milliseconds)
    let ownRR = own.beats.prefix(110).map(\.rr.milliseconds)
    #expect(pacedRR != ownRR)
    #expect(power(of: pacedRR, at: 0.1) > 5 * power(of: ownRR, at: 0.1))
  }

  /// Returns the squared amplitude of the series at a frequency in Hz, with each RR at its end time.
  private func power(of rr: [Double], at frequency: Double) -> Double {
    let mean = rr.reduce(0, +) / Double(rr.count)
    var (time, real, imaginary) = (0.0, 0.0, 0.0)
    for value in rr {
      time += value / 1000
      real += (value - mean) * quarterWave(time * frequency)
      imaginary += (value - mean) * quarterWave(time * frequency - 0.25)
    }
    return real * real + imaginary * imaginary
  }

  /// A triangle wave is sufficient to detect the frequency.
  private func quarterWave(_ cycles: Double) -> Double {
    4 * abs(cycles - cycles.rounded(.down) - 0.5) - 1
  }
}

@Suite struct PhysiologyTests {
  @Test("Resting and stressed periods are within their documented ranges", arguments: 0..<12 as Range<UInt64>)
  func physiologicalRanges(seed: UInt64) {
    let beats = SimulatedStrap(seed: seed, faults: .none).beats.prefix(20_000)
    for state in [SimulatedBeat.State.resting, .stressed] {
      var stretch: [Double] = []
      for beat in beats {
        if beat.state == state { stretch.append(beat.rr.milliseconds) } else { check(&stretch, state, seed) }
      }
      check(&stretch, state, seed)
    }
  }

  /// Checks the mean heart rate and RMSSD of a period of more than a minute.
  private func check(_ rr: inout [Double], _ state: SimulatedBeat.State, _ seed: UInt64) {
    defer { rr = [] }
    guard rr.reduce(0, +) > 60_000 else { return }
    let rate = 60_000 / (rr.reduce(0, +) / Double(rr.count))
    let squares = zip(rr, rr.dropFirst()).map { ($1 - $0) * ($1 - $0) }
    let rmssd = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    #expect((state == .resting ? 59.5...65.5 : 85...100).contains(rate), "seed \(seed)")
    #expect((state == .resting ? 40...60 : 10...18).contains(rmssd), "seed \(seed)")
  }

  @Test("The first two minutes are rest", arguments: 0..<20 as Range<UInt64>) func firstTwoMinutesAreRest(
    seed: UInt64
  ) {
    let beats = SimulatedStrap(seed: seed).beats.prefix { $0.end.ticks < 120 * RRInterval.ticksPerSecond }
    #expect(beats.allSatisfy { $0.state == .resting })
  }

  @Test("Transitions are smooth") func smoothTransitions() {
    let means = SimulatedStrap(seed: 21, faults: .none).beats.prefix(5000).map(\.rr.milliseconds)
    let jumps = zip(means, means.dropFirst()).map { abs($1 - $0) }
    #expect(jumps.allSatisfy { $0 < 200 })
  }
}

extension SessionEvent.Kind {
  fileprivate var payload: [UInt8]? {
    if case .notification(let payload) = self { payload } else { nil }
  }
}
