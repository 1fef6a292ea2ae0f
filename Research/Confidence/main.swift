/// Prints the tables of docs/design/confidence.md about the sensor class and the rhythm.
///
/// Run with `STRESSMON_TEST_DATA=FOLDER swift run -c release ConfidenceFigures`.

import HRV
import HeartRate
import Stress
import TestSupport

/// The windows of `events` that end after the first minute.
func fullWindows(_ events: [SessionEvent]) -> [StressMeasurement] {
  var engine = StressEngine()
  var all: [StressMeasurement] = []
  for event in events {
    engine.update(event) { measurement in
      if measurement.time.seconds > 60 { all.append(measurement) }
    }
  }
  return all
}

func percent(_ part: Int, _ whole: Int) -> String {
  whole > 0 ? "\((200 * part + whole) / (2 * whole)) %" : "-"
}

print(
  """
  | supine rest with | windows with a stress value | sensor class |
  |---|---|---|
  """)
let rest = try SharedData.intervals(of: "rest_supine")
for fault in SentIntervals.allCases {
  let events = fault.events(of: rest)
  let windows = fullWindows(events)
  var engine = StressEngine()
  var found: (SensorClass, Double)?
  for event in events {
    engine.update(event) { _ in }
    if let kind = engine.sensorClass, kind != found?.0 { found = (kind, event.at.seconds) }
  }
  let sensor = found.map { "\($0.0.rawValue) after \(Int($0.1.rounded())) s" } ?? "-"
  let scored = percent(windows.count { $0.score != nil }, windows.count)
  print("| \(fault.rawValue) | \(scored) | \(sensor) |")
}

/// A kind of averaging, and the session of a sensor that applies it.
let kinds: [(name: String, events: ([RRInterval]) -> [SessionEvent])] =
  [2, 3, 4, 5, 6, 7, 8].map { count in ("mean of \(count)", { SentIntervals.averaged(over: count, $0) }) }
  + [0.1, 0.2, 0.3, 0.5].map { weight in ("exponential \(weight)", { SentIntervals.exponential(weight, $0) })
  }
  + [
    ("computed from the heart rate", { SentIntervals.fromRate($0) }),
    ("one interval each second", { SentIntervals.resampled($0) }),
  ]

/// The time of the first classification as smoothed in s, and the number of measurements before it with a stress value after
/// the first minute: all, and those whose factor `sensor` is 1.
func detection(_ events: [SessionEvent]) -> (at: Double, shown: Int, trusted: Int) {
  var engine = StressEngine()
  var (at, shown, trusted) = (Double.infinity, 0, 0)
  for event in events where at == .infinity {
    engine.update(event) { measurement in
      guard measurement.score != nil, measurement.time.seconds > 60 else { return }
      shown += 1
      if measurement.confidence[.sensor] == 1 { trusted += 1 }
    }
    if engine.sensorClass == .smoothed { at = event.at.seconds }
  }
  return (at, shown, trusted)
}

/// Up to 20 stretches of 400 intervals of each recording.
func stretches(in directory: SharedData.Directory) throws -> [[RRInterval]] {
  try SharedData.recordingNames(in: directory).filter { !$0.hasSuffix("_af") }.flatMap { name in
    let rr = try SharedData.intervals(of: name, in: directory)
    let starts = stride(from: 0, to: rr.count - 400, by: max(400, rr.count / 20))
    return starts.map { Array(rr[$0..<($0 + 400)]) }
  }
}

let folders = [SharedData.Directory.rr, .holter, .labelled, .wearer, .nights]
let sent = try folders.map { try stretches(in: $0) }
print("\n| transmitted series | \(folders.map(\.rawValue).joined(separator: " | ")) |")
print("|---|\(folders.map { _ in "---|" }.joined())")
for kind in kinds {
  let cells = sent.map { series in
    let found = series.map { detection(kind.events($0)) }
    let rates = [60.0, 120, 300].map { limit in percent(found.count { $0.at <= limit }, found.count) }
    let (shown, trusted) = (found.reduce(0) { $0 + $1.shown }, found.reduce(0) { $0 + $1.trusted })
    return "\(rates.joined(separator: ", ")) (\(percent(trusted, shown)))"
  }
  print("| \(kind.name) | \(cells.joined(separator: " | ")) |")
}

/// The number of beats, of those during which the sensor class is `smoothed`, and of those that could be averages.
func smoothedBeats(_ rr: [RRInterval]) -> (beats: Int, smoothed: Int, unknown: Int) {
  var classifier = SensorClassifier()
  var (time, smoothed, unknown, followsBreak) = (SessionTime.zero, 0, 0, true)
  for interval in rr {
    time = time + interval
    let isGap = interval.ticks > 3 * RRInterval.ticksPerSecond
    classifier.append(
      Beat(end: time, rr: interval, verdict: isGap ? .gap : .normal, followsBreak: followsBreak))
    followsBreak = isGap
    if classifier.sensorClass == .smoothed { smoothed += 1 }
    if classifier.couldBeAveraged { unknown += 1 }
  }
  return (rr.count, smoothed, unknown)
}

func perMille(_ part: Int, _ whole: Int) -> String {
  let tenThousandths = whole > 0 ? (20_000 * part + whole) / (2 * whole) : 0
  return "\(tenThousandths / 100).\(tenThousandths % 100 < 10 ? "0" : "")\(tenThousandths % 100) %"
}

print(
  """

  | recordings | files | beats | classified as smoothed | files with any | could be averages |
  |---|---|---|---|---|---|
  """)
for directory in [SharedData.Directory.rr, .holter, .labelled, .wearer, .tasks, .nights] {
  let found = try SharedData.recordingNames(in: directory).map {
    smoothedBeats(try SharedData.intervals(of: $0, in: directory))
  }
  let (beats, smoothed) = (found.reduce(0) { $0 + $1.beats }, found.reduce(0) { $0 + $1.smoothed })
  let unknown = found.reduce(0) { $0 + $1.unknown }
  print(
    "| \(directory.rawValue) | \(found.count) | \(beats) | \(perMille(smoothed, beats)) "
      + "| \(found.count { $0.smoothed > 0 }) | \(perMille(unknown, beats)) |")
}

print(
  """

  | paced breathing at six breaths a minute, noise | of 10 simulated hearts classified as smoothed |
  |---|---|
  """)
for noise in [1.0, 2, 3, 5, 8] {
  let found = (0..<10).count { smoothedBeats(PacedHeart(noise: noise).intervals(500, seed: $0)).smoothed > 0 }
  print("| \(Int(noise)) ms | \(found) |")
}

print(
  """

  | recording | windows with a stress value | confidence of 0.5 and more | without a category |
  |---|---|---|---|
  """)
var (all, trusted, without) = (0, 0, 0)
for name in try SharedData.recordingNames(in: .labelledAF) {
  let rr = try SharedData.intervals(of: name, in: .labelledAF)
  let windows = fullWindows(SentIntervals.asTheyAre.events(of: rr)).filter { $0.score != nil }
  let found = (windows.count { $0.confidence.value >= 0.5 }, windows.count { $0.statedCategory == nil })
  let percentages = [found.0, found.1].map { percent($0, windows.count) }
  print("| \(name) | \(windows.count) | \(percentages.joined(separator: " | ")) |")
  (all, trusted, without) = (all + windows.count, trusted + found.0, without + found.1)
}
print("| all | \(all) | \(percent(trusted, all)) | \(percent(without, all)) |")
