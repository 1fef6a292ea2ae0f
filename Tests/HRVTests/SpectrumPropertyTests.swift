import HeartRate
import RealModule
import TestSupport
import Testing

@testable import HRV

struct SpectrumPropertyTests {
  @Test("The fast transform equals the definition")
  func fastTransform() {
    var generator = SeededGenerator(seed: 1)
    for (first, count) in [(0.0, 1), (0.0, 40), (0.013, 97)] {
      let grid = FrequencyGrid(first: first, perHertz: 120, count: count)
      let times = (0..<150).map { _ in Double.random(in: 0..<120, using: &generator) }
      let values = times.map { _ in SIMD2(Double.random(in: -50...50, using: &generator), 1) }
      let fast = NonuniformTransform(grid)(times, values)
      for index in 0..<count {
        var exact = SIMD4<Double>.zero
        for (time, value) in zip(times, values) {
          let angle = 2 * Double.pi * grid[index] * time
          exact += SIMD4(
            value.x * .cos(angle), value.x * .sin(angle), value.y * .cos(angle), value.y * .sin(angle))
        }
        let error = fast[index] - exact
        for lane in 0..<4 { #expect(abs(error[lane]) < (lane < 2 ? 50 : 1) * 150 * 1e-10) }
      }
    }
  }

  @Test(
    "The powers at all frequencies add up to the variance of evenly spaced values (Parseval)",
    arguments: [64, 65, 300])
  func parseval(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    let values = (0..<count).map { _ in 40 * SyntheticBeats.gaussian(&generator) }
    let mean = values.reduce(0, +) / Double(count)
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)
    let grid = FrequencyGrid(first: 0, perHertz: Double(count), count: 1 + count / 2)
    let powers = Periodogram(grid)(
      times: (0..<count).map(Double.init), values: values,
      weights: Array(repeating: 1 / Double(count), count: count))
    #expect(agree(powers.reduce(0, +), variance, 1e-9))
  }

  @Test(
    "The power of white noise at the times of beats is its variance within 6 %",
    arguments: [Taper.none, .hann, .hamming])
  func varianceOfNoise(taper: Taper) throws {
    var generator = SeededGenerator(seed: 4)
    var settings = LombScargle()
    settings.taper = taper
    let beats = SyntheticBeats.noise(mean: 1000, seconds: 3600, &generator)
    let spectrum = try settings.spectrum(of: NNSegments(beats))
    #expect(agree(spectrum.power(in: 0..<1), 1600, 0.06))
  }

  @Test("A sine has a power of half its squared amplitude in its band", arguments: [0.02, 0.1, 0.25])
  func sine(frequency: Double) throws {
    let segments = NNSegments(SyntheticBeats.sine(frequency, amplitude: 40, seconds: 900))
    for bands in [SpectralBands(lombScargle: segments), SpectralBands(welch: segments)] {
      let powers = [bands.vlf, bands.lf, bands.hf].compactMap(\.value)
      try #require(powers.count == 3)
      let home = frequency < 0.04 ? 0 : frequency < 0.15 ? 1 : 2
      // The sine is sampled less often where the intervals are longer.
      #expect(agree(powers[home], 800, 0.03), "\(powers)")
      for (band, power) in powers.enumerated() where band != home { #expect(power < 8, "\(powers)") }
      #expect(agree(bands.total.value, powers.reduce(0, +), 1e-12))
      #expect(agree((bands.lfNormalised.value ?? 0) + (bands.hfNormalised.value ?? 0), 100, 1e-12))
    }
  }

  @Test("Lomb-Scargle tolerates the loss of a tenth of the beats")
  func missingBeats() throws {
    var generator = SeededGenerator(seed: 5)
    var beats = SyntheticBeats.sine(0.25, amplitude: 40, seconds: 900)
    for index in beats.indices where Int.random(in: 0..<10, using: &generator) == 0 {
      beats[index].verdict = .ectopic
    }
    let bands = SpectralBands(lombScargle: NNSegments(beats))
    #expect(agree(bands.hf.value, 800, 0.1))
  }

  @Test("Tripling the deviations gives nine times the power, and a constant offset no change")
  func scaling() throws {
    var generator = SeededGenerator(seed: 6)
    var beats = SyntheticBeats.noise(seconds: 700, &generator)
    let power = { (beats: [Beat]) in try LombScargle().spectrum(of: NNSegments(beats)).power(in: 0.003..<0.4)
    }
    // The first interval determines the start of the windows, so it is not changed.
    beats[0].rr = RRInterval(ticks: 900 * 80_000)
    let tripled = SyntheticBeats.changing(beats) { 3 * $0 - 2 * 900 * 80_000 }
    #expect(agree(try power(tripled), 9 * (try power(beats)), 1e-9))

    let periodogram = Periodogram(FrequencyGrid(first: 0, perHertz: 700, count: 280))
    let (times, values) = (beats.map(\.end.seconds), beats.map(\.rr.milliseconds))
    let weights = beats.map { _ in 1 / Double(beats.count) }
    let plain = periodogram(times: times, values: values, weights: weights)
    let raised = periodogram(times: times, values: values.map { $0 + 50 }, weights: weights)
    for (a, b) in zip(plain, raised) { #expect(abs(a - b) < 1e-9) }
  }

  @Test("Periods on both sides of a gap do not affect each other")
  func gaps() throws {
    let slow = SyntheticBeats.series(seconds: 400) { 1100 + 20 * .sin(2 * .pi * 0.25 * $0) }
    let fast = SyntheticBeats.series(seconds: 400) { 600 + 20 * .sin(2 * .pi * 0.25 * $0) }
    let segments = NNSegments(SyntheticBeats.joined([slow, fast]))
    #expect(segments.stretches.count == 2 && segments.runs.count == 2)
    for bands in [SpectralBands(lombScargle: segments), SpectralBands(welch: segments)] {
      let (lf, hf) = (try #require(bands.lf.value), try #require(bands.hf.value))
      #expect(lf < 2 && agree(hf, 200, 0.05), "\(lf) \(hf)")
    }
  }

  @Test("The order of the segments between gaps does not change the spectrum")
  func permutation() throws {
    var generator = SeededGenerator(seed: 7)
    var pieces = (0..<4).map { SyntheticBeats.noise(seconds: 310 + 40 * Double($0), &generator) }
    let before = NNSegments(SyntheticBeats.joined(pieces))
    pieces.shuffle(using: &generator)
    let after = NNSegments(SyntheticBeats.joined(pieces))
    for make in [{ SpectralBands(lombScargle: $0) }, { SpectralBands(welch: $0) }]
      as [(NNSegments) -> SpectralBands]
    {
      let (a, b) = (make(before), make(after))
      #expect(agree(a.lf.value, b.lf.value, 1e-9) && agree(a.hf.value, b.hf.value, 1e-9))
      #expect(a.spectrum?.windows == b.spectrum?.windows)
    }
  }

  @Test("Equal input gives equal output, bit for bit")
  func determinism() {
    var generator = SeededGenerator(seed: 8)
    let segments = NNSegments(SyntheticBeats.noise(seconds: 700, &generator))
    #expect(SpectralBands(lombScargle: segments) == SpectralBands(lombScargle: segments))
    #expect(SpectralBands(welch: segments) == SpectralBands(welch: segments))
  }

  @Test("A spline reproduces its points and polynomials of its degree", arguments: 1...3)
  func spline(degree: Int) {
    var generator = SeededGenerator(seed: 9)
    var at = 0.0
    let points = (0..<40).map { _ in
      at += Double.random(in: 0.2...2, using: &generator)
      return at
    }
    let polynomial = { (x: Double) in (0...degree).reduce(0) { $0 * x + Double($1) + 0.5 } }
    let spline = SplineInterpolation(points, points.map(polynomial), degree: degree)
    let step = (points[39] - points[0]) / 200
    for (index, sample) in spline.samples(step: step, count: 201).enumerated() {
      #expect(agree(sample, polynomial(points[0] + Double(index) * step), 1e-9))
    }
    #expect(spline.samples(step: step, count: 203)[202] == spline.samples(step: step, count: 202)[201])
  }
}

struct RespirationRateTests {
  @Test(
    "A respiratory modulation gives its breathing rate within 0.3 per minute",
    arguments: [10.0, 13, 15, 18.5, 22])
  func modulation(rate: Double) throws {
    let segments = NNSegments(SyntheticBeats.sine(rate / 60, amplitude: 30, seconds: 300))
    let respiration = RespirationRate(segments)
    #expect(abs(try #require(respiration.rate.value) - rate) < 0.3)
    #expect(try #require(respiration.reliability) > 0.9)
  }

  @Test("The second harmonic of breathing at 6 per minute is rejected")
  func harmonic() throws {
    let beats = SyntheticBeats.series(seconds: 300) { time in
      900 + 60 * .sin(2 * .pi * 0.1 * time) + 20 * .sin(2 * .pi * 0.2 * time)
    }
    guard case .absent(.harmonic(let rate)) = RespirationRate(NNSegments(beats)).rate else {
      Issue.record("expected a harmonic")
      return
    }
    #expect(abs(rate - 6) < 0.3)
  }

  @Test("White noise rarely gives a breathing rate", arguments: [60.0, 120, 300, 900])
  func noise(seconds: Double) {
    var generator = SeededGenerator(seed: 10)
    let rates = (0..<50).filter { _ in
      RespirationRate(NNSegments(SyntheticBeats.noise(seconds: seconds + 1, &generator))).rate.value != nil
    }
    #expect(rates.count <= 2)
  }
}
