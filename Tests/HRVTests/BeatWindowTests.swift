import HeartRate
import RealModule
import TestSupport
import Testing

@testable import HRV

/// Reference implementation: the beats of the window, with sums computed from scratch.
private struct ReferenceWindow {
  let length: Int64
  var beats: [Beat] = []

  mutating func append(_ beat: Beat) {
    beats.append(beat)
    let oldest = beat.end.ticks - length
    beats.removeFirst(beats.prefix { $0.end.ticks <= oldest }.count)
  }

  var series: NNSeries {
    var series = NNSeries()
    for beat in beats.withoutPrematureBeats { series.append(beat) }
    return series
  }

  /// Computed with floating-point numbers, one difference at a time.
  var pattern: (tail: Double?, noise: Double?) {
    let counted = beats.withoutPrematureBeats
    let differences = counted.indices.map { place -> Double? in
      guard place > 0, counted[place].verdict.isNormal, counted[place - 1].verdict.isNormal,
        !counted[place].followsBreak
      else { return nil }
      return Double(counted[place].rr.ticks - counted[place - 1].rr.ticks)
    }
    let known = differences.compactMap { $0 }
    func mean(_ values: [Double]) -> Double? {
      values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
    func products(_ lag: Int) -> Double? {
      mean(
        differences.indices.dropFirst(lag).compactMap { place in
          let between = differences[(place - lag)...place]
          return between.contains(where: { $0 == nil }) ? nil : between.first!! * between.last!!
        })
    }
    guard let square = mean(known.map { $0 * $0 }), let size = mean(known.map(abs)), square > 0 else {
      return (nil, nil)
    }
    let tail = max(0, Double.log(square.squareRoot() / size / (Double.pi / 2).squareRoot()))
    return (tail, products(1).map { ((products(2) ?? 0) / 4 - $0) / square })
  }
}

/// A random series with artefacts, breaks and beats with equal end times.
private struct RandomBeats {
  var random: SeededGenerator
  var end = SessionTime.zero

  mutating func next() -> Beat {
    let rr = RRInterval(ticks: .random(in: 24_000_000...160_000_000, using: &random))
    let dice = Int.random(in: 0..<100, using: &random)
    if dice > 0 { end = end + rr }
    if dice == 1 { end = end + RRInterval(ticks: .random(in: 0...30_000_000_000, using: &random)) }
    let verdict = dice < 90 ? Verdict.normal : Verdict.allCases.randomElement(using: &random) ?? .normal
    return Beat(
      end: end, rr: rr, verdict: verdict, followsBreak: dice == 1 || dice == 50,
      followsPrematureBeat: dice >= 94 && !verdict.isNormal)
  }
}

private func isNear(_ a: Double?, _ b: Double?) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return abs(a - b) < 1e-9
}

@Test(
  "A sliding window equals one computed from scratch at every beat", arguments: [1, 2, 3], [30, 60, 300])
func streamingEqualsBatch(seed: UInt64, seconds: Int) {
  var source = RandomBeats(random: SeededGenerator(seed: seed))
  var window = BeatWindow(length: .seconds(seconds))
  var plain = ReferenceWindow(length: window.length)
  for _ in 0..<3000 {
    let beat = source.next()
    window.append(beat)
    plain.append(beat)
    let (sums, series) = (window.sums, plain.series)
    guard sums == series.sums, window.beats == series.beats else {
      Issue.record("differs after the beat at \(beat.end.seconds) s")
      return
    }
    #expect(window.artefactFraction == series.artefactFraction)
    let (streamed, batch) = (window.pattern, plain.pattern)
    #expect(isNear(streamed.tail, batch.tail) && isNear(streamed.noise, batch.noise))
    #expect(window.rmssd == sums.rmssd && window.sdnn == sums.sdnn)
  }
}

@Test("Counts read occasionally equal counts read at each beat", arguments: [30, 300], 1...3)
func occasionalReads(seconds: Int, seed: UInt64) {
  var source = RandomBeats(random: SeededGenerator(seed: seed))
  var (often, seldom) = (BeatWindow(length: .seconds(seconds)), BeatWindow(length: .seconds(seconds)))
  var asked = 0
  for _ in 0..<20_000 {
    let beat = source.next()
    often.append(beat)
    seldom.append(beat)
    let (sums, irregularity) = (often.sums, often.irregularity)
    // Reads occur twice in a row, and also after more beats than the window holds.
    guard Int.random(in: 0..<300, using: &source.random) < (asked % 5 == 0 ? 1 : 100) else { continue }
    asked += 1
    guard seldom.irregularity == irregularity, seldom.sums == sums else {
      Issue.record("differs when asked for the \(asked)th time")
      return
    }
  }
  #expect(asked > 50)
}

@Test("A beat is removed when it ended one window length ago") func removalOfOldBeats() {
  var window = BeatWindow(length: .seconds(60))
  let rr = RRInterval(gattUnits: 1024)
  for ticks in [0, 1, 60 * RRInterval.ticksPerSecond] {
    window.append(Beat(end: SessionTime(ticks: ticks), rr: rr, verdict: .normal, followsBreak: false))
  }
  let sums = window.sums
  #expect(window.beats == 2 && sums.differences == 1)
}

@Test("An empty window has no metrics") func emptyWindow() {
  var window = BeatWindow(length: .seconds(60))
  let (sums, irregularity) = (window.sums, window.irregularity)
  #expect(window.beats == 0 && window.artefactFraction == nil && sums == NNSums() && irregularity == nil)
  #expect(window.rmssd == nil && window.sdnn == nil)
}

@Test(
  "A window of non-positive or maximum length holds one or all beats",
  arguments: [Duration.zero, .seconds(-60), .seconds(Int64.max)])
func extremeLengths(_ length: Duration) {
  var source = RandomBeats(random: SeededGenerator(seed: 4))
  var window = BeatWindow(length: length)
  for _ in 0..<500 { window.append(source.next()) }
  #expect(window.beats == (length > .zero ? 500 : 1))
}

/// Ten million beats correspond to more than ten weeks. Takes half a minute in a debug build.
@Test("Ten million beats accumulate no rounding error") func noRoundingError() {
  let count = 10_000_000
  var source = FastBeats()
  var window = BeatWindow(length: .seconds(60))
  var recent: [Beat] = []
  var compared = 0
  for number in 1...count {
    let beat = source.next()
    window.append(beat)
    // 200 beats of at least half a second exceed the length of the window.
    if (number - 1) % 1000 >= 800 { recent.append(beat) }
    guard number % 1000 == 0 else { continue }
    var series = NNSeries()
    let inWindow = recent.filter { $0.end.ticks > source.end - window.length }
    for beat in inWindow.withoutPrematureBeats { series.append(beat) }
    guard window.sums == series.sums, window.beats == series.beats else {
      Issue.record("drifted within \(number) beats")
      return
    }
    compared += 1
    recent.removeAll(keepingCapacity: true)
  }
  #expect(compared == 10_000 && source.end > 70 * 86_400 * RRInterval.ticksPerSecond)
}

/// A fast generator of beats of 500 to 1011 ms with artefacts and breaks.
private struct FastBeats {
  var state: UInt64 = 1
  var end: Int64 = 0

  mutating func next() -> Beat {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let rr = 40_000_000 + Int64(truncatingIfNeeded: state >> 40) & 0x1FF_FFFF
    end &+= rr
    let dice = state >> 56
    return Beat(
      end: SessionTime(ticks: end), rr: RRInterval(ticks: rr), verdict: dice < 5 ? .ectopic : .normal,
      followsBreak: dice == 100, followsPrematureBeat: dice < 2)
  }
}

@Test("Intervals of zero length do not grow the window beyond its maximum")
func zeroIntervals() {
  var window = BeatWindow(length: .seconds(60))
  let nothing = Beat(end: .zero, rr: RRInterval(ticks: 0), verdict: .normal, followsBreak: false)
  for _ in 0..<3 * BeatWindow.mostBeats { window.append(nothing) }
  let sums = window.sums
  #expect(window.beats == BeatWindow.mostBeats && sums.count == window.beats)
  #expect(sums.differences == window.beats - 1 && sums.rmssd == 0 && sums.unchangedFraction == 1)
}

@Test("Intervals of 24 h are summed exactly at maximum capacity")
func longestIntervals() {
  var window = BeatWindow(length: .seconds(60))
  var series = NNSeries()
  let count = 2 * BeatWindow.mostBeats
  for number in 0..<count {
    let rr = RRInterval(ticks: number % 2 == 0 ? 86_400 * RRInterval.ticksPerSecond : Int64(number))
    let beat = Beat(end: .zero, rr: rr, verdict: .normal, followsBreak: false)
    window.append(beat)
    if number >= count - BeatWindow.mostBeats { series.append(beat) }
  }
  let sums = window.sums
  #expect(sums == series.sums && window.rmssd == sums.rmssd && window.sdnn == sums.sdnn)
}

/// A window of beats with these intervals in ms; `verdicts` by place, otherwise normal. With nil, beats are classified.
private func window(_ intervals: [Int], _ verdicts: [Int: Verdict]? = [:]) -> BeatWindow {
  var window = BeatWindow(length: .seconds(60))
  var classifier = ProvisionalClassifier()
  var end = SessionTime.zero
  for (place, length) in intervals.enumerated() {
    let rr = RRInterval(ticks: Int64(length) * RRInterval.ticksPerMillisecond)
    end = end + rr
    let verdict = classifier.classify(rr)
    window.append(
      Beat(
        end: end, rr: rr, verdict: verdicts.map { $0[place] ?? .normal } ?? verdict, followsBreak: place == 0,
        followsPrematureBeat: verdicts == nil && classifier.followsPrematureBeat))
  }
  return window
}

private func pattern(of intervals: [Int]) -> DifferencePattern {
  var window = window(intervals)
  return window.pattern
}

@Test(
  "The interval of a premature beat and its difference are removed when the pause arrives",
  arguments: [
    ([800, 810, 700], [800, 810, 700]),
    ([800, 810, 700, 920], [800, 810]),
    ([800, 810, 700, 920, 800, 810], [800, 810, 800, 810]),
    // The pause is classified as missed, or as long.
    ([800, 810, 700, 1600], [800, 810]), ([800, 810, 620, 1180], [800, 810]),
    // A second premature beat is compared with the interval before the first one.
    ([800, 810, 700, 920, 700, 930, 805], [800, 810, 805]),
    // No pause after a premature beat.
    ([800, 810, 700, 800], [800, 810, 700, 800]), ([800, 810, 750, 1600], [800, 810, 750]),
  ] as [([Int], [Int])])
func prematureBeats(intervals: [Int], counted: [Int]) {
  var (found, plain) = (window(intervals, nil), window(counted))
  let (sums, expected) = (found.sums, plain.sums)
  #expect(sums.count == expected.count && sums.meanNN == expected.meanNN && sums.sdnn == expected.sdnn)
  #expect(found.beats == intervals.count)
}

@Test("The difference that ends with a premature beat is removed when its pause arrives")
func prematureDifference() {
  #expect(window([800, 810, 700], nil).rmssd == (Double(10 * 10 + 110 * 110) / 2).squareRoot())
  #expect(window([800, 810, 700, 920], nil).rmssd == 10)
  #expect(window([800, 810, 700, 920, 800, 810], nil).rmssd == 10)
}

@Test(
  "Only differences between normal beats of more than a tenth count as irregular",
  arguments: [
    (800, 10, nil), (800, 11, 0), (880, 12, 0), (885, 12, 2 / 11.0), (724, 12, 0), (723, 12, 2 / 11.0),
  ] as [(Int, Int, Double?)])
func irregularDifferences(length: Int, count: Int, irregularity: Double?) {
  var intervals = Array(repeating: 800, count: count)
  intervals[5] = length
  var beats = window(intervals)
  #expect(beats.irregularity == irregularity)
  var abnormal = window(intervals + intervals, [5: .ectopic, 5 + count: .missed])
  #expect(abnormal.irregularity == 0)
}

@Test(
  "A window in which every other beat seems to be extra is irregular, also with few differences",
  arguments: [24, 60])
func seemingBigeminy(count: Int) throws {
  let extra = Dictionary(uniqueKeysWithValues: stride(from: 1, to: count, by: 2).map { ($0, Verdict.extra) })
  var beats = window((0..<count).map { $0 % 2 == 0 ? 1250 : 500 }, extra)
  let irregularity = beats.irregularity
  #expect(abs(try #require(irregularity) - 0.6) < 1e-9)
}

@Test("Only ectopic, long and short beats count as abnormal") func abnormalBeats() {
  let all = Verdict.allCases
  var beats = window(
    all.map { _ in 800 }, Dictionary(uniqueKeysWithValues: all.enumerated().map { ($0, $1) }))
  #expect(beats.abnormalBeats == 3)
}

@Test("Normally distributed differences have no tail, one large difference gives one") func tail() throws {
  var random = SeededGenerator(seed: 1)
  var intervals = (0..<60).map { _ in 800 + Int(20 * SyntheticBeats.gaussian(&random)) }
  #expect(abs(try #require(pattern(of: intervals).tail)) < 0.1)
  intervals[30] = 1000
  #expect(try #require(pattern(of: intervals).tail) > 0.25)
  #expect(pattern(of: [800, 800, 800]).tail == nil)
}

@Test("Errors of peak times give a noise of 0.7, slow respiration a negative one") func noise() throws {
  var random = SeededGenerator(seed: 2)
  let peaks = (0..<75).map { 800 * $0 + Int(10 * SyntheticBeats.gaussian(&random)) }
  let jittered = zip(peaks.dropFirst(), peaks).map { $0 - $1 }
  #expect(abs(try #require(pattern(of: jittered).noise) - 0.71) < 0.15)
  let breathing = (0..<75).map { 800 + Int(60 * Double.sin(Double($0) * 2 * .pi / 12)) }
  #expect(try #require(pattern(of: breathing).noise) < -0.5)
}

@Test(
  "Regular breathing has no randomness at any rate, errors of peak times are random",
  arguments: [2.4, 3, 4, 8, 15])
func randomness(beatsPerBreath: Double) {
  var random = SeededGenerator(seed: 3)
  let breathing = (0..<75).map { 1000 + Int(60 * Double.sin(Double($0) * 2 * .pi / beatsPerBreath)) }
  #expect(pattern(of: breathing).randomness == 0)
  let peaks = (0..<75).map { 800 * $0 + Int(10 * SyntheticBeats.gaussian(&random)) }
  #expect(pattern(of: zip(peaks.dropFirst(), peaks).map { $0 - $1 }).randomness == 1)
  #expect(pattern(of: [800, 800, 800]).randomness == 1)
}

@Test("Large differences of regular breathing are not irregular, random ones are") func regularDifferences()
  throws
{
  var breathing = window((0..<75).map { 1000 + Int(150 * Double.sin(Double($0) * 2 * .pi / 4.3)) })
  #expect(breathing.irregularity == 0)
  var random = SeededGenerator(seed: 4)
  var fibrillation = window((0..<75).map { _ in Int.random(in: 550...950, using: &random) })
  let irregularity = fibrillation.irregularity
  #expect(try #require(irregularity) > 0.4)
}

@Test("The pattern does not depend on how often it is read, while beats enter and leave the window")
func patternReadAtEachBeat() {
  var random = SeededGenerator(seed: 3)
  var (often, once) = (BeatWindow(length: .seconds(30)), BeatWindow(length: .seconds(30)))
  var end = SessionTime.zero
  for place in 0..<400 {
    let rr = RRInterval(ticks: Int64.random(in: 500...1100, using: &random) * RRInterval.ticksPerMillisecond)
    end = end + rr
    let drawn = Verdict.allCases.randomElement(using: &random) ?? .normal
    let verdict = place % 5 == 0 ? drawn : .normal
    let beat = Beat(end: end, rr: rr, verdict: verdict, followsBreak: place % 97 == 0)
    often.append(beat)
    once.append(beat)
    if place % 50 == 49 { #expect(often.pattern == once.pattern && often.sums == once.sums) }
    #expect(often.pattern.tail.map { $0 >= 0 } ?? true)
  }
}
