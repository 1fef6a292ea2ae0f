import HeartRate
import TestSupport
import Testing

@testable import HRV

/// A regular rhythm in which every `period`-th beat is premature, with a compensatory pause.
private func bigeminy(every period: Int, count: Int) -> [RRInterval] {
  (0..<count).compactMap { place in
    let length = [805.0, 795, 810, 790, 800][place % 5]
    let phase = place % period
    let factor = phase == period - 2 ? 0.7 : phase == period - 1 ? 1.28 : 1
    return RRInterval(milliseconds: factor * length)
  }
}

@Test("Every premature beat is found, however frequent", arguments: [4, 5, 8, 12, 30, 100])
func frequentPrematureBeats(period: Int) {
  let verdicts = ArtefactClassifier.verdicts(on: bigeminy(every: period, count: 600))
  for place in verdicts.indices where place % period == period - 1 && place + 2 < verdicts.count {
    #expect(!verdicts[place].isNormal && !verdicts[place - 1].isNormal, "interval \(place)")
  }
  #expect(verdicts.indices.allSatisfy { $0 % period >= period - 2 || verdicts[$0].isNormal })
}

@Test("Provisional verdicts are included only where more than a tenth of the neighbours are abnormal")
func scopeOfProvisionalVerdicts() {
  // A pause at the limit of the provisional rule, which the thresholds of a variable rhythm include.
  let variable = (0..<200).map { [700.0, 760, 820, 880, 820, 760][$0 % 6] }
  let isolated = intervals(variable + [700, 640, 860] + variable)
  let published = ArtefactCriteria(longest: 3 * RRInterval.ticksPerSecond, namesByCause: true)
  var criteria = published
  criteria.frequentEctopic = 0.1
  #expect(
    ArtefactClassifier.verdicts(on: isolated, criteria: criteria)
      == ArtefactClassifier.verdicts(on: isolated, criteria: published))
  let frequent = bigeminy(every: 4, count: 400)
  let plain = ArtefactClassifier.verdicts(on: frequent, criteria: published)
  let combined = ArtefactClassifier.verdicts(on: frequent, criteria: criteria)
  #expect(zip(plain, combined).allSatisfy { $0 == $1 || $0 == .normal })
  #expect(plain != combined && combined.count { !$0.isNormal } >= 190)
}

@Test(
  "Streaming verdicts with frequent ectopic beats equal those of all neighbours",
  arguments: 1...6 as ClosedRange<UInt64>)
func provisionalVerdictsOfNeighbours(seed: UInt64) {
  var series = disturbedSeries(seed: seed, count: 400, step: 1)
  series.insert(contentsOf: bigeminy(every: 5, count: Int(seed) * 40), at: 150)
  var criteria = ArtefactCriteria.standard
  criteria.frequentEctopic = 1
  let plain = ArtefactClassifier.verdicts(on: series, criteria: criteria)
  var classifier = ProvisionalClassifier()
  var live: [Verdict] = []
  for rr in series {
    live.append(classifier.classify(rr))
    if classifier.followsPrematureBeat { live[live.count - 2] = .ectopic }
  }
  let expected = plain.indices.map { place -> Verdict in
    let neighbours = live[max(0, place - 45)..<min(live.count, place + 46)]
    let abnormal = neighbours.count { !$0.isNormal }
    let isFrequent = abnormal >= 3 && 10 * abnormal > neighbours.count
    return plain[place].isNormal && isFrequent ? live[place] : plain[place]
  }
  #expect(ArtefactClassifier.verdicts(on: series) == expected)
}

@Suite(
  "Recordings with labelled ectopic beats",
  .enabled(if: SharedData.contains(.labelled), "STRESSMON_TEST_DATA has no labelled/"))
struct LabelledEctopicTests {
  private static let recordings = (try? SharedData.recordingNames(in: .labelled)) ?? []

  /// The limits in percent: `Research/validate` prints the figures.
  @Test(
    "Few minutes are more than 20 % off, however frequent the ectopic beats",
    arguments: [
      (.final, .rmssd, [2.5, 9, 16, 20]), (.final, .sdnn, [2.5, 9, 16, 20]),
      (.live, .rmssd, [2.5, 9, 20, 20]),
      (.live, .sdnn, [2.5, 9, 15, 25]),
    ] as [(LabelledWindows.Method, LabelledWindows.Value, [Double])])
  func errors(method: LabelledWindows.Method, value: LabelledWindows.Value, limits: [Double]) throws {
    var windows = LabelledWindows()
    for name in Self.recordings { windows.append(try LabelledRecording(name, in: .labelled), by: method) }
    for (labelled, limit) in zip(LabelledWindows.classes, limits) {
      let found = windows.percentOff(labelled, value)
      #expect(found.windows > 100 && found.percent <= limit, "\(labelled): \(found)")
      #expect(abs(windows.medianError(labelled, value) ?? 100) <= 1, "\(labelled)")
    }
  }

  @Test("At most 3 in 1,000 beats are flagged without a label, at most 9 in any recording; 9 of 10 are found")
  func flags() throws {
    for method in [LabelledWindows.Method.final, .live] {
      var tallies: [LabelTally] = []
      for name in Self.recordings {
        let recording = try LabelledRecording(name, in: .labelled)
        let beats = method == .live ? recording.liveBeats : ArtefactClassifier.classify(recording.beats)
        tallies.append(try #require(LabelTally(beats.excluded, on: recording)))
      }
      #expect(tallies.allSatisfy { $0.falsePerThousand <= 9 })
      let all = tallies.dropFirst().reduce(into: try #require(tallies.first)) { $0 += $1 }
      #expect(all.falsePerThousand <= 3 && all.found * 10 >= all.labelled * 9)
    }
  }
}
