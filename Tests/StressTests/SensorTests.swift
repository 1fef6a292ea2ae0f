import HRV
import HeartRate
import Stress
import TestSupport
import Testing

/// Returns the final class of `rr`, and the time in s of the first classification as smoothed.
private func classify(_ rr: some Sequence<RRInterval>) -> (last: SensorClass?, smoothedAt: Double?) {
  var classifier = SensorClassifier()
  var time = SessionTime.zero
  var smoothedAt: Double?
  for interval in rr {
    time = time + interval
    let verdict = interval.milliseconds > 3000 ? Verdict.gap : .normal
    classifier.append(Beat(end: time, rr: interval, verdict: verdict, followsBreak: false))
    if classifier.sensorClass == .smoothed, smoothedAt == nil { smoothedAt = time.seconds }
  }
  return (classifier.sensorClass, smoothedAt)
}

/// A resting heart with respiratory sinus arrhythmia at `breaths` per minute, at a resolution of 1/1024 s.
private func heart(seed: UInt64, breaths: Double, swing: Double, noise: Double, beats: Int) -> [RRInterval] {
  var random = SeededGenerator(seed: seed)
  var seconds = 0.0
  return (0..<beats).map { _ in
    // A triangle wave approximates the respiratory modulation.
    let phase = (seconds * breaths / 60).truncatingRemainder(dividingBy: 1)
    let wave = 4 * abs(phase - 0.5) - 1
    let jitter = (0..<6).reduce(0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } / 1.41
    let units = 940 + swing * wave + noise * jitter
    seconds += units / 1024
    return RRInterval(gattUnits: UInt16(units.rounded()))
  }
}

private func mean(of count: Int, _ rr: [RRInterval]) -> [RRInterval] {
  (count..<rr.count).map { end in
    RRInterval(ticks: rr[(end - count + 1)...end].reduce(0) { $0 + $1.ticks } / Int64(count))
  }
}

@Test(
  "Real beat-to-beat recordings are never classified as smoothed", .enabled(if: SharedData.isAvailable),
  arguments: SharedData.recordings)
func recordingsAreBeatToBeat(_ name: String) throws {
  let (last, smoothedAt) = classify(try SharedData.intervals(of: name))
  #expect(last == .beatToBeat && smoothedAt == nil)
}

@Test("Simulated hearts are classified as beat-to-beat") func simulatedHearts() {
  for seed in 0..<20 as Range<UInt64> {
    for (breaths, swing, noise) in [
      (14.0, 30.0, 15.0), (6, 110, 10), (5, 160, 14), (9, 60, 12), (14, 100, 30), (14, 5, 9), (22, 12, 10),
    ] {
      let rr = heart(seed: seed, breaths: breaths, swing: swing, noise: noise, beats: 600)
      #expect(classify(rr).last == .beatToBeat, "seed \(seed), \(breaths) breaths of \(swing) units")
    }
  }
}

@Test("The beat-to-beat class is detected within 49 beats") func timeToBeatToBeat() {
  #expect(classify(heart(seed: 1, breaths: 14, swing: 30, noise: 15, beats: 40)).last == nil)
  #expect(classify(heart(seed: 1, breaths: 14, swing: 30, noise: 15, beats: 49)).last == .beatToBeat)
}

@Test(
  "Moving averages are detected within two minutes in at least two of five simulated hearts",
  arguments: [(2, 14), (3, 15), (4, 10), (5, 8), (6, 9), (7, 10), (8, 16)])
func movingAverages(of count: Int, inAtLeast fewest: Int) {
  let found = (0..<20 as Range<UInt64>).filter { seed in
    let breaths = 8 + Double(seed) * 0.6
    let rr = mean(of: count, heart(seed: seed, breaths: breaths, swing: 30, noise: 15, beats: 400))
    return classify(rr).smoothedAt ?? .infinity <= 120
  }
  // Respiration at a zero of the moving average's frequency response can mask the notch.
  #expect(found.count >= fewest, "found \(found.count) of 20")
}

@Test(
  "Moving averages of supine rest are detected within their time limit",
  .enabled(if: SharedData.isAvailable),
  arguments: [(2, 180.0), (3, 245), (4, 110), (5, 145), (6, 465), (7, 130), (8, 295)])
func movingAveragesOfRest(of count: Int, within seconds: Double) throws {
  let rr = mean(of: count, try SharedData.intervals(of: "rest_supine"))
  #expect(classify(rr).last == .smoothed)
  #expect(classify(rr).smoothedAt ?? .infinity < seconds)
}

@Test(
  "Moving averages above 86 bpm are detected within 160 beats in at least one of five cases",
  .enabled(if: SharedData.isAvailable), arguments: [4, 5, 7, 8])
func movingAveragesOfFastHeart(of count: Int) throws {
  let stretches = try beginnings(of: "exercise_ectopics", intervals: 400..<690)
  #expect(stretches.count > 5)
  #expect(stretches.allSatisfy { classify($0).smoothedAt == nil })
  let found = stretches.count { classify(mean(of: count, Array($0))).smoothedAt != nil }
  #expect(5 * found >= stretches.count, "found \(found) of \(stretches.count)")
}

/// Returns 160 intervals from every minute of `name` whose first 80 have a mean within `intervals` in ms; the
/// default is below 86 bpm.
private func beginnings(
  of name: String, intervals: Range<Double> = 700..<2000
) throws -> [ArraySlice<RRInterval>] {
  let rr = try SharedData.intervals(of: name).prefix(20_000)
  var beginnings: [ArraySlice<RRInterval>] = []
  var seconds = 0.0
  for (place, interval) in rr.enumerated() where place + 160 <= rr.count {
    seconds += interval.milliseconds / 1000
    guard seconds >= 60 else { continue }
    seconds -= 60
    let length = rr[place..<(place + 80)].reduce(0) { $0 + $1.milliseconds }
    if intervals.contains(length / 80) { beginnings.append(rr[place..<(place + 160)]) }
  }
  return beginnings
}

@Test(
  "Averages of five intervals are detected within two minutes from many starts, and the originals are not",
  .enabled(if: SharedData.isAvailable),
  arguments: [
    ("rest_supine", 80), ("exercise_ectopics", 55), ("h10_walk_run", 90), ("nsr001_24h", 50),
    ("mitdb100_apc", 35),
  ])
func averagesOfFive(of name: String, percent: Int) throws {
  let stretches = try beginnings(of: name)
  #expect(stretches.count > 5)
  #expect(stretches.allSatisfy { classify($0).smoothedAt == nil })
  let found = stretches.filter { classify(mean(of: 5, Array($0))).smoothedAt ?? .infinity <= 120 }
  #expect(100 * found.count >= percent * stretches.count, "found \(found.count) of \(stretches.count)")
}

@Test("Constant intervals are classified as smoothed within 15 s") func constantIntervalsSmoothed() throws {
  let (last, smoothedAt) = classify(Array(repeating: RRInterval(gattUnits: 512), count: 120))
  #expect(last == .smoothed && smoothedAt ?? .infinity < 15)
}

@Test(
  "A strap that sends constant intervals first is reclassified as beat-to-beat", arguments: [380.0, 512, 900])
func reclassification(units: Double) {
  var random = SeededGenerator(seed: 4)
  let dry = Array(repeating: RRInterval(gattUnits: UInt16(units)), count: 60)
  let wet = (0..<100).map { _ in
    RRInterval(gattUnits: UInt16(units * .random(in: 0.96...1.04, using: &random)))
  }
  #expect(classify(dry).last == .smoothed)
  #expect(classify(dry + wet).last == .beatToBeat)
}

@Test("Intervals sent twice are classified as smoothed within 30 s") func intervalsSentTwice() throws {
  let rr = heart(seed: 3, breaths: 14, swing: 30, noise: 15, beats: 60).flatMap { [$0, $0] }
  #expect(classify(rr).smoothedAt ?? .infinity < 30)
}

@Test("Intervals derived from a rounded heart rate are classified as smoothed") func intervalsFromHeartRate()
  throws
{
  let rr = heart(seed: 3, breaths: 2, swing: 20, noise: 1, beats: 120).map { interval in
    RRInterval(gattUnits: UInt16(61_440 / (60_000 / interval.milliseconds).rounded()))
  }
  #expect(classify(rr).smoothedAt ?? .infinity < 60)
}

@Test("A sensor without intervals is classified as no-rr") func sensorWithoutIntervals() {
  var engine = StressEngine()
  var session = Session()
  var found: [SensorClass] = []
  for second in 0..<40 {
    let value = HeartRateMeasurement(heartRate: 72, contact: .unsupported)
    let at = SessionTime(ticks: Int64(second) * RRInterval.ticksPerSecond)
    session.events.append(SessionEvent(at: at, .notification(payload: value.encoded())))
  }
  for event in session.events {
    engine.update(event) { _ in }
    if let kind = engine.sensorClass, kind != found.last { found.append(kind) }
  }
  #expect(found == [.noRR])
}

@Test(
  "Missing intervals give no class if the sensor detects no beat or no contact",
  arguments: [(0, SensorContact.unsupported), (255, .unsupported), (72, .notDetected)]
    as [(UInt16, SensorContact)])
func explainedSilence(heartRate: UInt16, contact: SensorContact) {
  var classifier = SensorClassifier()
  for _ in 0..<100 { classifier.append(HeartRateMeasurement(heartRate: heartRate, contact: contact)) }
  #expect(classifier.sensorClass == nil)
}

@Test("An interval resets the class no-rr") func resetNoRR() {
  var classifier = SensorClassifier()
  for _ in 0..<100 { classifier.append(HeartRateMeasurement(heartRate: 72)) }
  #expect(classifier.sensorClass == .noRR)
  classifier.append(HeartRateMeasurement(heartRate: 72, rrIntervals: RRIntervals(gattUnits: [850])))
  classifier.append(Beat(end: .zero, rr: RRInterval(gattUnits: 850), verdict: .normal, followsBreak: true))
  #expect(classifier.sensorClass == nil)
}

@Test("Arbitrary intervals are never classified as no-rr") func arbitraryIntervalsClass() {
  for seed in 0..<200 as Range<UInt64> {
    var random = SeededGenerator(seed: seed)
    var classifier = SensorClassifier()
    for _ in 0..<100 {
      let ticks =
        Int64.random(in: 0...86_400 * RRInterval.ticksPerSecond, using: &random)
        >> Int.random(in: 0...42, using: &random)
      classifier.append(
        Beat(
          end: .zero, rr: RRInterval(ticks: ticks), verdict: Bool.random(using: &random) ? .gap : .normal,
          followsBreak: Bool.random(using: &random)))
    }
    #expect(classifier.sensorClass != .noRR)
  }
}

@Test(
  "An irregular rhythm has a low confidence and no category, with and without classification",
  .enabled(if: SharedData.contains(.labelledAF)), arguments: BeatStream.Classification.allCases)
func rhythm(_ classification: BeatStream.Classification) throws {
  func windows(_ name: String, in directory: SharedData.Directory) throws -> [StressMeasurement] {
    var session = Session()
    for interval in try SharedData.intervals(of: name, in: directory) { session.notify(interval.gattUnits) }
    return StressEngine.measurements(
      of: session.events, settings: .init(classification: classification), baseline: .mature
    )
    .filter { $0.time.seconds > 60 && $0.score != nil }
  }
  let fibrillation = try windows("m203", in: .labelledAF)
  #expect(fibrillation.count { $0.confidence.value >= 0.5 } * 20 <= fibrillation.count)
  #expect(fibrillation.count { $0.statedCategory == nil } * 100 >= fibrillation.count * 95)
  for sinus in try [windows("rest_supine", in: .rr), windows("mitdb100_apc", in: .rr)] {
    #expect(sinus.allSatisfy { $0.confidence[.rhythm] == 1 && $0.statedCategory != nil })
  }
}

@Test("Respiratory sinus arrhythmia up to an RMSSD of 80 ms does not lower the rhythm factor")
func sinusArrhythmia() throws {
  for seed in 0..<10 as Range<UInt64> {
    for (breaths, swing, noise) in [(14.0, 70.0, 25.0), (6, 150, 25)] {
      var session = Session()
      for rr in heart(seed: seed, breaths: breaths, swing: swing, noise: noise, beats: 300) {
        session.notify(rr.gattUnits)
      }
      let last = try #require(StressEngine.measurements(of: session.events, baseline: .mature).last)
      #expect(last.confidence[.rhythm] ?? 0 > 0.9, "RMSSD \(last.nn.rmssd ?? 0)")
    }
  }
}

@Test("A band that smooths its intervals is scored once PPI has replaced them for the evidence of a class")
func pulseIntervalsReplaceSmoothedOnes() {
  let rr = heart(seed: 4, breaths: 14, swing: 30, noise: 15, beats: 400)
  var engine = StressEngine()
  var (classes, scores): ([SensorClass?], [Bool]) = ([], [])
  var time = SessionTime.zero
  func process(_ kind: SessionEvent.Kind) {
    engine.update(SessionEvent(at: time, kind)) { scores.append($0.score != nil) }
    if classes.last != engine.sensorClass { classes.append(engine.sensorClass) }
  }
  for (index, interval) in rr.enumerated() {
    time = time + interval
    let rate =
      61_440
      / Double(
        rr[max(0, index - 7)...index].reduce(0) { $0 + Int64($1.gattUnits) } / Int64(min(8, index + 1)))
    let smoothed = UInt16((61_440 / rate.rounded()).rounded())
    process(
      .notification(
        payload: HeartRateMeasurement(
          heartRate: UInt16(rate.rounded()), rrIntervals: RRIntervals(gattUnits: [smoothed])
        ).encoded()))
    if index == 150 { process(.stream(SensorStreamChange(.ppi, .started))) }
    guard index > 160 else { continue }
    let pulse = PulseInterval(heartRate: 70, milliseconds: UInt16(interval.milliseconds.rounded()), error: 5)
    process(.sensorFrame(payload: SensorFrame.encoded(pulses: [pulse], timestamp: 0)))
  }
  #expect(classes == [nil, .smoothed, .beatToBeat])
  #expect(scores.last == true)
}
