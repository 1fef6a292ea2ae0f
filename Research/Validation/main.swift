// Prints the tables of docs/design/validation.md, for every recording in the folder rr/ of STRESSMON_TEST_DATA, for
// holter/nsr009_24h, and for the recordings in labelled/.
import HRV
import HeartRate
import TestSupport

func fixed(_ value: Double, _ digits: Int = 2) -> String {
  let scaled = Int((abs(value) * (digits == 2 ? 100.0 : 10.0)).rounded())
  let text = String(scaled)
  let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
  return "\(value < 0 && scaled > 0 ? "-" : "")\(padded.dropLast(digits)).\(padded.suffix(digits))"
}

func row(_ cells: [String]) { print("| \(cells.joined(separator: " | ")) |") }

func head(_ cells: [String]) {
  row(cells)
  row(cells.map { _ in "---" })
}

func flags(_ verdicts: [Verdict]) -> Set<Int> { Set(verdicts.indices.filter { verdicts[$0] != .normal }) }

func count(_ verdicts: [Verdict], _ kinds: Verdict...) -> String {
  String(verdicts.count { kinds.contains($0) })
}

let references = try SharedData.recordingNames().map { try LabelledRecording($0) }
let recordings = references + [try LabelledRecording("nsr009_24h", in: .holter)]

print("### Against the labels of experts\n")
head(["recording", "by", "found", "of those 8 % off and more", "false flags per 1,000 beats"])
for recording in recordings {
  let verdicts: [(String, Set<Int>?)] = [
    ("final", flags(ArtefactClassifier.verdicts(on: recording.intervals))),
    ("provisional", recording.liveBeats.excluded),
    ("as published", flags(ArtefactClassifier.verdicts(on: recording.intervals, criteria: .published))),
    ("NeuroKit2", recording.peer?.all),
  ]
  for (name, flags) in verdicts {
    guard let flags, let tally = LabelTally(flags, on: recording) else { continue }
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
    ("provisional", recording.liveBeats.map(\.verdict)),
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

let people = try SharedData.recordingNames(in: .labelled).map { try LabelledRecording($0, in: .labelled) }
if !people.isEmpty {
  print("\n### Frequent ectopic beats: \(people.count) recordings in sinus rhythm\n")
  head(["by", "found", "false flags per 1,000 beats", "worst recording"])
  for (name, flags) in [
    ("final", { flags(ArtefactClassifier.verdicts(on: $0.intervals)) }),
    ("provisional", { $0.liveBeats.excluded }),
    ("as published", { flags(ArtefactClassifier.verdicts(on: $0.intervals, criteria: .published)) }),
  ] as [(String, (LabelledRecording) -> Set<Int>)] {
    let tallies = people.compactMap { LabelTally(flags($0), on: $0) }
    guard let first = tallies.first else { continue }
    let all = tallies.dropFirst().reduce(into: first) { $0 += $1 }
    row([
      name, "\(all.found) / \(all.labelled)", fixed(all.falsePerThousand),
      fixed(tallies.map(\.falsePerThousand).max() ?? 0),
    ])
  }
  print("\nWindows of 60 s every 10 s: median error, and percentage that is more than 20 % off\n")
  head(["labelled beats", "windows", "live RMSSD", "final RMSSD", "live SDNN", "final SDNN"])
  var (live, final) = (LabelledWindows(), LabelledWindows())
  for person in people {
    live.append(person, by: .live)
    final.append(person, by: .final)
  }
  for labelled in LabelledWindows.classes {
    let last = labelled.upperBound == .max ? " and more" : "-\(labelled.upperBound)"
    row(
      [
        labelled.count == 1 ? "\(labelled.lowerBound)" : "\(labelled.lowerBound)\(last)",
        String(live.percentOff(labelled, .rmssd).windows),
      ]
        + LabelledWindows.Value.allCases.flatMap { value in
          [live, final].map { windows in
            "\(fixed(windows.medianError(labelled, value) ?? 0, 1)) %, \(fixed(windows.percentOff(labelled, value).percent, 1)) %"
          }
        })
  }
}

print("\n### Series compared: SDNN and RMSSD in ms\n")
head([
  "recording", "raw", "normal beats", "corrected", "corrected, criteria as published",
  "NeuroKit2 after one pass",
])
for recording in references {
  let raw = recording.beats
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
