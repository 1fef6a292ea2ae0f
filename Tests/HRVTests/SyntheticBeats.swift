import HeartRate
import RealModule
import TestSupport

@testable import HRV

/// Series of beats with a known spectrum or scaling exponent.
enum SyntheticBeats {
  /// Beats for `seconds`; `length` returns the interval in ms for its start time in s.
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

  /// A sine of `amplitude` ms around 900 ms; `frequency` in Hz.
  static func sine(_ frequency: Double, amplitude: Double, seconds: Double) -> [Beat] {
    series(seconds: seconds) { 900 + amplitude * .sin(2 * .pi * frequency * $0) }
  }

  /// Independent, approximately Gaussian values with `mean` and standard deviation `deviation` in ms.
  static func noise(
    mean: Double = 900, deviation: Double = 40, seconds: Double, _ generator: inout SeededGenerator
  ) -> [Beat] {
    series(seconds: seconds) { _ in mean + deviation * gaussian(&generator) }
  }

  /// An approximately Gaussian number: the sum of twelve uniform numbers minus its mean.
  static func gaussian(_ generator: inout SeededGenerator) -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
  }

  /// `count` values with a power spectrum of frequency^-`exponent` and random phases; mean 900 ms, standard
  /// deviation 40 ms.
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

  /// Applies `change` to each interval, in ticks, without changing the end times.
  static func changing(_ beats: [Beat], _ change: (Int64) -> Int64) -> [Beat] {
    beats.map { beat in
      var beat = beat
      beat.rr = RRInterval(ticks: change(beat.rr.ticks))
      return beat
    }
  }

  /// Concatenates series with gaps of ten seconds.
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

extension [Beat] {
  /// The beats as a live window counts them: an interval that the next one shows to be premature is not normal.
  var withoutPrematureBeats: [Beat] {
    var beats = self
    for place in beats.indices.dropFirst() where beats[place].followsPrematureBeat {
      beats[place - 1].verdict = .ectopic
    }
    return beats
  }
}
