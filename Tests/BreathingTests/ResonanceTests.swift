import BreathingTestSupport
import HRV
import HeartRate
import RealModule
import Simulator
import TestSupport
import Testing

@testable import Breathing

@Suite struct ResonanceTests {
  @Test("The resonance frequency of simulated persons is estimated within 0.25 per minute")
  func simulatedResonance() throws {
    let breathing = try ResonanceProtocol().breathing
    var (near, inside, found) = (0, 0, 0)
    var worst: [String] = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let person = try GuidedPerson(seed: seed, before: 0, breathing, after: 0)
      let truth = Sitting.resonance(seed: seed)
      guard let rate = try? ResonanceEstimate(person.paced).rate.get() else {
        worst.append("\(seed): none, \(truth)")
        continue
      }
      found += 1
      if abs(rate.value - truth) <= 0.25 { near += 1 } else { worst.append("\(seed): \(rate), \(truth)") }
      if (rate.low...rate.high).contains(truth) { inside += 1 }
    }
    #expect(near >= 18, "\(worst)")
    #expect(inside >= 17 && found >= 19, "\(inside) of \(found)")
  }

  @Test("A resonance curve without noise is estimated exactly") func noiseFreeCurve() throws {
    let steps = try ResonanceProtocol().breathing.stretches
    let stretches = steps.map { step in
      let x = (step.pattern.rate - 5.3) / 1.1
      return synthetic(step.pattern, cycles: step.cycles) {
        80 * (0.2 + 0.8 / (1 + x * x)) * Double.cos(2 * .pi * $0)
      }
    }
    let estimate = ResonanceEstimate(stretches)
    let rate = try estimate.rate.get()
    #expect(abs(rate.value - 5.3) < 0.02)
    #expect(estimate.steps.map(\.rate.rounded) == steps.map(\.pattern.rate.rounded))
    for step in estimate.steps {
      let x = (step.rate - 5.3) / 1.1
      #expect(abs(step.amplitude - 80 * (0.2 + 0.8 / (1 + x * x))) < 0.5 && step.error < 1)
    }
  }

  @Test(
    "The 95 % interval of the resonance stays within the rates tried, and states which limit it reaches"
  )
  func intervalWithinRatesTried() throws {
    var limited = 0
    for seed in 1...40 as ClosedRange<UInt64> {
      let person = try GuidedPerson(seed: seed, before: 0, ResonanceProtocol().breathing, after: 0)
      let estimate = ResonanceEstimate(person.paced)
      guard let peak = try? estimate.rate.get() else { continue }
      let tried = estimate.steps.map(\.rate)
      let (slowest, fastest) = (try #require(tried.min()), try #require(tried.max()))
      #expect(slowest <= peak.low && peak.low <= peak.value, "\(seed): \(peak)")
      #expect(peak.value <= peak.high && peak.high <= fastest, "\(seed): \(peak)")
      if peak.reachesSlowest { #expect(peak.low == slowest) }
      if peak.reachesFastest { #expect(peak.high == fastest) }
      if peak.reachesSlowest || peak.reachesFastest { limited += 1 }
    }
    #expect(limited > 0)
  }

  @Test("A curve without a maximum gives a reason instead of a rate") func noMaximum() throws {
    let steps = try ResonanceProtocol().breathing.stretches
    func estimate(_ amplitude: (Double) -> Double) -> ResonanceEstimate {
      ResonanceEstimate(
        steps.map { step in
          let size = amplitude(step.pattern.rate)
          return synthetic(step.pattern, cycles: step.cycles) { size * Double.cos(2 * .pi * $0) }
        })
    }
    #expect(throws: ResonanceEstimate.Reason.flat) { try estimate { _ in 50 }.rate.get() }
    // The amplitude increases towards the slowest of the tested rates.
    #expect(throws: ResonanceEstimate.Reason.self) { try estimate { 400 / $0 / $0 / $0 }.rate.get() }
    let few = ResonanceEstimate(
      Array(steps.prefix(2)).map { synthetic($0.pattern, cycles: $0.cycles) { $0 } })
    #expect(throws: ResonanceEstimate.Reason.tooFewSteps(found: 2, needed: 4)) { try few.rate.get() }
    #expect(throws: ResonanceEstimate.Reason.tooFewSteps(found: 0, needed: 4)) {
      try ResonanceEstimate([]).rate.get()
    }
  }
}

/// Intervals around 900 ms, with a deviation of `swing` ms as a function of the pacer's cycles.
func synthetic(_ pattern: BreathingPattern, cycles: Int, swing: (Double) -> Double) -> PacedBeats {
  var samples: [PacedBeats.Sample] = []
  var time = 0.0
  while time < Double(cycles) * pattern.cycleSeconds {
    let place = time / pattern.cycleSeconds
    samples.append(PacedBeats.Sample(cycles: place, milliseconds: 900 + swing(place)))
    time += 0.9 + swing(place) / 1000
  }
  return PacedBeats(pattern: pattern, samples: samples)
}

extension Double {
  /// The number in hundredths.
  fileprivate var rounded: Double { (self * 100).rounded() }
}
