/// CPU time in ms of each metric of a long recording, with the names that `neurokit_client.py` uses.
///
/// Run with `swift run -c release MetricsBenchmark FILE`, FILE with one RR interval in ms per line.

import Glibc
import HRV
import HeartRate
import Stress

guard CommandLine.arguments.count == 2, let file = fopen(CommandLine.arguments[1], "r") else {
  print("usage: MetricsBenchmark FILE")
  exit(64)
}
var intervals: [RRInterval] = []
var value = 0.0
while withUnsafeMutablePointer(to: &value, { withVaList([$0]) { vfscanf(file, "%lf", $0) } }) == 1 {
  if let rr = RRInterval(milliseconds: value) { intervals.append(rr) }
}
fclose(file)

let segments = NNSegments(raw: intervals)
let first = NNSegments(raw: intervals.prefix(10_000))
let part = Array(intervals.prefix(100_000))

report("classify", beats: part.count) { countArtefacts(part) }
report("time", beats: intervals.count) {
  let sums = NNSeries(raw: intervals).sums
  return [sums.meanNN, sums.sdnn, sums.rmssd, sums.sdsd, sums.pNN50, sums.pNN20, sums.sd1, sums.sd2].count {
    $0 != nil
  }
}
report("frequency", beats: intervals.count) {
  (try? LombScargle().spectrum(of: segments)) == nil ? 0 : 1
}
report("dfa", beats: intervals.count) { FluctuationAnalysis().exponent(of: segments).value == nil ? 0 : 1 }
report("sample_entropy", beats: first.count) { SampleEntropy().entropy(of: first).value == nil ? 0 : 1 }

/// A night of 25,000 beats, in notifications of one beat each; `night` is the search of its window and its values.
let night = intervals.prefix(25_000)
report("night", beats: night.count) {
  var observer = NightObserver()
  var time: Int64 = 0
  for rr in night {
    time += rr.ticks
    let units = UInt16(clamping: rr.ticks * 1024 / RRInterval.ticksPerSecond)
    let value = HeartRateMeasurement(
      heartRate: UInt16(clamping: 60 * RRInterval.ticksPerSecond / max(1, rr.ticks)), contact: .detected,
      rrIntervals: RRIntervals(gattUnits: [units]))
    observer.update(SessionEvent(at: SessionTime(ticks: time), .notification(payload: value.encoded())))
  }
  observer.finish()
  return (try? Night.all(in: observer).get())?.count ?? 0
}

/// A function, because a closure in top-level code is isolated to the main actor: its isolation is checked for each
/// verdict, which takes half as long as the classification.
func countArtefacts(_ intervals: [RRInterval]) -> Int {
  ArtefactClassifier.verdicts(on: intervals).count { $0 != .normal }
}

/// Prints the fastest of five runs and its result, so that the computation is not optimised away.
func report(_ name: String, beats: Int, _ work: () -> Int) {
  var best = Double.infinity
  var result = 0
  for _ in 0..<5 {
    let start = processorTime()
    result = work()
    best = min(best, processorTime() - start)
  }
  print("\(name)_ms=\(best) beats=\(beats) result=\(result)")
}

/// CPU time of the process, in ms.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}
