/// How far real recordings are trusted, and what becomes of supine rest when something is wrong with it: the tables of
/// docs/design/confidence.md.
///
/// Run with `STRESSMON_TEST_DATA=FOLDER swift run -c release ConfidenceFigures`.

import HRV
import HeartRate
import Stress
import TestSupport

let mature = Baseline(rmssd: 50, sdnn: 50, restingHeartRate: 60, days: 30, origin: .learned)

/// The windows of `events` that end after the first minute.
func fullWindows(_ events: [SessionEvent], _ baseline: Baseline) -> [StressMeasurement] {
  var engine = StressEngine(baseline: baseline)
  var all: [StressMeasurement] = []
  for event in events {
    engine.update(event) { measurement in
      if measurement.time.seconds > 60 { all.append(measurement) }
    }
  }
  return all
}

/// The value below which `share` of `values` lie.
func quantile(_ values: [Double], _ share: Double) -> String {
  guard !values.isEmpty else { return "-" }
  return fixed(values.sorted()[min(values.count - 1, Int(Double(values.count) * share))])
}

func fixed(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
}

func percent(_ part: Int, _ whole: Int) -> String {
  whole > 0 ? "\((200 * part + whole) / (2 * whole)) %" : "-"
}

/// The factor that lowers most windows most.
func reason(_ windows: [StressMeasurement]) -> String {
  var counts: [String: Int] = [:]
  for window in windows {
    guard let lowest = window.confidence.known.min(by: { $0.value < $1.value }), lowest.value < 0.95 else {
      continue
    }
    counts[lowest.factor.rawValue, default: 0] += 1
  }
  return counts.max { $0.value < $1.value }?.key ?? "-"
}

func summary(_ windows: [StressMeasurement]) -> String {
  let values = windows.map(\.confidence.value)
  return "\(quantile(values, 0.05)) and \(quantile(values, 0.5))"
}

print(
  """
  | recording | windows of 20 ms and more | fresh, 5 % and median | mature, 5 % and median | without artefacts: lowest |
  |---|---|---|---|---|
  """)
for name in try SharedData.recordingNames() {
  let events = SentIntervals.asTheyAre.events(of: try SharedData.intervals(of: name))
  func sound(_ baseline: Baseline) -> [StressMeasurement] {
    fullWindows(events, baseline).filter { $0.nn.rmssd ?? 0 >= 20 }
  }
  let windows = sound(mature)
  let clean = windows.filter { $0.artefactFraction == 0 }
  print(
    "| \(name) | \(windows.count) | \(summary(sound(.populationDefault))) | \(summary(windows))"
      + " | \(quantile(clean.map(\.confidence.value), 0)) of \(clean.count) |")
}

print(
  """

  | supine rest with | windows with a stress value | their confidence, 5 % and median | all windows | class | reason |
  |---|---|---|---|---|---|
  """)
let rest = try SharedData.intervals(of: "rest_supine")
for fault in SentIntervals.allCases {
  let events = fault.events(of: rest)
  let windows = fullWindows(events, mature)
  let scored = windows.filter { $0.score != nil }
  var engine = StressEngine()
  var found: (SensorClass, Double)?
  for event in events {
    engine.update(event) { _ in }
    if let kind = engine.sensorClass, kind != found?.0 { found = (kind, event.at.seconds) }
  }
  let sensor = found.map { "\($0.0.rawValue) after \(Int($0.1.rounded())) s" } ?? "-"
  print(
    "| \(fault.rawValue) | \(percent(scored.count, windows.count)) | \(summary(scored)) | \(summary(windows))"
      + " | \(sensor) | \(reason(windows)) |")
}

print(
  """

  | recording, begun anew each 5 minutes | beginnings | called smoothed | its means of 2: within 60 and 120 s \
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

print(
  """

  | recording, windows of 60 s | RMSSD / mean RR, median | jumps, median | 95 % | 99 % |
  |---|---|---|---|---|
  """)
for name in try SharedData.recordingNames() {
  let windows = rhythm(try SharedData.intervals(of: name))
  print(
    "| \(name) | \(quantile(windows.map(\.irregularity), 0.5)) | \(quantile(windows.map(\.jumps), 0.5))"
      + " | \(quantile(windows.map(\.jumps), 0.95)) | \(quantile(windows.map(\.jumps), 0.99)) |")
}

/// Normalised RMSSD and the share of jumps in the windows of a recording, no beat being judged.
func rhythm(_ rr: [RRInterval]) -> [(irregularity: Double, jumps: Double)] {
  var window = BeatWindow(length: .seconds(60))
  var end = SessionTime.zero
  return rr.compactMap { interval in
    end = end + interval
    window.append(Beat(end: end, rr: interval, verdict: .normal, followsBreak: false))
    guard end.seconds > 60, let rmssd = window.sums.rmssd, let mean = window.sums.meanNN,
      let jumps = window.jumpFraction
    else { return nil }
    return (rmssd / mean, jumps)
  }
}

/// When the session is first called smoothed, in s.
func smoothed(_ events: [SessionEvent]) -> Double? {
  var engine = StressEngine()
  var at: Double?
  for event in events {
    engine.update(event) { _ in }
    if engine.sensorClass == .smoothed, at == nil { at = event.at.seconds }
  }
  return at
}

/// Each five minutes, where 300 beats at less than 86 bpm follow.
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
