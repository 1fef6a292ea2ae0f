// Prints the tables of docs/design/validation.md, for every recording in the folder rr/ of STRESSMON_TEST_DATA, and for
// holter/nsr009_24h.
import HRV
import HeartRate
import TestSupport

func fixed(_ value: Double, _ digits: Int = 2) -> String {
  let scale = digits == 2 ? 100.0 : 10.0
  let text = String(Int((value * scale).rounded()))
  let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
  return "\(padded.dropLast(digits)).\(padded.suffix(digits))"
}

func row(_ cells: [String]) { print("| \(cells.joined(separator: " | ")) |") }

func head(_ cells: [String]) {
  row(cells)
  row(cells.map { _ in "---" })
}

func flags(_ verdicts: [Verdict]) -> Set<Int> { Set(verdicts.indices.filter { verdicts[$0] != .normal }) }

func provisional(_ intervals: [RRInterval]) -> [Verdict] {
  var judge = ProvisionalClassifier()
  return intervals.map { judge.classify($0) }
}

func count(_ verdicts: [Verdict], _ kinds: Verdict...) -> String {
  String(verdicts.count { kinds.contains($0) })
}

func beats(_ intervals: [RRInterval]) -> [Beat] {
  var end = SessionTime(ticks: 0)
  return intervals.enumerated().map { place, rr in
    end = end + rr
    return Beat(end: end, rr: rr, verdict: .normal, followsBreak: place == 0)
  }
}

let references = try SharedData.recordingNames().map { try LabelledRecording($0) }
let recordings = references + [try LabelledRecording("nsr009_24h", in: .holter)]

print("### Against the labels of experts\n")
head(["recording", "by", "found", "of those 8 % off and more", "false flags per 1,000 beats"])
for recording in recordings {
  let verdicts: [(String, Set<Int>?)] = [
    ("final", flags(ArtefactClassifier.verdicts(on: recording.intervals))),
    ("provisional", flags(provisional(recording.intervals))),
    ("as published", flags(ArtefactClassifier.verdicts(on: recording.intervals, criteria: .published))),
    ("NeuroKit2", recording.peer?.all),
  ]
  for (name, flags) in verdicts {
    guard let flags, let tally = Tally(flags, on: recording) else { continue }
    row([
      recording.name, name, "\(tally.found) / \(tally.labelled)", "\(tally.farOffFound) / \(tally.farOff)",
      fixed(tally.falsePerThousand),
    ])
  }
}

print("\n### Flags by kind\n")
head(["recording", "by", "intervals", "ectopic", "missed", "extra", "long or short", "gap"])
for recording in recordings {
  for (name, verdicts) in [
    ("final", ArtefactClassifier.verdicts(on: recording.intervals)),
    ("provisional", provisional(recording.intervals)),
  ] {
    row([
      recording.name, name, String(recording.intervals.count), count(verdicts, .ectopic),
      count(verdicts, .missed), count(verdicts, .extra), count(verdicts, .long, .short),
      count(verdicts, .gap),
    ])
  }
  guard let peer = recording.peer else { continue }
  row(
    [recording.name, "NeuroKit2", String(recording.intervals.count)]
      + [peer.ectopic, peer.missed, peer.extra, peer.longshort].map { String($0.count) } + ["-"])
}

print("\n### Series compared: SDNN and RMSSD in ms\n")
head([
  "recording", "raw", "normal beats", "corrected", "corrected, criteria as published",
  "NeuroKit2 after one pass",
])
for recording in references {
  let raw = beats(recording.intervals)
  let classified = ArtefactClassifier.classify(raw)
  let published = ArtefactClassifier.classify(raw, criteria: .published)
  let series = [
    raw, classified, CorrectedSeries(of: classified).beats, CorrectedSeries(of: published).beats,
  ].map { beats in
    var series = NNSeries()
    for beat in beats { series.append(beat) }
    return "\(fixed(series.sums.sdnn ?? 0)), \(fixed(series.sums.rmssd ?? 0))"
  }
  let reference = try SharedData.json("\(recording.name).reference.json", as: Reference.self)
  let after = reference.lipponenTarvainen2019Neurokit2.singlePass.after
  row([recording.name] + series + ["\(fixed(after.sdnnDdof1)), \(fixed(after.rmssd))"])
}

struct Reference: Decodable {
  struct Passes: Decodable { var singlePass: Pass }
  struct Pass: Decodable { var after: Metrics }
  struct Metrics: Decodable { var sdnnDdof1: Double, rmssd: Double }
  var lipponenTarvainen2019Neurokit2: Passes
}
