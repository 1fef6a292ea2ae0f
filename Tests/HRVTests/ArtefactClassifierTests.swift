import HeartRate
import TestSupport
import Testing

@testable import HRV

/// Sinus rhythm with all types of artefacts, in steps of `step` ms.
func disturbedSeries(seed: UInt64, count: Int, step: Double) -> [RRInterval] {
  var generator = SeededGenerator(seed: seed)
  var milliseconds: [Double] = []
  var level = 800.0
  while milliseconds.count < count {
    level = min(max(level + .random(in: -15...15, using: &generator), 450), 1300)
    let rr = level + .random(in: -30...30, using: &generator)
    switch Int.random(in: 0..<60, using: &generator) {
    case 0: milliseconds += [0.7 * rr, 1.3 * rr]
    case 1: milliseconds += [2 * rr]
    case 2: milliseconds += [0.4 * rr, 0.6 * rr]
    case 3: milliseconds += [rr * .random(in: 0.3...2.5, using: &generator)]
    default: milliseconds += [rr]
    }
  }
  return milliseconds.prefix(count).compactMap { RRInterval(milliseconds: ($0 / step).rounded() * step) }
}

/// An interval from zero to more than a day, with a log-uniform distribution.
func anyInterval(using generator: inout SeededGenerator) -> RRInterval {
  let bits = Int64.random(in: 0..<44, using: &generator)
  return RRInterval(ticks: Int64.random(in: 0...(1 << bits), using: &generator))
}

/// Classifies intervals that are surrounded by a regular rhythm.
private func judged(_ middle: [Double], criteria: ArtefactCriteria = .standard) -> [Verdict] {
  let calm = (0..<60).map { [800.0, 812, 820, 809, 795, 788][$0 % 6] }
  let verdicts = ArtefactClassifier.verdicts(on: intervals(calm + middle + calm), criteria: criteria)
  #expect((verdicts[..<60] + verdicts[(60 + middle.count)...]).allSatisfy { $0 == .normal })
  return Array(verdicts[60..<(60 + middle.count)])
}

@Test(
  "Each type of artefact gets its verdict",
  arguments: [
    ("sinus rhythm", [800, 815, 830, 815, 800], [.normal, .normal, .normal, .normal, .normal]),
    ("premature beat with compensatory pause", [560, 1050], [.ectopic, .ectopic]),
    ("missed beat", [1610], [.missed]),
    ("false detection", [330, 475], [.extra, .short]),
    ("long interval of unknown cause", [1080], [.long]),
    ("short interval of unknown cause", [600], [.short]),
    ("respiratory maximum", [900, 1080, 1060, 920], [.normal, .normal, .normal, .normal]),
    ("deceleration after a sudden onset", [1100, 960, 880], [.normal, .normal, .normal]),
    (
      "pause after a premature beat, before a deceleration", [600, 1080, 960], [.ectopic, .ectopic, .normal]
    ),
    ("two missed beats", [1600, 1610], [.missed, .long]),
    ("respiratory minimum", [710], [.normal]),
    ("a gap", [3000.0001], [.gap]),
    ("longest interval", [3000], [.long]),
  ] as [(String, [Double], [Verdict])])
func artefacts(_ what: String, _ milliseconds: [Double], _ verdicts: [Verdict]) {
  #expect(judged(milliseconds) == verdicts, "\(what)")
}

@Test("With low variability, only large deviations are artefacts")
func lowVariability() {
  let quiet = Array(repeating: 800.0, count: 100)
  let series = intervals(quiet + [640, 960] + quiet)
  let verdicts = ArtefactClassifier.verdicts(on: series)
  #expect(verdicts.indices.filter { verdicts[$0] != .normal } == [100, 101])

  let coarse = intervals((0..<200).map { $0 % 9 == 4 ? 812.5 : 804.6875 })
  #expect(ArtefactClassifier.verdicts(on: coarse).allSatisfy { $0 == .normal })
  #expect(
    ArtefactClassifier.verdicts(on: intervals(quiet), criteria: .published).allSatisfy { $0 == .normal })
}

@Test(
  "Streaming verdicts equal those of the reference implementation",
  arguments: [0, 1, 2, 3, 6, 50, 51, 91, 400, 1300], [1, 7.8125])
func streamingEqualsReference(count: Int, step: Double) {
  let raised = ArtefactCriteria(differenceQuartiles: 2.5, quartileLimit: 0.2, differenceFloor: 0.05)
  for seed in 1...3 {
    let series = disturbedSeries(seed: UInt64(seed), count: count, step: step)
    for criteria in [.published, raised] {
      let plain = ReferenceClassification(of: series, criteria: criteria).verdicts
      #expect(ArtefactClassifier.verdicts(on: series, criteria: criteria) == plain)
    }
  }
}

@Test("Segments between gaps are classified independently", arguments: 1...5 as ClosedRange<UInt64>)
func independentSegments(seed: UInt64) throws {
  let gap = try #require(RRInterval(milliseconds: 4000))
  let parts = [130, 1, 60, 300, 2].map { disturbedSeries(seed: seed + UInt64($0), count: $0, step: 1) }
  for order in [parts, parts.reversed()] {
    let whole = ArtefactClassifier.verdicts(on: Array(order.joined(separator: [gap])))
    let alone = order.map { ArtefactClassifier.verdicts(on: $0) }
    #expect(whole == Array(alone.joined(separator: [.gap])))
  }
}

@Test("The provisional verdict is immediate and the final one is delayed") func provisionalAndFinalVerdicts()
{
  let series = disturbedSeries(seed: 9, count: 500, step: 1)
  var classifier = StreamingClassifier()
  var judge = ProvisionalClassifier()
  var final: [Verdict] = []
  for (place, rr) in series.enumerated() {
    #expect(classifier.update(rr) { final.append($0) } == judge.classify(rr))
    #expect(final.count == max(0, place + 1 - ArtefactClassifier.delay))
  }
  classifier.finish { final.append($0) }
  #expect(final == ArtefactClassifier.verdicts(on: series))
}

@Test("Beats are classified in segments between breaks and gaps") func segmentsBetweenBreaks() throws {
  var series = disturbedSeries(seed: 4, count: 300, step: 1)
  series[200] = try #require(RRInterval(milliseconds: 3500))
  var end = SessionTime(ticks: 0)
  let beats = series.enumerated().map { place, rr in
    end = end + rr
    return Beat(end: end, rr: rr, verdict: .long, followsBreak: place == 0 || place == 120)
  }
  let classified = ArtefactClassifier.classify(beats)
  let parts = [series[..<120], series[120..<200], series[201...]].map {
    ArtefactClassifier.verdicts(on: Array($0))
  }
  #expect(classified.map(\.verdict) == parts[0] + parts[1] + [.gap] + parts[2])
  #expect(classified.indices.filter { classified[$0].followsBreak } == [0, 120, 201])
  #expect(classified.map(\.rr) == series && classified.map(\.end) == beats.map(\.end))
}

@Test("Arbitrary intervals get one verdict each", arguments: 1...4 as ClosedRange<UInt64>)
func arbitraryIntervals(seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let series = (0..<2000).map { _ in
    anyInterval(using: &generator)
  }
  for criteria in [ArtefactCriteria.standard, .published] {
    let verdicts = ArtefactClassifier.verdicts(on: series, criteria: criteria)
    #expect(verdicts.count == series.count)
  }
  let verdicts = ArtefactClassifier.verdicts(on: series)
  #expect(zip(series, verdicts).allSatisfy { ($0.milliseconds > 3000) == ($1 == .gap) })
  #expect(
    zip(series, verdicts).allSatisfy {
      $0.milliseconds >= 300 && $0.milliseconds <= 2000 || $1 != Verdict.normal
    })
}
