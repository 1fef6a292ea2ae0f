import HRV
import HeartRate
import TestSupport
import Testing

/// Creates beats from lengths in ms and verdicts, with a break before each index in `breaks`.
private func beats(_ series: [(Double, Verdict)], breaks: Set<Int> = [0]) -> [Beat] {
  var end = SessionTime(ticks: 0)
  return series.enumerated().compactMap { place, item in
    guard let rr = RRInterval(milliseconds: item.0) else { return nil }
    end = end + rr
    return Beat(end: end, rr: rr, verdict: item.1, followsBreak: breaks.contains(place))
  }
}

@Test(
  "Each type of artefact is replaced by its correction",
  arguments: [
    ("no artefact", [(800, .normal), (810, .normal)], [800, 810]),
    (
      "linear interpolation", [(800, .normal), (500, .ectopic), (1100, .ectopic), (830, .normal)],
      [800, 810, 820, 830]
    ),
    ("one interpolated interval", [(800, .normal), (1100, .long), (900, .normal)], [800, 850, 900]),
    ("split in two", [(800, .normal), (1602, .missed), (790, .normal)], [800, 801, 801, 790]),
    ("split in three", [(800, .normal), (2400, .missed), (790, .normal)], [800, 800, 800, 800, 790]),
    ("split without a neighbour", [(1600, .missed)], [800, 800]),
    ("merged", [(800, .normal), (300, .extra), (505, .normal), (790, .normal)], [800, 805, 790]),
    (
      "merged from two short intervals", [(800, .normal), (330, .extra), (475, .short), (790, .normal)],
      [800, 805, 790]
    ),
    (
      "merged twice", [(800, .normal), (400, .extra), (401, .extra), (390, .extra), (410, .normal)],
      [800, 801, 800]
    ),
    ("single neighbour", [(500, .short), (800, .normal), (1000, .long)], [800, 800, 800]),
    ("no normal interval", [(500, .short), (1000, .long)], []),
  ] as [(String, [(Double, Verdict)], [Double])])
func corrections(_ what: String, _ series: [(Double, Verdict)], _ expected: [Double]) {
  let corrected = CorrectedSeries(of: beats(series))
  #expect(corrected.beats.map(\.rr.milliseconds) == expected, "\(what)")
  #expect(corrected.beats.allSatisfy { $0.verdict == .normal })
  #expect(corrected.changed == series.count { $0.1 != .normal })
  #expect(
    corrected.beats.indices.filter { corrected.beats[$0].followsBreak } == (expected.isEmpty ? [] : [0]))
}

@Test("A long run of artefacts is replaced by a break") func longRunBecomesBreak() {
  let run = Array(repeating: (500.0, Verdict.short), count: CorrectedSeries.longestRun + 1)
  let series: [(Double, Verdict)] = [(800, .normal)] + run + [(820, .normal), (3500, .gap), (790, .normal)]
  let raw = beats(series)
  let corrected = CorrectedSeries(of: raw).beats
  #expect(corrected.map(\.rr.milliseconds) == [800, 820, 790])
  #expect(corrected.map(\.followsBreak) == [true, true, true])
  #expect(corrected.map(\.end) == [raw[0], raw[7], raw[9]].map(\.end))
}

@Test(
  "Correction changes only artefacts, and end times are consistent with the intervals",
  arguments: 1...5 as ClosedRange<UInt64>)
func correctedSeries(seed: UInt64) throws {
  let series = disturbedSeries(seed: seed, count: 600, step: 1).map { ($0.milliseconds, Verdict.normal) }
  let raw = beats(series, breaks: [0, 200, 411])
  #expect(CorrectedSeries(of: raw).beats == raw)

  let classified = ArtefactClassifier.classify(raw)
  let corrected = CorrectedSeries(of: classified)
  #expect(corrected.changed == classified.count { $0.verdict != .normal })
  for (before, beat) in zip(corrected.beats, corrected.beats.dropFirst()) {
    #expect(beat.followsBreak || beat.end == before.end + beat.rr)
  }
}

@Test("Arbitrary verdicts on arbitrary intervals can be corrected", arguments: 1...5 as ClosedRange<UInt64>)
func arbitraryVerdicts(seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  var end = SessionTime(ticks: 0)
  let raw = (0..<1000).map { _ in
    let rr = anyInterval(using: &generator)
    end = end + rr
    return Beat(
      end: end, rr: rr, verdict: Verdict.allCases.randomElement(using: &generator) ?? .normal,
      followsBreak: Int.random(in: 0..<20, using: &generator) == 0)
  }
  let corrected = CorrectedSeries(of: raw)
  #expect(corrected.changed == raw.count { $0.verdict != .normal })
  #expect(corrected.beats.count <= 10 * raw.count)
}
