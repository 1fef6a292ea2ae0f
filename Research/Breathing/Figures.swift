import Breathing
import BreathingTestSupport
import HRV
import Simulator

/// Prints how often a change of RMSSD is detected, by its true size.
func printPowerOfComparison() throws {
  let breathing = PacedBreathing(.relaxing, cycles: 4)
  print("true ratio, detected with rests of 60 s, of 300 s, percent of 400")
  for ratio in [1.0, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3] {
    let detected = try [60, 300].map { rest in
      try (1...400 as ClosedRange<UInt64>).count {
        try GuidedPerson(seed: $0, before: rest, breathing, after: rest, afterEffect: ratio).change?.isChanged
          ?? false
      }
    }
    print(ratio, Double(detected[0]) / 4, Double(detected[1]) / 4)
  }
}

/// Prints the errors of the resonance estimate and the coverage of its interval.
func printResonanceAccuracy() throws {
  let breathing = try ResonanceProtocol().breathing
  var (errors, inside, widths): ([Double], Int, [Double]) = ([], 0, [])
  for seed in 1...200 as ClosedRange<UInt64> {
    let person = try GuidedPerson(seed: seed, before: 0, breathing, after: 0)
    guard let rate = try? ResonanceEstimate(person.paced).rate.get() else { continue }
    let truth = Sitting.resonance(seed: seed)
    errors.append(abs(rate.value - truth))
    widths.append(rate.high - rate.low)
    if (rate.low...rate.high).contains(truth) { inside += 1 }
  }
  errors.sort()
  widths.sort()
  print("resonance found in \(errors.count) of 200; within 0.25: \(errors.count { $0 <= 0.25 })")
  print("error median \(errors[errors.count / 2]), 95 %: \(errors[errors.count * 95 / 100])")
  print("interval contains the true value in \(inside); median width \(widths[widths.count / 2])")
}

/// Prints the variation between two windows of one undisturbed rest.
func printRestVariation(seconds: Int) throws {
  let spread = try RestSpread(seconds: seconds)
  print("rests of \(seconds) s, \(spread.pairs) pairs, SD of the difference:")
  print(
    "  heart rate \(spread.heartRate) bpm, ln SDNN \(spread.lnSDNN), ln RMSSD \(spread.lnRMSSD)")
}
