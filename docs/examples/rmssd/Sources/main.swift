// Prints the RMSSD of a file with one RR interval in ms per line, and the intervals that it excludes.
import Foundation
import HRV
import HeartRate

guard CommandLine.arguments.count == 2 else {
  print("usage: rmssd FILE")
  exit(64)
}
let text = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
let intervals = text.split(separator: "\n").compactMap { Double($0).flatMap(RRInterval.init(milliseconds:)) }

// Each beat has a verdict; RMSSD uses the differences between successive normal intervals.
let beats = ArtefactClassifier.classify(intervals)
let series = NNSeries(beats)

for beat in beats where !beat.verdict.isNormal {
  print("\(beat.end.seconds) s: \(beat.rr) is \(beat.verdict)")
}
print("\(series.beats) intervals, \(series.sums.count) normal")
if let rmssd = series.sums.rmssd, let raw = NNSeries(raw: intervals).sums.rmssd {
  print("RMSSD \((rmssd * 10).rounded() / 10) ms; \((raw * 10).rounded() / 10) ms if all intervals were used")
} else {
  print("too few normal intervals")
}
