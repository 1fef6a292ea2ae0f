import HRV
import HeartRate
import TestSupport
import Testing

/// Indices of the RR intervals that NeuroKit2 0.2.13 flags in a single pass.
private struct NeuroKitFlags: Decodable {
  var ectopic: [Int]
  var missed: [Int]
  var extra: [Int]
  var longshort: [Int]
}

/// The series as NeuroKit2 processes it: R peaks rounded to whole ms (half to even), with the mean interval
/// inserted before the first.
private func processedLikeNeuroKit(_ series: [RRInterval]) -> [RRInterval] {
  var sum = 0.0
  var peak: Int64 = 0
  let rounded = series.map { rr in
    sum += rr.milliseconds
    let next = Int64(sum.rounded(.toNearestOrEven))
    defer { peak = next }
    return RRInterval(ticks: (next - peak) * 80_000)
  }
  return [RRInterval(ticks: peak * 80_000 / Int64(series.count))] + rounded
}

@Test(
  "The published criteria give the same verdicts as NeuroKit2",
  .enabled(if: SharedData.isAvailable, "STRESSMON_TEST_DATA names no folder"),
  arguments: SharedData.recordings)
func equalToNeuroKit(recording: String) throws {
  let series = processedLikeNeuroKit(try SharedData.intervals(of: recording))
  let verdicts = Array(ArtefactClassifier.verdicts(on: series, criteria: .published).dropFirst())
  let peer = try SharedData.json("\(recording).lt2019.json", as: NeuroKitFlags.self)
  func places(_ kinds: Verdict...) -> [Int] { verdicts.indices.filter { kinds.contains(verdicts[$0]) } }
  #expect(places(.ectopic) == peer.ectopic)
  #expect(places(.missed) == peer.missed)
  #expect(places(.extra) == peer.extra)
  #expect(places(.long, .short) == peer.longshort)
}

@Test(
  "At most 3 in 1,000 normal beats are false positives, and every labelled beat with a disturbed rhythm is found",
  .enabled(if: SharedData.isAvailable, "STRESSMON_TEST_DATA names no folder"),
  arguments: [
    ("mitdb100_apc", .rr, 34), ("nsr001_24h", .rr, 76), ("nsr009_24h", .holter, 30),
  ] as [(String, SharedData.Directory, Int)])
func labelledBeats(recording: String, directory: SharedData.Directory, count: Int) throws {
  let labels = try #require(SharedData.labels(of: recording, in: directory))
  let series = try SharedData.intervals(of: recording, in: directory)
  let verdicts = ArtefactClassifier.verdicts(on: series)
  let flags = Set(verdicts.indices.filter { verdicts[$0] != .normal })
  let labelled = labels.indices.filter { labels[$0] != "N" }
  #expect(labelled.count { !flags.isDisjoint(with: [$0 - 1, $0, $0 + 1]) } == count)
  let near = Set(labelled.flatMap { [$0 - 1, $0, $0 + 1] })
  #expect(1000 * flags.subtracting(near).count <= 3 * (labels.count - labelled.count))
}

@Test(
  "At most 3 in 1,000 beats are false positives, and at most 2 fewer labelled beats are found than by NeuroKit2",
  .enabled(if: SharedData.isAvailable, "STRESSMON_TEST_DATA names no folder"),
  arguments: try SharedData.recordingNames())
func accuracyAgainstLabels(recording: String) throws {
  guard let labels = SharedData.labels(of: recording) else { return }
  let verdicts = ArtefactClassifier.verdicts(on: try SharedData.intervals(of: recording))
  let peer = try SharedData.json("\(recording).lt2019.json", as: NeuroKitFlags.self)
  let flags = Set(verdicts.indices.filter { verdicts[$0] != .normal })
  let labelled = labels.indices.filter { labels[$0] != "N" }
  func found(by flags: Set<Int>) -> Int {
    labelled.count { flags.contains($0 - 1) || flags.contains($0) || flags.contains($0 + 1) }
  }
  let near = Set(labelled.flatMap { [$0 - 1, $0, $0 + 1] })
  #expect(1000 * flags.subtracting(near).count <= 3 * verdicts.count)
  #expect(found(by: flags) >= found(by: Set(peer.ectopic + peer.missed + peer.extra + peer.longshort)) - 2)
}
