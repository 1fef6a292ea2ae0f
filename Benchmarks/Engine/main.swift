/// CPU time and allocations per beat, of the window alone and of the whole engine.
///
/// Run with `swift run -c release EngineBenchmark`. The exit code is 1 if an engine allocates after its warm-up.

import AllocationCount
import Glibc
import HRV
import HeartRate
import Stress

let warmUp = 1000
let beats = series(of: warmUp + 100_000)

let intervals = beats.map { SessionEvent(at: $0.end, .interval($0.rr)) }
let notifications = beats.map { beat in
  let rr = RRIntervals(gattUnits: [beat.rr.gattUnits])
  let value = HeartRateMeasurement(heartRate: 75, contact: .detected, rrIntervals: rr)
  return SessionEvent(at: beat.end, .notification(payload: value.encoded()))
}

var allocations: UInt = 0
allocations += report("window, RMSSD and SDNN at each beat", window)
allocations += report("engine, one interval of a file") { engine(intervals) }
allocations += report("engine, one notification of one RR") { engine(notifications) }
if allocations > 0 {
  print("a warm engine must not allocate")
  exit(1)
}

struct Cost {
  /// CPU time per beat in ns.
  var nanoseconds: Double
  /// Blocks allocated over all beats.
  var allocations: UInt
}

/// Prints the fastest of 20 runs.
func report(_ name: String, _ run: () -> Cost) -> UInt {
  var best = run()
  for _ in 1..<20 {
    let cost = run()
    if cost.nanoseconds < best.nanoseconds { best = cost }
  }
  print("\(name): \((best.nanoseconds * 10).rounded() / 10) ns per beat, \(best.allocations) allocations")
  return best.allocations
}

func window() -> Cost {
  var window = BeatWindow(length: .seconds(60))
  for beat in beats[..<warmUp] { window.append(beat) }
  return cost {
    var sum = 0.0
    for beat in beats[warmUp...] {
      window.append(beat)
      sum += (window.rmssd ?? 0) + (window.sdnn ?? 0)
    }
    return sum
  }
}

func engine(_ events: [SessionEvent]) -> Cost {
  var engine = StressEngine()
  for event in events[..<warmUp] {
    engine.update(event) { _ in }
  }
  // In place, because copying an event costs as much as decoding it.
  let events = events.span
  return cost {
    var sum = 0.0
    for place in warmUp..<events.count {
      engine.update(events[place]) { measurement in
        if let score = measurement.score { sum += score.value * measurement.confidence.value }
      }
    }
    return sum
  }
}

func cost(_ work: () -> Double) -> Cost {
  let allocations = allocation_count()
  let start = processorTime()
  let result = work()
  let end = processorTime()
  precondition(result.isFinite)
  return Cost(
    nanoseconds: Double(end - start) / Double(beats.count - warmUp),
    allocations: allocation_count() - allocations)
}

/// CPU time of the process, in ns.
func processorTime() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// A heart rate that varies around 75 bpm, with occasional missed beats.
func series(of count: Int) -> [Beat] {
  var state: UInt32 = 1
  var end = SessionTime.zero
  return (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    let units = 780 + UInt16(state >> 25) + (state >> 8 & 0xFF == 0 ? 800 : 0)
    let rr = RRInterval(gattUnits: units)
    end = end + rr
    return Beat(end: end, rr: rr, verdict: units > 1000 ? .missed : .normal, followsBreak: false)
  }
}
