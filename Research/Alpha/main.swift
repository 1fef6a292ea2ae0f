// Prints the coverage of the 90 % interval of live DFA alpha1, and the CPU time of an estimate (docs/reference/metrics.md).
//
//     swift run -c release AlphaFigures [SIMULATIONS]
//
// Each row is one process and one number of beats. The true value is the mean alpha1 of all simulations. Exit code 1: the interval
// covers it in less than 88 % or more than 92 % of the simulations.
import Glibc
import HRV
import TestSupport

/// The estimates of many simulations.
struct Simulations {
  let mean: Double
  let spread: Double
  /// Mean of the standard errors that the intervals state.
  let stated: Double
  /// Fraction of intervals, 0 to 1, that contain the mean.
  let coverage: Double

  init(_ process: SimulatedProcess, beats: Int, count: Int) {
    var random = SeededGenerator(seed: UInt64(beats))
    let estimates = (0..<count).compactMap { _ in try? AlphaEstimate(process.beats(beats, using: &random)) }
    let (values, n) = (estimates.map(\.alpha1), Double(estimates.count))
    let mean = values.reduce(0, +) / n
    spread = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)).squareRoot()
    stated =
      estimates.reduce(0) { $0 + ($1.interval.upperBound - $1.interval.lowerBound) / (2 * 1.6449) } / n
    coverage = Double(estimates.count { $0.interval.contains(mean) }) / n
    self.mean = mean
  }
}

func fixed(_ value: Double, _ decimals: Int) -> String {
  let scale = decimals == 1 ? 10 : 1000
  let digits = String(Int((value * Double(scale)).rounded()) + scale)
  let whole = Int(digits)! / scale - 1
  return "\(whole).\(digits.suffix(decimals))"
}

func row(_ cells: [String]) { print("| \(cells.joined(separator: " | ")) |") }

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000
let lengths = [160, 200, 240, 300, 360]
let processes =
  [0.5, 0.75, 0.9, 0.99].map { SimulatedProcess.fractionalNoise(hurst: $0, length: 360) }
  + [0.2, 0.5, 0.8, 0.95].map { SimulatedProcess.autoregressive($0, length: 360) }
  + [0.2, 0.3, 0.45].map { SimulatedProcess.integrated($0, length: 360) }
var failures = 0
row(["process", "beats", "mean alpha1", "standard deviation", "stated standard error", "coverage %"])
row(Array(repeating: "---", count: 6))
for process in processes {
  for beats in lengths {
    let found = Simulations(process, beats: beats, count: count)
    if !(0.88...0.92).contains(found.coverage) { failures += 1 }
    row([
      process.name, "\(beats)", fixed(found.mean, 3), fixed(found.spread, 3), fixed(found.stated, 3),
      fixed(100 * found.coverage, 1),
    ])
  }
}

var random = SeededGenerator(seed: 1)
print()
for beats in [160, 240, 360] {
  let series = processes[1].beats(beats, using: &random)
  var sum = 0.0
  let start = clock()
  for _ in 0..<2000 { sum += (try? AlphaEstimate(series))?.alpha1 ?? 0 }
  let microseconds = Double(clock() - start) * 1e6 / Double(CLOCKS_PER_SEC) / 2000
  // The beats of two minutes are analyzed once every thirty seconds.
  let perBeat = microseconds / (Double(beats) * 30 / 120)
  print(
    "\(beats) beats: \(fixed(microseconds, 1)) us per estimate, \(fixed(perBeat, 3)) us per beat (\(sum > 0))"
  )
}
exit(failures == 0 ? 0 : 1)
