import HeartRate
import RealModule
import TestSupport

@testable import HRV

/// Series of beats whose spectrum or scaling is known beforehand.
enum SyntheticBeats {
  /// Beats for `seconds`, each as long as `length` says for the time at which it begins (in ms).
  static func series(seconds: Double, length: (Double) -> Double) -> [Beat] {
    var beats: [Beat] = []
    var end = SessionTime.zero
    while end.seconds < seconds {
      let rr = RRInterval(ticks: Int64((length(end.seconds) * 80_000).rounded()))
      end = end + rr
      beats.append(Beat(end: end, rr: rr, verdict: .normal, followsBreak: beats.isEmpty))
    }
    return beats
  }

  /// A sine of `amplitude` ms around 900 ms.
  static func sine(_ frequency: Double, amplitude: Double, seconds: Double) -> [Beat] {
    series(seconds: seconds) { 900 + amplitude * .sin(2 * .pi * frequency * $0) }
  }

  /// Independent values around `mean` ms, with a standard deviation of `deviation`: nearly Gaussian.
  static func noise(
    mean: Double = 900, deviation: Double = 40, seconds: Double, _ generator: inout SeededGenerator
  ) -> [Beat] {
    series(seconds: seconds) { _ in mean + deviation * gaussian(&generator) }
  }

  /// The sum of twelve even draws, less its mean.
  static func gaussian(_ generator: inout SeededGenerator) -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
  }

  /// `count` values whose power falls as frequency^-`exponent`, with random phases; mean 900, some 40 either way.
  static func colouredIntervals(
    exponent: Double, count: Int, _ generator: inout SeededGenerator
  ) -> [RRInterval] {
    var values = [Double](repeating: 0, count: count)
    for frequency in 1..<count / 2 {
      let amplitude = Double.pow(Double(frequency), -exponent / 2)
      let phase = Double.random(in: 0..<2 * .pi, using: &generator)
      let turn = 2 * Double.pi * Double(frequency) / Double(count)
      for index in 0..<count { values[index] += amplitude * .cos(turn * Double(index) + phase) }
    }
    let scale = 40 / (values.reduce(0) { $0 + $1 * $1 } / Double(count)).squareRoot()
    return values.map { RRInterval(ticks: Int64((900 + scale * $0) * 80_000)) }
  }

  /// The same times with `change` made to each interval, in ticks.
  static func changing(_ beats: [Beat], _ change: (Int64) -> Int64) -> [Beat] {
    beats.map { beat in
      var beat = beat
      beat.rr = RRInterval(ticks: change(beat.rr.ticks))
      return beat
    }
  }

  /// Several series one after the other, with ten seconds of nothing between them.
  static func joined(_ pieces: [[Beat]]) -> [Beat] {
    var start = SessionTime.zero
    var all: [Beat] = []
    for piece in pieces {
      guard let first = piece.first, let last = piece.last else { continue }
      let shift = start.ticks - (first.end - first.rr).ticks
      for (index, beat) in piece.enumerated() {
        let end = SessionTime(ticks: beat.end.ticks + shift)
        all.append(
          Beat(end: end, rr: beat.rr, verdict: beat.verdict, followsBreak: index == 0 || beat.followsBreak))
      }
      start = SessionTime(ticks: last.end.ticks + shift + 10 * RRInterval.ticksPerSecond)
    }
    return all
  }
}
