/// Prints the quantities of the windows of sessions, from which `Research/reliability` fits the confidence.
///
/// Standard input contains sessions: a line `session PLACE...` with the places of the beats whose windows are printed, then
/// lines `n TICKS PAYLOAD` (notification, in hexadecimal digits) and `l TICKS lost|connected`, with times in 1/80,000,000 s.
/// Standard output contains one line of numbers for each window, in the order of ``columns``.

import HRV
import HeartRate
import Stress

/// A session that is being processed.
struct Replay {
  private var engine = StressEngine(baseline: replayBaseline)
  private var window = BeatWindow(length: .seconds(60))
  private let places: Set<Int>
  private var beats = 0

  init(places: Set<Int>) { self.places = places }

  mutating func update(_ event: SessionEvent) {
    var newest: Beat?
    engine.update(
      event,
      emit: {
        if case .beat(let beat) = $0 { newest = beat }
      },
      measured: { measurement in
        if let newest { window.append(newest) }
        if places.contains(beats) { Self.printRow(measurement, &window, place: beats) }
        beats += 1
      })
  }

  private static func printRow(_ measurement: StressMeasurement, _ window: inout BeatWindow, place: Int) {
    let (nn, quality, pattern) = (measurement.nn, measurement.quality, window.pattern)
    let confidence = measurement.confidence
    let smoothed = measurement.sensorClass == .smoothed
    let numbers: [Double] = [
      Double(place), measurement.hasRequiredData ? 1 : 0, smoothed ? 1 : 0, Double(nn.count),
      Double(measurement.beats),
      Double(nn.differences), nn.rmssd ?? 0, nn.sdnn ?? 0, nn.meanHeartRate ?? 0, quality.abnormalBeats,
      quality.lostData, quality.contactLost, quality.duplicates, quality.tail, pattern.noise ?? 0,
      pattern.randomness,
      window.irregularity ?? 0, nn.unchangedFraction ?? 0, measurement.artefactFraction, measurement.fill,
      confidence[.rhythm] ?? 1, confidence[.sensor] ?? 1, calibrated(confidence),
    ]
    print(numbers.map { "\($0)" }.joined(separator: " "))
  }
}

/// The product of the factors that state errors of the data.
func calibrated(_ confidence: Confidence) -> Double {
  let factors: [Confidence.Factor] = [.rhythm, .sensor, .abnormalBeats, .lostData, .contact, .tail, .noise]
  return factors.reduce(1) { $0 * (confidence[$1] ?? 1) }
}

let replayBaseline = Baseline(
  rmssd: 50, sdnn: 60, restingHeartRate: 60, days: 30, origin: .learned, weight: 1)

func bytes(_ hex: Substring) -> [UInt8] {
  let digits = Array(hex.utf8)
  return stride(from: 0, to: digits.count - 1, by: 2).map { place in
    UInt8(String(decoding: digits[place...(place + 1)], as: UTF8.self), radix: 16) ?? 0
  }
}

var replay: Replay?
while let line = readLine() {
  let words = line.split(separator: " ")
  guard let kind = words.first else { continue }
  switch kind {
  case "session": replay = Replay(places: Set(words.dropFirst().compactMap { Int($0) }))
  case "n":
    replay?.update(
      SessionEvent(at: SessionTime(ticks: Int64(words[1]) ?? 0), .notification(payload: bytes(words[2]))))
  case "l":
    let change = LinkChange(words[2] == "lost" ? .lost : .connected)
    replay?.update(SessionEvent(at: SessionTime(ticks: Int64(words[1]) ?? 0), .link(change)))
  default: fatalError("unknown line: \(line)")
  }
}
