import BaselineTestSupport
import HeartRate
import RealModule
import Simulator
import Stress
import TestSupport
import Testing

private func observer(_ events: some Sequence<SessionEvent>) -> NightObserver {
  var observer = NightObserver()
  for event in events { observer.update(event) }
  observer.finish()
  return observer
}

private func nights(_ events: some Sequence<SessionEvent>) throws -> [Night] {
  try Night.all(in: observer(events)).get()
}

private func night(_ simulated: SimulatedNight) throws -> Night {
  let nights = try nights(simulated.events())
  #expect(nights.count == 1)
  return try #require(nights.first)
}

/// The distances of the edges from those of the simulated sleep in minutes.
private func errors(_ night: Night, _ simulated: SimulatedNight) -> [Int] {
  [
    abs(night.window.minutes.lowerBound - simulated.sleep.lowerBound),
    abs(night.window.minutes.upperBound - simulated.sleep.upperBound),
  ]
}

@Test func nightHasTheValuesOfTheSleep() throws {
  let simulated = SimulatedNight()
  let night = try night(simulated)
  #expect(errors(night, simulated).allSatisfy { $0 <= 5 })
  #expect(night.window.starts.contains(simulated.sleep.lowerBound))
  #expect(night.window.ends.contains(simulated.sleep.upperBound))
  #expect(!night.window.beginsWithData && !night.window.endsWithData)
  let rmssd = try #require(night.rmssd)
  #expect(abs(rmssd / simulated.rmssd(simulated.sleep) - 1) < 0.02)
  #expect(night.heartRate.map { abs($0 - 54) < 1.5 } == true)
  #expect(night.lowestHeartRate.map { $0 < 54 && $0 > 46 } == true)
  #expect(night.lowestAt.map { $0 > night.start && $0 < night.end } == true)
  #expect(night.respirationRate.map { abs($0 - simulated.breathsPerMinute) < 0.5 } == true)
  #expect(night.coverage > 0.98 && night.confidence > 0.9)
  #expect(night.refusal == nil && night.wakeMinutes == nil)
}

@Test func edgesAndValuesWithstandTheLossOfAFifthOfTheBeats() throws {
  var distances: [Int] = []
  var ratios: [Double] = []
  for seed in 1...16 as ClosedRange<UInt64> {
    var random = SeededGenerator(seed: seed)
    var simulated = SimulatedNight(seed: seed)
    simulated.before = Int.random(in: 5...120, using: &random)
    simulated.asleep = Int.random(in: 300...480, using: &random)
    simulated.after = Int.random(in: 0...60, using: &random)
    simulated.sleepingRate = Double.random(in: 45...68, using: &random)
    simulated.wakefulness = Double.random(in: 0.12...0.35, using: &random)
    let first = simulated.sleep.lowerBound + 90
    simulated.awakenings = [first..<first + 6, first + 100..<first + 115]
    simulated.loss = 0.2
    let night = try night(simulated)
    distances += errors(night, simulated)
    ratios.append(try #require(night.rmssd) / simulated.rmssd(simulated.sleep))
    #expect(night.refusal == nil)
  }
  #expect(distances.sorted()[distances.count / 2] < 10)
  let deviations = ratios.map { abs($0 - 1) }.sorted()
  #expect(deviations[deviations.count / 2] < 0.02, "\(ratios)")
}

@Test func nightEndsWithTheDataIfTheStrapIsTakenOff() throws {
  var simulated = SimulatedNight(seed: 4)
  simulated.gaps = [simulated.sleep.lowerBound + 240..<simulated.minutes]
  let night = try night(simulated)
  #expect(night.window.endsWithData)
  #expect(abs(night.window.minutes.upperBound - simulated.sleep.lowerBound - 240) <= 2)
  #expect(night.refusal == nil)
}

@Test func missingHourIsPartOfTheNightAndLowersItsCoverage() throws {
  var simulated = SimulatedNight(seed: 5)
  simulated.gaps = [simulated.sleep.lowerBound + 120..<simulated.sleep.lowerBound + 180]
  let night = try night(simulated)
  #expect(errors(night, simulated).allSatisfy { $0 <= 10 })
  #expect(abs(night.coverage - 360.0 / 420) < 0.02)
}

@Test func eachNightOfASessionHasItsOwnWindow() throws {
  var first = SimulatedNight(seed: 6)
  first.after = 600
  var second = SimulatedNight(seed: 7)
  second.sleepingRate = 57
  let start = Double(60 * first.minutes)
  let nights = try nights(first.events() + second.events(from: start))
  try #require(nights.count == 2)
  #expect(errors(nights[0], first).allSatisfy { $0 <= 10 })
  let offset = nights[1].window.minutes.lowerBound - first.minutes - second.sleep.lowerBound
  #expect(abs(offset) <= 10)
}

@Test func twoNightsWithTheDayMissingAreNotOneNight() throws {
  let (first, second) = (SimulatedNight(seed: 8), SimulatedNight(seed: 9))
  let nights = try nights(first.events() + second.events(from: 24 * 3600))
  #expect(nights.count == 2)
}

@Test func shortOrRestlessSessionsHaveNoNight() {
  var short = SimulatedNight(seed: 10)
  (short.before, short.asleep, short.after) = (0, 100, 0)
  #expect(Night.all(in: observer(short.events())) == .failure(.short))
  #expect(Night.all(in: observer([])) == .failure(.short))
  var nap = SimulatedNight(seed: 11)
  (nap.before, nap.asleep, nap.after) = (200, 90, 200)
  #expect(Night.all(in: observer(nap.events())) == .failure(.noWindow))
}

@Test func accelerationShowsWakeMinutes() throws {
  var strap = SimulatedStrap(seed: 3, duration: .seconds(4 * 3600), faults: .none)
  strap.motion = MotionScript("lying:6000,fidgeting:600,lying:7800")
  let night = try #require(try nights(strap).first)
  #expect(night.wakeMinutes.map { (8...12).contains($0) } == true)
  #expect(night.respirationRate.map { abs($0 - 12) < 1 } == true)
}

@Test func minutesDoNotDependOnHowTheEventsAreRead() {
  var simulated = SimulatedNight(seed: 12)
  (simulated.before, simulated.asleep, simulated.after) = (10, 200, 10)
  let events = simulated.events()
  #expect(observer(events).minutes == observer(events.lazy.map { $0 }).minutes)
  #expect(observer(events).minutes.count <= 221)
}

/// The nights of one adult, with chance-corrected figures that docs/design/night.md states.
@Suite(.enabled(if: SharedData.contains(.nights))) struct RecordedNights {
  private static func events(_ name: String, loss: Double = 0) throws -> [SessionEvent] {
    var random = SeededGenerator(seed: 7)
    var last = 0.0
    return try SharedData.night(name).compactMap { beat in
      guard Double.random(in: 0..<1, using: &random) >= loss else { return nil }
      last = max(last, beat.end)
      return SimulatedNight.event(beat.interval, at: last)
    }
  }

  /// Standard deviation, and its bootstrap interval of 95 %.
  private static func deviation(_ values: [Double]) -> (Double, ClosedRange<Double>) {
    var random = SeededGenerator(seed: 1)
    let all = (0..<2000).map { _ in sd(values.map { _ in values.randomElement(using: &random) ?? 0 }) }
      .sorted()
    return (sd(values), all[50]...all[1949])
  }

  private static func sd(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)).squareRoot()
  }

  @Test func nightsDifferLessThanMinutes() throws {
    var (values, five, one): ([Double], [Double], [Double]) = ([], [], [])
    var (shifts, refused): ([Int], [String]) = ([], [])
    for name in try SharedData.recordingNames(in: .nights) {
      let observed = observer(try Self.events(name))
      let found = (try? Night.all(in: observed).get()) ?? []
      guard let night = found.max(by: { $0.seconds < $1.seconds }), night.refusal == nil,
        let rmssd = night.rmssd
      else {
        refused.append("\(name) \(found.first?.refusal?.rawValue ?? "none")")
        continue
      }
      values.append(.log(rmssd))
      five.append(.log(try #require(observed.rmssd(of: 0..<5))))
      one.append(.log(try #require(observed.rmssd(of: 0..<1))))
      let lossy = try nights(Self.events(name, loss: 0.2)).max { $0.seconds < $1.seconds }
      let window = try #require(lossy).window.minutes
      shifts += [
        abs(window.lowerBound - night.window.minutes.lowerBound),
        abs(window.upperBound - night.window.minutes.upperBound),
      ]
      print(
        name, night.window.minutes, night.window.starts, night.window.ends, rmssd, night.confidence,
        night.respirationRate ?? .nan, lossy?.rmssd ?? .nan, lossy?.confidence ?? .nan)
    }
    let figures = [values, five, one].map(Self.deviation)
    print("nights:", values.count, "refused:", refused, "SD of night, 5 min, 1 min:", figures)
    print("shift of the edges in minutes:", shifts.sorted())
    #expect(figures[0].0 <= 0.15)
    #expect(figures[0].0 < figures[1].0 && figures[1].0 < figures[2].0)
    #expect(shifts.sorted()[shifts.count / 2] < 10)
  }
}
