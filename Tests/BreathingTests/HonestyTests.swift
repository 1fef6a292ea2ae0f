import Breathing
import FoundationEssentials
import HRV
import HeartRate
import RealModule
import Simulator
import TestSupport
import Testing

/// The rates of false and true positives of detected changes. docs/design/breathing.md contains the results.
@Suite struct HonestyTests {
  private static func changes(_ count: UInt64, rest: Int, afterEffect: Double = 1) throws -> [RMSSDChange] {
    let breathing = PacedBreathing(.relaxing, cycles: 4)
    return try (1...count).compactMap {
      try GuidedPerson(seed: $0, before: rest, breathing, after: rest, afterEffect: afterEffect).change
    }
  }

  @Test("Without a change at most 8 % of comparisons report one") func falsePositives() throws {
    let changes = try Self.changes(200, rest: 60)
    #expect(changes.count == 200)
    #expect(changes.count(where: \.isChanged) <= 16)
    // The simulated rest must vary like real rest, otherwise the test is meaningless.
    let squares = changes.reduce(0) { $0 + $1.difference * $1.difference }
    #expect((0.24...0.31).contains((squares / 200).squareRoot()))
  }

  @Test("A large change is detected in at least three quarters of the cases") func truePositives() throws {
    let changes = try Self.changes(40, rest: 60, afterEffect: 2.5)
    #expect(changes.count { $0.isChanged && $0.difference > 0 } >= 30)
  }
}

/// Prints the table of docs/design/breathing.md: STRESSMON_FIGURES=1 swift test --filter BreathingFigures
@Suite(.enabled(if: Figures.areWanted)) struct BreathingFigures {
  @Test("The power of the comparison is printed") func power() throws {
    let breathing = PacedBreathing(.relaxing, cycles: 4)
    print("true ratio, found with rests of 60 s, of 300 s, percent of 400")
    for ratio in [1.0, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3] {
      let found = try [60, 300].map { rest in
        try (1...400 as ClosedRange<UInt64>).count {
          try GuidedPerson(seed: $0, before: rest, breathing, after: rest, afterEffect: ratio).change?
            .isChanged
            ?? false
        }
      }
      print(ratio, Double(found[0]) / 4, Double(found[1]) / 4)
    }
  }

  @Test("The accuracy of the resonance estimate is printed") func resonance() throws {
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
    print("interval holds the truth in \(inside); median width \(widths[widths.count / 2])")
  }
}

enum Figures {
  static let areWanted = ProcessInfo.processInfo.environment["STRESSMON_FIGURES"] != nil
}
