import HRV
import HeartRate
import TestSupport
import Testing

@Suite struct PacedRespirationTests {
  /// Beats of a person who breathes at `rate` per minute, with noise.
  private static func segments(_ rate: Double, seconds: Double = 120) -> NNSegments {
    var random = SeededGenerator(seed: 6)
    var (time, beats) = (0.0, [Beat]())
    while time < seconds {
      // A triangle wave approximates respiratory sinus arrhythmia.
      let phase = (time * rate / 60).truncatingRemainder(dividingBy: 1)
      let rr = 0.9 + 0.12 * (4 * abs(phase - 0.5) - 1) + Double.random(in: -0.01...0.01, using: &random)
      time += rr
      beats.append(
        Beat(
          end: SessionTime(seconds: time)!, rr: RRInterval(milliseconds: 1000 * rr)!, verdict: .normal,
          followsBreak: beats.isEmpty))
    }
    return NNSegments(beats)
  }

  @Test(arguments: [4.0, 4.5, 5, 5.5, 6, 6.5, 7, 8])
  func slowBreathingIsEstimatedWithAPacer(rate: Double) throws {
    let segments = Self.segments(rate)
    let found = try #require(RespirationRate(segments, pacedAt: rate / 60).rate.value)
    #expect(abs(found - rate) < 0.4, "\(found)")
    // At 4 breaths per minute, the third harmonic is within the HF band and is reported instead.
    if rate > 4 { #expect(RespirationRate(segments).rate.value == nil) }
  }

  @Test func aPersonWhoDoesNotFollowThePacerHasTheirOwnRate() throws {
    let found = RespirationRate(Self.segments(14), pacedAt: 5.5 / 60)
    #expect(abs(try #require(found.rate.value) - 14) < 0.5)
  }

  @Test(arguments: [7.0, 15, 28]) func amplitudesOfRPeaksGiveTheRate(rate: Double) throws {
    var random = SeededGenerator(seed: 2)
    let peaks = (0..<75).map { index in
      let time = 0.8 * Double(index) + Double.random(in: -0.02...0.02, using: &random)
      let phase = (time * rate / 60).truncatingRemainder(dividingBy: 1)
      return (
        time: time, amplitude: 1000 + 60 * (4 * abs(phase - 0.5) - 1) + .random(in: -8...8, using: &random)
      )
    }
    let found = RespirationRate(amplitudes: peaks)
    #expect(abs(try #require(found.rate.value) - rate) < 0.6)
    #expect(RespirationRate(amplitudes: Array(peaks.prefix(40))).rate.value == nil)
  }
}
