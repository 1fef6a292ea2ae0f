import HeartRate
import RealModule
import TestSupport
import Testing

@testable import HRV

@Suite struct CosinorTests {
  /// A day of periods of 5 min: a cosine with autocorrelated noise.
  private static func day(
    amplitude: Double, peak: Double, noise: Double = 4, correlation: Double = 0.6,
    _ random: inout SeededGenerator
  ) -> [(time: Double, value: Double)] {
    var error = 0.0
    return (0..<288).map { place in
      let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
      error = correlation * error + (1 - correlation * correlation).squareRoot() * noise * normal
      let time = 300 * (Double(place) + 0.5)
      return (time, 70 + amplitude * .cos(2 * .pi * (time - peak) / 86_400) + error)
    }
  }

  @Test func cosineWithoutNoiseIsFound() throws {
    var random = SeededGenerator(seed: 1)
    let fit = try #require(Cosinor(Self.day(amplitude: 9, peak: 54_000, noise: 0, &random)))
    #expect(abs(fit.mesor - 70) < 1e-9 && abs(fit.amplitude - 9) < 1e-9 && abs(fit.peak - 54_000) < 1e-3)
    #expect(fit.explained > 0.999 && fit.peakHalfWidth.map { $0 < 1 } == true)
  }

  @Test("The 95 % intervals contain the true values in 90 to 99 of 100 simulated days")
  func coverage() throws {
    var random = SeededGenerator(seed: 2)
    let days = 400
    var (mesor, amplitude, peak) = (0, 0, 0)
    for _ in 0..<days {
      let fit = try #require(Cosinor(Self.day(amplitude: 9, peak: 54_000, &random)))
      if abs(fit.mesor - 70) <= fit.mesorHalfWidth { mesor += 1 }
      if abs(fit.amplitude - 9) <= fit.amplitudeHalfWidth { amplitude += 1 }
      if abs(fit.peak - 54_000) <= fit.peakHalfWidth ?? 0 { peak += 1 }
    }
    print("coverage of mesor, amplitude, peak:", [mesor, amplitude, peak].map { Double($0) / Double(days) })
    for count in [mesor, amplitude, peak] { #expect((0.9...0.99).contains(Double(count) / Double(days))) }
  }

  @Test func dayWithoutRhythmHasNoTimeOfItsPeakInMostCases() throws {
    var random = SeededGenerator(seed: 3)
    let found = try (0..<200).count { _ in
      try #require(Cosinor(Self.day(amplitude: 0, peak: 0, &random))).peakHalfWidth != nil
    }
    #expect(found <= 60, "\(found) of 200")
  }

  @Test func recordingNeedsEighteenHours() {
    let hours = { (count: Int) in
      NNSegments(raw: (0..<count * 3600).map { _ in RRInterval(milliseconds: 1000)! })
    }
    #expect(Cosinor(hours(17)) == nil)
    if let day = Cosinor(hours(19)) { #expect(abs(day.mesor - 60) < 0.001) }
  }
}
