import HeartRate
import Testing

@testable import Fleet

struct ClockStepTests {
  private static let second: Int64 = 1_000_000

  /// Which of the wall times, one second apart, follow a step back.
  private func steps(_ walls: [Int64]) -> [Bool] {
    var clock = ClockStep(wall: WallTime(microseconds: 0), boot: 0)
    return walls.enumerated().map { index, wall in
      clock.isBackward(
        wall: WallTime(microseconds: wall * Self.second), boot: Int64(index + 1) * 1_000 * Self.second)
    }
  }

  @Test func onlyStepsBackAreDetected() {
    #expect(steps([1, 2, 3]) == [false, false, false])
    #expect(steps([1, 3602, 3603]) == [false, false, false])
    #expect(steps([1, -3598, -3597]) == [false, true, false])
    #expect(steps([1, 1, 2]) == [false, false, false])
  }
}
