import Breathing
import BreathingTestSupport
import HRV
import HeartRate
import RealModule
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
