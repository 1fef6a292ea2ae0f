import HRV
import HeartRate
import Stress
import TestSupport
import Testing

@Test("Events and measurements are emitted in causal order") func outputOrder() {
  var session = Session()
  session.notify(1024)
  session.notify(1000, 1010)
  session.notify()
  session.add(.notification(payload: []))
  session.add(.link(LinkChange(.lost)))
  session.add(.link(LinkChange(.searching)))
  session.add(.mark("tea"), after: 10)
  session.notify(1024)
  session.add(.link(LinkChange(.lost)))
  session.add(.end, after: 5)
  var engine = StressEngine()
  #expect(
    engine.events(of: session.events).map(\.name) == [
      "notification", "beat", "measurement", "notification", "beat", "measurement", "beat", "measurement",
      "notification", "undecodable", "notification", "gap", "beat", "measurement", "gap",
    ])
}

@Test("Each beat gives one measurement, whatever its verdict") func oneMeasurementPerBeat() throws {
  var session = Session.rest(beats: 50)
  session.notify(52)
  session.notify(4000)
  session.notify(870)
  var engine = StressEngine()
  let events = engine.events(of: session.events)
  let beats = events.compactMap(\.beat)
  let measurements = events.compactMap(\.measurement)
  #expect(beats.count == 53 && measurements.map(\.time) == beats.map(\.end))
  #expect(measurements.map(\.verdict) == beats.map(\.verdict))
  #expect(measurements.suffix(3).map(\.verdict) == [.short, .gap, .normal])
}

@Test("There is no stress value without intervals") func noIntervals() {
  var session = Session()
  for _ in 0..<100 { session.add(.notification(payload: [UInt8](hex: "06 48")), after: 1) }
  #expect(StressEngine.measurements(of: session.events).isEmpty)
  let few = StressEngine.measurements(of: Session.rest(beats: 2).events)
  #expect(few.count == 2 && few.allSatisfy { $0.score == nil })
}

@Test("An undecodable payload does not change the measurements") func undecodablePayload() {
  var session = Session.rest(beats: 30)
  let clean = StressEngine.measurements(of: session.events)
  let bad = SessionEvent(at: session.events[9].at, .notification(payload: [UInt8](hex: "08 3c 01")))
  session.events.insert(bad, at: 10)
  #expect(StressEngine.measurements(of: session.events) == clean)
}

@Test("A measurement contains its wall time and settings") func wallTimeAndSettings() {
  let wall = WallTime(microseconds: 1_795_246_200_000_000)
  let events = [
    SessionEvent(at: SessionTime(ticks: 80_000_000), wall: wall, .interval(RRInterval(gattUnits: 1024)))
  ]
  let settings = StressEngine.Settings(window: .seconds(30), metric: .sdnn)
  let measurement = StressEngine.measurements(of: events, settings: settings)[0]
  #expect(measurement.wall == wall && measurement.window == 30 && measurement.metric == .sdnn)
}

@Test("The window has the configured length", arguments: [30, 60, 300])
func windowLength(seconds: Int) throws {
  let settings = StressEngine.Settings(window: .seconds(seconds))
  let measurements = StressEngine.measurements(of: Session.rest(beats: 500).events, settings: settings)
  let last = try #require(measurements.last)
  let inside = measurements.filter { $0.time.ticks > last.time.ticks - Int64(seconds) * 80_000_000 }
  #expect(last.beats == inside.count && last.nn.count == inside.count)
}

@Test("The score uses the configured HRV metric") func configuredMetric() throws {
  let events = Session.rest(beats: 100).events
  let baseline = Baseline(rmssd: 40, sdnn: 60, restingHeartRate: 55, days: 30, origin: .learned)
  for metric in HRVMetric.allCases {
    let settings = StressEngine.Settings(metric: metric)
    let last = try #require(
      StressEngine.measurements(of: events, settings: settings, baseline: baseline).last)
    let inputs = try #require(last.score?.inputs)
    #expect(inputs.hrv == metric.value(last.nn) && inputs.baselineHRV == baseline.hrv(metric))
    #expect(inputs.heartRate == last.nn.meanHeartRate && inputs.restingHeartRate == 55)
  }
}

@Test("Without classification every beat counts") func noClassification() throws {
  var session = Session.rest(beats: 40)
  session.notify(300)
  session.notify(1740)
  session.notify(870)
  let settings = StressEngine.Settings(classification: .none)
  let last = try #require(StressEngine.measurements(of: session.events, settings: settings).last)
  #expect(last.artefactFraction == 0 && last.nn.count == last.beats)
  let judged = try #require(StressEngine.measurements(of: session.events).last)
  #expect(judged.beats == last.beats && judged.nn.count == last.beats - 2)
  #expect(judged.artefactFraction == 2 / Double(last.beats))
}

@Test("Equal events give equal results, bit for bit", arguments: 0..<3)
func replay(seed: UInt64) {
  let events = randomEvents(seed: seed, count: 2000)
  var engine = StressEngine()
  var copy = engine
  #expect(engine.events(of: events) == copy.events(of: events))
  // A copy made halfway continues with equal results.
  var half = StressEngine()
  _ = half.events(of: Array(events[..<1000]))
  var other = half
  #expect(half.events(of: Array(events[1000...])) == other.events(of: Array(events[1000...])))
}

@Test("Both update functions give equal measurements", arguments: 0..<3)
func measurementsAlone(seed: UInt64) {
  let events = randomEvents(seed: seed, count: 2000)
  var engine = StressEngine()
  var alone: [StressMeasurement] = []
  for event in events { engine.update(event) { alone.append($0) } }
  #expect(alone == StressEngine.measurements(of: events))
}

@Test("Numbers are finite and in range for arbitrary sessions", arguments: 0..<20)
func arbitrarySession(seed: UInt64) {
  for classification in BeatStream.Classification.allCases {
    let settings = StressEngine.Settings(window: .seconds(30), classification: classification)
    let measurements = StressEngine.measurements(of: randomEvents(seed: seed, count: 500), settings: settings)
    for measurement in measurements {
      #expect(
        (0...1).contains(measurement.confidence.value) && (0...1).contains(measurement.artefactFraction))
      #expect(measurement.confidence.known.allSatisfy { (0...1).contains($0.value) })
      #expect(measurement.coverage.map { $0.isFinite && $0 >= 0 } ?? true)
      #expect(measurement.score.map { (0...100).contains($0.value) } ?? true)
    }
  }
}

/// Mostly valid notifications, mixed with all other events, random bytes, and extreme intervals and times.
private func randomEvents(seed: UInt64, count: Int) -> [SessionEvent] {
  var random = SeededGenerator(seed: seed)
  var session = Session()
  for _ in 0..<count {
    switch Int.random(in: 0..<100, using: &random) {
    case 0: session.add(.link(LinkChange(LinkChange.State.allCases.randomElement(using: &random) ?? .lost)))
    case 1: session.add(.interval(RRInterval(ticks: .random(in: 0...Int64.max, using: &random))))
    case 2: session.add(.mark("x"), after: .random(in: 0...1000, using: &random))
    case 3:
      session.events.append(
        SessionEvent(at: SessionTime(ticks: .random(in: .min ... .max, using: &random)), .end))
    case 4..<8:
      let length = Int.random(in: 0...600, using: &random)
      session.add(.notification(payload: (0..<length).map { _ in .random(in: 0...255, using: &random) }))
    case 8:
      session.events.append(session.events.randomElement(using: &random) ?? SessionEvent(at: .zero, .end))
    default: session.notify(.random(in: 700...1100, using: &random))
    }
  }
  return session.events
}
