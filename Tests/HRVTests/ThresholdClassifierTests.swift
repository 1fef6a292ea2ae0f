import HeartRate
import RealModule
import TestSupport
import Testing

@testable import HRV

@Suite struct ThresholdClassifierTests {
  private func beats(_ milliseconds: [Double]) -> [Beat] {
    var end = SessionTime.zero
    return milliseconds.map {
      let rr = RRInterval(ticks: Int64($0 * 80_000))
      end = end + rr
      return Beat(end: end, rr: rr, verdict: .normal, followsBreak: end.ticks == rr.ticks)
    }
  }

  /// One interval of 1000 + x among intervals of 1000 ms: the threshold in s is that of 60 bpm.
  @Test(arguments: CorrectionLevel.allCases)
  func anIntervalIsAnArtefactIfItIsFartherFromTheMedianThanTheThreshold(level: CorrectionLevel) {
    for (sign, verdict) in [(1.0, Verdict.long), (-1, .short)] {
      for (distance, expected) in [(0.99, Verdict.normal), (1.01, verdict)] {
        var intervals = Array(repeating: 1000.0, count: 21)
        intervals[10] += sign * distance * 1000 * level.threshold
        let classified = ThresholdClassifier.classify(beats(intervals), level: level)
        #expect(classified[10].verdict == expected, "\(level) \(sign * distance)")
        #expect(classified.count { $0.verdict == .normal } == (expected == .normal ? 21 : 20))
      }
    }
  }

  @Test func theThresholdIsProportionalToTheMedianInterval() {
    var intervals = Array(repeating: 500.0, count: 21)
    intervals[10] = 630
    #expect(ThresholdClassifier.classify(beats(intervals), level: .medium)[10].verdict == .long)
    intervals = Array(repeating: 1000, count: 21)
    intervals[10] = 1130
    #expect(ThresholdClassifier.classify(beats(intervals), level: .medium)[10].verdict == .normal)
  }

  @Test func gapsSplitTheSeries() {
    let classified = ThresholdClassifier.classify(
      beats(Array(repeating: 600, count: 8) + [4000] + Array(repeating: 1200, count: 8)), level: .strong)
    #expect(classified[8].verdict == .gap && classified[9].followsBreak)
    #expect(classified.count { $0.verdict == .normal } == 16)
  }

  @Test func aSeriesWithoutBeatsHasNoVerdicts() {
    #expect(ThresholdClassifier.classify([], level: .medium).isEmpty)
  }

  @Test func regularAndIrregularRhythmsAreDistinguished() {
    var generator = SeededGenerator(seed: 31)
    let regular = RhythmRegularity(SyntheticBeats.sine(0.25, amplitude: 60, seconds: 301))
    #expect(regular.minutes == 5 && regular.irregularMinutes == 0 && !regular.isIrregular)
    let irregular = RhythmRegularity(
      SyntheticBeats.series(seconds: 301) { _ in Double.random(in: 450...950, using: &generator) })
    #expect(irregular.minutes == 5 && irregular.irregularMinutes == 5 && irregular.isIrregular)
  }

  @Test(
    "Only the recording of atrial fibrillation is irregular",
    .enabled(if: SharedData.isAvailable, "STRESSMON_TEST_DATA names no folder"),
    arguments: SharedData.recordings)
  func rhythmOfRecordings(recording: String) throws {
    let stream = beats(try SharedData.intervals(of: recording).map(\.milliseconds))
    let rhythm = RhythmRegularity(ArtefactClassifier.classify(stream))
    #expect(rhythm.isIrregular == (recording == "afdb03665_af"), "\(rhythm)")
  }
}
