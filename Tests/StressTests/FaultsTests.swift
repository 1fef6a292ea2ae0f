import HRV
import HeartRate
import RealModule
import Stress
import TestSupport
import Testing

/// The last measurement of a session with a mature baseline.
private func last(_ session: Session) throws -> StressMeasurement {
  try #require(StressEngine.measurements(of: session.events, baseline: .mature).last)
}

/// The factors below 1.
private func lowered(_ measurement: StressMeasurement) -> [Confidence.Factor] {
  measurement.confidence.known.filter { $0.value < 1 }.map(\.factor)
}

@Test("A complete window without artefacts and a mature baseline has a confidence of 1") func fullConfidence()
  throws
{
  for seed in 0..<20 as Range<UInt64> {
    let measurements = StressEngine.measurements(
      of: Session.rest(beats: 300, seed: seed).events, baseline: .mature)
    for measurement in measurements.suffix(120) {
      #expect(measurement.confidence.value == 1, "\(lowered(measurement))")
      #expect(measurement.confidence.known.count == 12)
    }
  }
}

@Test(
  "In a complete window without artefacts, only the rule factors can be below 1",
  arguments: [
    // Mean interval and respiratory modulation in 1/1024 s, and the factors below 1; the modulation determines
    // HRV.
    (1024, 10, [.lowHRV]), (1024, 60, []), (1700, 70, [.heartRateRange]),
    (325, 9, [.lowHRV, .heartRateRange, .exertion]),
  ] as [(Int, Int, [Confidence.Factor])])
func ruleFactors(mean: Int, swing: Int, factors: [Confidence.Factor]) throws {
  var random = SeededGenerator(seed: 1)
  var session = Session()
  let noise = max(swing / 3, 8)
  for beat in 0..<400 {
    let wave = swing * [0, 3, 5, 3, 0, -3, -5, -3][beat % 8] / 5
    session.notify(UInt16(mean + wave + Int.random(in: -noise...noise, using: &random)))
  }
  let measurement = try last(session)
  #expect(lowered(measurement) == factors)
  let product = factors.reduce(1) { $0 * (measurement.confidence[$1] ?? 1) }
  #expect(abs(measurement.confidence.value - product) < 1e-9)
}

@Test("The lost data factor is below 1 until the window is full") func fillingWindow() throws {
  let measurements = StressEngine.measurements(of: Session.rest(beats: 71).events, baseline: .mature)
  let factors = try measurements.map { try #require($0.confidence[.lostData]) }
  #expect(factors[0] < factors[40] && factors[40] < 1 && factors[70] == 1)
  #expect(lowered(measurements[40]) == [.lostData] && measurements[70].confidence.value == 1)
}

@Test("On the first day only the baseline factor is below 1") func firstDay() throws {
  let measurement = try #require(StressEngine.measurements(of: Session.rest(beats: 100).events).last)
  #expect(lowered(measurement) == [.baseline] && measurement.confidence.value == 0.9)
}

@Test("Losing half of the notifications lowers the lost data factor") func lostNotifications() throws {
  var session = Session.rest(beats: 200)
  session.events = session.events.enumerated().filter { ($0.offset / 4).isMultiple(of: 2) }.map(\.element)
  let measurement = try last(session)
  #expect(lowered(measurement).contains(.lostData) && measurement.confidence.value < 1)
  #expect(abs((measurement.coverage ?? 0) - 0.5) < 0.06)
}

@Test("Duplicate notifications widen the interval upwards in HRV") func duplicates() throws {
  var session = Session.rest(beats: 200)
  session.events = session.events.flatMap { [$0, $0] }
  let measurement = try last(session)
  #expect(abs(measurement.quality.duplicates - 0.97) < 0.02 && abs((measurement.coverage ?? 0) - 2) < 0.02)
  let quantities = StressInterval.components(measurement.quality).map(\.quantity)
  #expect(quantities.contains(.duplicates))
}

@Test("One lost notification does not lower confidence") func oneLostNotification() throws {
  var session = Session.rest(beats: 200)
  session.events.remove(at: 180)
  #expect(try last(session).confidence[.lostData] ?? 0 > 0.99)
}

@Test("Lost contact lowers the contact factor") func contactLost() throws {
  var session = Session.rest(beats: 60)
  for _ in 0..<140 { session.notify(870, 920, contact: .notDetected) }
  let measurement = try last(session)
  #expect(measurement.confidence[.contact] ?? 1 < 0.75 && measurement.quality.contactLost == 1)
}

@Test("A sensor without contact detection keeps a contact factor of 1") func unsupportedContact() throws {
  var session = Session()
  for beat in 0..<200 { session.notify(beat.isMultiple(of: 2) ? 850 : 900, contact: .unsupported) }
  #expect(try last(session).confidence[.contact] == 1)
}

@Test("A sensor that always sends 500 ms gets no score and a low confidence") func constantIntervals() throws
{
  var session = Session()
  for _ in 0..<200 { session.notify(512) }
  let measurement = try last(session)
  #expect(measurement.score == nil && measurement.sensorClass == .smoothed)
  #expect(lowered(measurement) == [.sensor] && abs(measurement.confidence.value - 0.1) < 1e-9)
}

@Test("A sensor that repeats each interval five times lowers the sensor factor") func repeatedIntervals()
  throws
{
  var session = Session()
  for beat in 0..<200 { session.notify(900 + UInt16(beat / 5 % 3) * 40) }
  #expect(try lowered(last(session)).contains(.sensor))
}

@Test("Beats sent in batches with a delay of up to a second are not lost data", arguments: 0..<5)
func batches(seed: UInt64) throws {
  var random = SeededGenerator(seed: seed)
  var session = Session()
  var pending: [UInt16] = []
  var truth = 0.0
  var arrival = 1.0
  for _ in 0..<300 {
    let units = UInt16.random(in: 850...950, using: &random)
    truth += Double(units) / 1024
    while truth > arrival {
      session.bundle(pending, at: arrival + .random(in: 0...1, using: &random))
      pending = []
      arrival += 1
    }
    pending.append(units)
  }
  let measurements = StressEngine.measurements(of: session.events, baseline: .mature)
  #expect(measurements.suffix(200).allSatisfy { $0.confidence[.lostData] == 1 })
}

@Test("Frequent ectopic beats in sinus rhythm lower the factor of abnormal beats only")
func frequentEctopicBeats() throws {
  var session = Session()
  for beat in 0..<300 { session.notify([870, 905, 500, 1240][beat % 4]) }
  let measurement = try last(session)
  #expect(measurement.artefactFraction > 0.25 && measurement.confidence[.abnormalBeats] ?? 1 < 0.9)
  #expect(measurement.confidence[.rhythm] == 1 && measurement.statedCategory != nil)
}

@Test("Missed beats do not lower the factors of abnormal beats and rhythm") func missedBeats() throws {
  var session = Session.rest(beats: 20)
  for beat in 0..<100 { session.notify(beat % 10 == 9 ? 1740 : 870 + UInt16(beat & 2) * 15) }
  let measurement = try last(session)
  #expect(measurement.artefactFraction > 0.08 && measurement.confidence[.abnormalBeats] == 1)
  #expect(measurement.confidence[.rhythm] == 1)
}

@Test("After an hour without data the window fills as at the start") func hourWithoutData() throws {
  var session = Session.rest(beats: 200)
  session.add(.link(LinkChange(.lost)))
  session.add(.link(LinkChange(.connected)), after: 3600)
  for beat in 0..<40 { session.notify(beat.isMultiple(of: 2) ? 870 : 920) }
  let measurement = try last(session)
  #expect(lowered(measurement).contains(.lostData) && measurement.beats == 40)
}

@Test("A source without arrival times has no coverage and no contact factor") func noArrivalTimes() throws {
  var session = Session()
  for beat in 0..<100 {
    let rr = RRInterval(gattUnits: beat.isMultiple(of: 2) ? 850 : 900)
    session.add(.interval(rr))
    session.events[beat].at = SessionTime(ticks: Int64((beat + 1) / 2 * 850 + beat / 2 * 900 + 850) * 78_125)
  }
  let measurement = try last(session)
  #expect(measurement.coverage == nil)
  #expect(measurement.confidence[.contact] == nil && measurement.confidence[.lostData] != nil)
}

@Test(
  "A slow heart keeps its confidence at ordinary breathing rates",
  arguments: [(42.0, 18.0), (46, 20), (50, 18), (54, 22), (58, 20), (62, 22)], [20.0, 40, 80])
func slowHearts(rates: (heart: Double, breaths: Double), amplitude: Double) throws {
  var random = SeededGenerator(seed: 7)
  var session = Session()
  var (time, sent) = (0.0, 0.0)
  for _ in 0..<150 {
    let phase = 2 * Double.pi * rates.breaths * time / 60
    time += 60 / rates.heart + amplitude / 1000 * Double.sin(phase)
    // The R peaks are detected with a jitter of 2 ms.
    let normal = (0..<12).reduce(-6.0) { sum, _ in sum + .random(in: 0..<1, using: &random) }
    let peak = time + 0.002 * normal
    session.notify(UInt16(((peak - sent) * 1024).rounded()))
    sent = peak
  }
  let confidence = try last(session).confidence
  #expect(confidence[.noise] == 1 && confidence[.rhythm] == 1, "\(confidence.known)")
}
