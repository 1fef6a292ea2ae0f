import HeartRate
import RealModule
import TestSupport
import Testing

@testable import HRV

struct NonlinearPropertyTests {
  @Test(
    "Alpha1 is 0.5 for white noise, 1 for 1/f noise and 1.5 for a random walk", arguments: [0.0, 1, 2])
  func exponents(exponent: Double) throws {
    var generator = SeededGenerator(seed: 11)
    let intervals = SyntheticBeats.colouredIntervals(exponent: exponent, count: 2000, &generator)
    let alpha = try #require(FluctuationAnalysis().exponent(of: NNSegments(raw: intervals)).value)
    #expect(abs(alpha - (0.5 + exponent / 2)) < 0.12, "\(alpha)")
  }

  @Test("The scaling exponent equals a direct computation of the definition", arguments: [false, true])
  func definition(overlaps: Bool) throws {
    var generator = SeededGenerator(seed: 12)
    let pieces = [200.0, 9, 120].map { SyntheticBeats.noise(seconds: $0, &generator) }
    var analysis = FluctuationAnalysis()
    analysis.overlaps = overlaps
    let alpha = analysis.exponent(of: NNSegments(SyntheticBeats.joined(pieces))).value
    #expect(agree(alpha, directExponent(pieces.map { $0.map(\.rr.milliseconds) }, overlaps: overlaps), 1e-8))
  }

  private func directExponent(_ runs: [[Double]], overlaps: Bool) -> Double {
    let points = (4...16).map { size in
      var residuals: [Double] = []
      for run in runs {
        let mean = run.reduce(0, +) / Double(run.count)
        var sum = 0.0
        let profile = run.map { value in
          sum += value - mean
          return sum
        }
        let last = run.count - size - (overlaps ? 1 : 0)
        for start in stride(from: 0, through: last, by: overlaps ? size / 2 : size) {
          let box = Array(profile[start..<start + size])
          let line = fit(box.indices.map(Double.init), box)
          for (index, value) in box.enumerated() {
            let error = value - line.level - line.slope * Double(index)
            residuals.append(error * error)
          }
        }
      }
      return (Double.log(Double(size)), Double.log(residuals.reduce(0, +) / Double(residuals.count)) / 2)
    }
    return fit(points.map(\.0), points.map(\.1)).slope
  }

  private func fit(_ x: [Double], _ y: [Double]) -> (level: Double, slope: Double) {
    let n = Double(x.count)
    let (sx, sy) = (x.reduce(0, +), y.reduce(0, +))
    let sxx = x.reduce(0) { $0 + $1 * $1 }
    let sxy = zip(x, y).reduce(0) { $0 + $1.0 * $1.1 }
    let slope = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    return ((sy - slope * sx) / n, slope)
  }

  @Test("Sample entropy equals a direct comparison of all pairs")
  func entropy() throws {
    var generator = SeededGenerator(seed: 13)
    let pieces = [60.0, 3, 90].map { SyntheticBeats.noise(seconds: $0, &generator) }
    let segments = NNSegments(SyntheticBeats.joined(pieces))
    var sums = NNSeries()
    for beat in pieces.joined() { sums.append(beat) }
    let reach = 0.2 * (try #require(sums.sums.sdnn))
    var patterns: [[Double]] = []
    for piece in pieces where piece.count > 2 {
      let values = piece.map(\.rr.milliseconds)
      for index in 0..<values.count - 2 { patterns.append(Array(values[index...index + 2])) }
    }
    var (shorter, longer) = (0, 0)
    for a in patterns.indices {
      for b in patterns.indices where b > a {
        let differences = zip(patterns[a], patterns[b]).map { abs($0 - $1) }
        guard differences[0] <= reach, differences[1] <= reach else { continue }
        shorter += 1
        if differences[2] <= reach { longer += 1 }
      }
    }
    let expected = -Double.log(Double(longer) / Double(shorter))
    #expect(agree(SampleEntropy().entropy(of: segments).value, expected, 1e-12))
  }

  @Test("Scale, constant offset and order of segments do not change the metrics")
  func invariants() throws {
    var generator = SeededGenerator(seed: 14)
    var pieces = (0..<4).map { SyntheticBeats.noise(seconds: 100 + 30 * Double($0), &generator) }
    let beats = SyntheticBeats.joined(pieces)
    let plain = NNSegments(beats)
    let scaled = NNSegments(SyntheticBeats.changing(beats) { 2 * $0 })
    let shifted = NNSegments(SyntheticBeats.changing(beats) { $0 + 1_234_567 })
    pieces.shuffle(using: &generator)
    let permuted = NNSegments(SyntheticBeats.joined(pieces))
    let (alpha, entropy) = (FluctuationAnalysis(), SampleEntropy())
    for changed in [scaled, shifted, permuted] {
      #expect(agree(alpha.exponent(of: changed).value, alpha.exponent(of: plain).value, 1e-9))
      #expect(agree(entropy.entropy(of: changed).value, entropy.entropy(of: plain).value, 1e-12))
    }
    #expect(alpha.exponent(of: shifted) == alpha.exponent(of: plain))
    #expect(StressIndex(permuted) == StressIndex(plain))
  }

  @Test("Baevsky's stress index equals the manual calculation")
  func stressIndex() {
    // 60 of 100 in 800..<850 ms: Mo 0.825 s, AMo 60 %; from 790 to 860 ms: MxDMn 0.07 s.
    let lengths =
      Array(repeating: 810.0, count: 60) + Array(repeating: 790, count: 25) + Array(repeating: 860, count: 15)
    let segments = NNSegments(raw: lengths.compactMap(RRInterval.init(milliseconds:)))
    #expect(agree(StressIndex(segments).value.value, 60 / (2 * 0.825 * 0.07), 1e-12))
  }
}
