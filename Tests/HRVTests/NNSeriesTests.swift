import HRV
import HeartRate
import TestSupport
import Testing

extension Double {
  /// Whether both numbers are equal within `tolerance`, relative to the larger.
  func isNear(_ other: Double?, within tolerance: Double) -> Bool {
    guard let other else { return false }
    return abs(self - other) <= tolerance * max(abs(self), abs(other))
  }
}

func intervals(_ milliseconds: [Double]) -> [RRInterval] {
  milliseconds.compactMap { RRInterval(milliseconds: $0) }
}

@Test("The metrics of five intervals equal the manual calculation") func fiveIntervals() throws {
  let series = NNSeries(raw: intervals([800, 810, 790, 790, 850]))
  // Differences 10, -20, 0, 60; deviations from the mean -8, 2, -18, -18, 42.
  #expect(series.sums.count == 5 && series.sums.differences == 4 && series.beats == 5)
  #expect(series.sums.meanNN == 808)
  #expect((60_000.0 / 808).isNear(series.sums.meanHeartRate, within: 1e-15))
  #expect((620.0).squareRoot().isNear(series.sums.sdnn, within: 1e-15))
  #expect((1025.0).squareRoot().isNear(series.sums.rmssd, within: 1e-15))
  #expect((3475.0 / 3).squareRoot().isNear(series.sums.sdsd, within: 1e-15))
  #expect(series.sums.pNN50 == 25 && series.sums.pNN20 == 25)
  #expect((3475.0 / 6).squareRoot().isNear(series.sums.sd1, within: 1e-15))
  #expect((1240 - 3475.0 / 6).squareRoot().isNear(series.sums.sd2, within: 1e-14))
  #expect((3.466223945786).isNear(series.sums.lnRMSSD, within: 1e-9))
  #expect(series.minHeartRate == 60_000.0 / 850 && series.maxHeartRate == 60_000.0 / 790)
  #expect(series.artefactFraction == 0)
}

@Test("The beats of intervals have the verdicts of the intervals, and the series of beats omits artefacts")
func classifiedIntervals() throws {
  var lengths = (0..<120).map { 800 + Double($0 * 7 % 23) }
  (lengths[60], lengths[61], lengths[90]) = (500, 1080, 4000)
  let rr = intervals(lengths)
  let start = try #require(SessionTime(seconds: 10))
  let beats = ArtefactClassifier.classify(rr, from: start)
  #expect(beats.map(\.rr) == rr)
  #expect(beats.map(\.verdict) == ArtefactClassifier.verdicts(on: rr))
  #expect(beats.map(\.followsBreak).firstIndex(of: true) == 91)
  #expect(beats.first.map { $0.end - $0.rr } == start)
  #expect(beats.last?.end.ticks == rr.reduce(start.ticks) { $0 + $1.ticks })
  let series = NNSeries(beats)
  #expect(series.beats == 120 && series.sums.count == 117)
  var appended = NNSeries()
  for beat in beats { appended.append(beat) }
  #expect(series == appended)
  #expect(try #require(series.sums.rmssd) < 20)
}

@Test("Metrics are nil with too few beats") func tooFewBeats() {
  let none = NNSeries()
  #expect(none.sums.meanNN == nil && none.sums.meanHeartRate == nil && none.artefactFraction == nil)
  #expect(none.minHeartRate == nil && none.maxHeartRate == nil)
  let one = NNSeries(raw: intervals([800])).sums
  #expect(one.meanNN == 800 && one.sdnn == nil && one.rmssd == nil && one.pNN50 == nil && one.lnRMSSD == nil)
  #expect(one.unchangedFraction == nil)
  #expect(NNSeries(raw: intervals([800, 800, 801, 801, 800.9999])).sums.unchangedFraction == 0.5)
  let two = NNSeries(raw: intervals([800, 850])).sums
  #expect(two.rmssd == 50 && two.sdsd == nil && two.sd1 == nil && two.sd2 == nil && two.pNN50 == 0)
  let still = NNSeries(raw: intervals([800, 800, 800])).sums
  #expect(still.rmssd == 0 && still.lnRMSSD == nil && still.sdnn == 0 && still.sd2 == 0)
  #expect(still.unchangedFraction == 1)
  let zero = NNSeries(raw: intervals([0, 0, 0]))
  #expect(zero.sums.meanNN == 0 && zero.sums.meanHeartRate == nil && zero.minHeartRate == nil)
  #expect(NNSeries(raw: intervals([800, 900, 800])).sums.sd2 == nil)
}

@Test("pNN50 and pNN20 count differences strictly above the limit") func strictLimits() {
  #expect(NNSeries(raw: intervals([800, 850, 800.0001])).sums.pNN50 == 0)
  #expect(NNSeries(raw: intervals([800, 850.0001, 800])).sums.pNN50 == 100)
  #expect(NNSeries(raw: intervals([800, 780, 800])).sums.pNN20 == 0)
  #expect(NNSeries(raw: intervals([800, 779.9999, 800])).sums.pNN20 == 100)
}

@Test("Differences do not span artefacts or breaks") func noDifferenceAcrossArtefacts() {
  var series = NNSeries()
  let beats: [(Double, Verdict, Bool)] = [
    (800, .normal, true), (810, .normal, false), (500, .ectopic, false), (820, .normal, false),
    (830, .normal, true), (900, .normal, false), (3500, .gap, false), (700, .normal, true),
    (720, .normal, false),
  ]
  for (milliseconds, verdict, followsBreak) in beats {
    let rr = RRInterval(ticks: Int64(milliseconds * 80_000))
    series.append(Beat(end: .zero, rr: rr, verdict: verdict, followsBreak: followsBreak))
  }
  // 800-810, 830-900 and 700-720.
  #expect(series.beats == 9 && series.sums.count == 7 && series.sums.differences == 3)
  #expect(series.sums.rmssd == 1800.0.squareRoot())
  #expect(series.artefactFraction == 2.0 / 9)
  #expect(series.minHeartRate == 60_000.0 / 900)
}

@Test("Metrics equal the direct formulas for random series", arguments: 0..<20)
func plainFormulas(seed: UInt64) throws {
  var random = SeededGenerator(seed: seed)
  let rr = (0..<Int.random(in: 3...400, using: &random)).map { _ in
    RRInterval(ticks: .random(in: 24_000_000...160_000_000, using: &random))
  }
  let sums = NNSeries(raw: rr).sums
  let plain = ReferenceMetrics(rr.map(\.milliseconds))
  #expect(plain.mean.isNear(sums.meanNN, within: 1e-12))
  #expect(plain.sdnn.isNear(sums.sdnn, within: 1e-12))
  #expect(plain.rmssd.isNear(sums.rmssd, within: 1e-12))
  #expect(plain.sdsd.isNear(sums.sdsd, within: 1e-12))
  #expect(plain.pNN50 == sums.pNN50)
}

@Test("RMSSD and SDNN do not change with a constant offset", arguments: 0..<10)
func offset(seed: UInt64) {
  var random = SeededGenerator(seed: seed)
  let rr = (0..<200).map { _ in Int64.random(in: 40_000_000...100_000_000, using: &random) }
  let sums = NNSeries(raw: rr.map { RRInterval(ticks: $0) }).sums
  let moved = NNSeries(raw: rr.map { RRInterval(ticks: $0 + 12_345_678) }).sums
  #expect(sums.rmssd == moved.rmssd && sums.sdnn == moved.sdnn && sums.sdsd == moved.sdsd)
}

@Test("Intervals of 24 h do not overflow") func noOverflow() throws {
  let day = RRInterval(ticks: .max)
  let sums = NNSeries(raw: (0..<10_000).map { $0.isMultiple(of: 2) ? day : RRInterval(ticks: 0) }).sums
  #expect(sums.rmssd == 86_400_000 && sums.meanNN == 43_200_000)
  #expect((43_200_000 * (10_000.0 / 9999).squareRoot()).isNear(sums.sdnn, within: 1e-12))
}

/// The metrics computed in floating point, directly from their definitions.
struct ReferenceMetrics {
  var mean: Double
  var sdnn: Double
  var rmssd: Double
  var sdsd: Double
  var pNN50: Double

  init(_ rr: [Double]) {
    let differences = zip(rr.dropFirst(), rr).map { $0 - $1 }
    mean = Self.mean(rr)
    sdnn = Self.deviation(rr)
    rmssd = Self.mean(differences.map { $0 * $0 }).squareRoot()
    sdsd = Self.deviation(differences)
    pNN50 = 100 * Double(differences.count { abs($0) > 50 }) / Double(differences.count)
  }

  private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  private static func deviation(_ values: [Double]) -> Double {
    let mean = mean(values)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)).squareRoot()
  }
}

@Test("Batch addition equals adding intervals one by one", arguments: 1...40)
func batchEqualsSingle(seed: Int) {
  var random = SeededGenerator(seed: UInt64(seed))
  let count = Int.random(in: 0...400, using: &random)
  let longest: Int64 = seed.isMultiple(of: 3) ? 86_400_000 : 3_300
  let rr = (0..<count).map { _ in
    RRInterval(
      ticks: Int64.random(in: 0...longest, using: &random) * Int64.random(in: 0...80_000, using: &random))
  }
  var one = NNSeries()
  for interval in rr { one.append(Beat(end: .zero, rr: interval, verdict: .normal, followsBreak: false)) }
  #expect(NNSeries(raw: rr) == one)
  var pieces = NNSeries()
  var rest = rr[...]
  while !rest.isEmpty {
    let piece = rest.prefix(Int.random(in: 1...90, using: &random))
    pieces.append(raw: Array(piece))
    rest = rest.dropFirst(piece.count)
  }
  #expect(pieces == one)
}
