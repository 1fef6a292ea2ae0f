import HRV
import HeartRate
import TestSupport
import Testing

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
    for beat in beats { series.append(beat) }
    return series
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
    return Beat(end: end, rr: rr, verdict: verdict, followsBreak: dice == 1 || dice == 50)
  }
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
    let (sums, jumps) = (often.sums, often.jumpFraction)
    // Reads occur twice in a row, and also after more beats than the window holds.
    guard Int.random(in: 0..<300, using: &source.random) < (asked % 5 == 0 ? 1 : 100) else { continue }
    asked += 1
    guard seldom.jumpFraction == jumps, seldom.sums == sums else {
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
  let (sums, jumps) = (window.sums, window.jumpFraction)
  #expect(window.beats == 0 && window.artefactFraction == nil && sums == NNSums() && jumps == nil)
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
    for beat in recent where beat.end.ticks > source.end - window.length { series.append(beat) }
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
      followsBreak: dice == 100)
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
