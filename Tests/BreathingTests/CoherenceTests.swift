import BreathingTestSupport
import HRV
import HeartRate
import RealModule
import Simulator
import TestSupport
import Testing

@testable import Breathing

@Suite struct CoherenceTests {
  private func noise(_ random: inout SeededGenerator) -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
  }

  private func coherence(_ pattern: BreathingPattern, cycles: Int, _ swing: (Double) -> Double)
    -> BreathCoherence?
  {
    BreathCoherence([synthetic(pattern, cycles: cycles, swing: swing)])
  }

  @Test("A modulation that repeats with every breath has a coherence near 1") func periodicModulation() throws
  {
    let sine = try #require(coherence(.coherent, cycles: 27) { 40 * Double.cos(2 * .pi * $0) })
    #expect(sine.value > 0.999 && abs(sine.amplitude - 40) < 0.5)
    // With long holds the modulation is not a sine.
    let held = try #require(
      coherence(.relaxing, cycles: 4) { 40 * (max(-0.4, Double.cos(2 * .pi * $0))) })
    #expect(held.value > 0.95)
  }

  @Test("Noise has a mean coherence near 0") func noise() {
    var random = SeededGenerator(seed: 5)
    let values = (0..<200).compactMap { _ in
      coherence(.box, cycles: 12) { _ in 20 * noise(&random) }?.value
    }
    #expect(values.count == 200)
    #expect(values.reduce(0, +) / 200 < 0.04)
  }

  @Test("Equal variances of signal and noise give a coherence of 0.5") func signalAndNoise() throws {
    var random = SeededGenerator(seed: 6)
    let values = (0..<50).compactMap { _ in
      coherence(.coherent, cycles: 27) {
        20 * 2.0.squareRoot() * Double.cos(2 * .pi * $0) + 20 * noise(&random)
      }?
      .value
    }
    #expect(abs(values.reduce(0, +) / 50 - 0.5) < 0.04)
  }

  @Test("Drift does not lower coherence") func drift() throws {
    let drifting = try #require(
      coherence(.coherent, cycles: 27) { 30 * Double.cos(2 * .pi * $0) + 4 * $0 + 0.1 * $0 * $0 })
    #expect(drifting.value > 0.98)
  }

  @Test("Too few samples give no coherence, and equal intervals give 0") func tooFewSamples() {
    #expect(coherence(.coherent, cycles: 2) { $0 } == nil)
    #expect(BreathCoherence([]) == nil)
    #expect(BreathCoherence([PacedBeats(pattern: .box, samples: [])]) == nil)
    // All intervals are equal.
    #expect(coherence(.coherent, cycles: 9) { _ in 0 }?.value == 0)
  }

  @Test("A person who follows the pacer has a higher coherence than one who does not")
  func followingThePacer() throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      let breathing = PacedBreathing(.coherent, cycles: 27)
      let follows = try #require(BreathCoherence(GuidedPerson(seed: seed, breathing).paced))
      // The person breathes spontaneously during the same minutes.
      let person = try GuidedPerson(seed: seed, before: 60, PacedBreathing(.coherent, cycles: 1), after: 400)
      let start = person.times.during.upperBound
      let stretch = ExerciseTimes.Stretch(
        pattern: .coherent, times: start..<SessionTime(ticks: start.ticks + breathing.ticks))
      let ignores = try #require(BreathCoherence([PacedBeats(person.beats, in: stretch)]))
      #expect(follows.value > 0.5, "seed \(seed)")
      #expect(ignores.value < 0.3, "seed \(seed)")
      #expect(follows.amplitude > ignores.amplitude)
    }
  }
}
