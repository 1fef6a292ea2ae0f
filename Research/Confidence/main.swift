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

print(
  """

  | recording | starts | called smoothed | mean of 2: within 60 and 120 s \
  | 3 | 4 | 5 | 6 | 8 |
  |---|---|---|---|---|---|---|---|---|
  """)
for name in try SharedData.recordingNames() {
  let rr = try SharedData.intervals(of: name)
  let stretches = beginnings(rr).map { Array(rr[$0..<($0 + 300)]) }
  let wrong = stretches.compactMap { smoothed(SentIntervals.asTheyAre.events(of: $0)) }
  let cells = [2, 3, 4, 5, 6, 8].map { count in
    let found = stretches.compactMap { smoothed(SentIntervals.averaged(over: count, $0)) }
    return "\(found.count { $0 <= 60 }) and \(found.count { $0 <= 120 })"
  }
  print("| \(name) | \(stretches.count) | \(wrong.count) | \(cells.joined(separator: " | ")) |")
}

/// Time of the first classification as smoothed, in s.
func smoothed(_ events: [SessionEvent]) -> Double? {
  var engine = StressEngine()
  var at: Double?
  for event in events {
    engine.update(event) { _ in }
    if engine.sensorClass == .smoothed, at == nil { at = event.at.seconds }
  }
  return at
}

/// Every five minutes, if 300 beats below 86 bpm follow.
func beginnings(_ rr: [RRInterval]) -> [Int] {
  var starts: [Int] = []
  var time = 0.0
  for (place, interval) in rr.enumerated() where place + 300 <= rr.count {
    if time >= Double(starts.count) * 300 { starts.append(place) }
    time += interval.milliseconds / 1000
  }
  return starts.filter { start in
    rr[start..<(start + 300)].reduce(0) { $0 + $1.milliseconds } > 300 * 700
  }
}

/// The number of beats, and of those during which the sensor class is `smoothed`.
func smoothedBeats(_ rr: [RRInterval]) -> (beats: Int, smoothed: Int) {
  var classifier = SensorClassifier()
  var (time, smoothed, followsBreak) = (SessionTime.zero, 0, true)
  for interval in rr {
    time = time + interval
    let isGap = interval.ticks > 3 * RRInterval.ticksPerSecond
    classifier.append(
      Beat(end: time, rr: interval, verdict: isGap ? .gap : .normal, followsBreak: followsBreak))
    followsBreak = isGap
    if classifier.sensorClass == .smoothed { smoothed += 1 }
  }
  return (rr.count, smoothed)
}

func perMille(_ part: Int, _ whole: Int) -> String {
  let tenThousandths = whole > 0 ? (20_000 * part + whole) / (2 * whole) : 0
  return "\(tenThousandths / 100).\(tenThousandths % 100 < 10 ? "0" : "")\(tenThousandths % 100) %"
}

print(
  """

  | recordings | files | beats | classified as smoothed | files with any | most in one file |
  |---|---|---|---|---|---|
  """)
for directory in [SharedData.Directory.rr, .holter, .labelled, .wearer, .tasks, .nights] {
  let found = try SharedData.recordingNames(in: directory).map {
    smoothedBeats(try SharedData.intervals(of: $0, in: directory))
  }
  let (beats, smoothed) = (found.reduce(0) { $0 + $1.beats }, found.reduce(0) { $0 + $1.smoothed })
  print(
    "| \(directory.rawValue) | \(found.count) | \(beats) | \(perMille(smoothed, beats)) "
      + "| \(found.count { $0.smoothed > 0 }) | \(found.map(\.smoothed).max() ?? 0) beats |")
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
