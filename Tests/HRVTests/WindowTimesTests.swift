import HRV
import HeartRate
import Testing

/// Security finding I4: time without beats costs nothing.
@Suite struct WindowTimesTests {
  private static func beats(_ seconds: [Double]) -> [Beat] {
    seconds.map {
      Beat(
        end: SessionTime(seconds: $0) ?? .zero, rr: RRInterval(ticks: 64_000_000), verdict: .normal,
        followsBreak: false)
    }
  }

  private static func starts(_ beats: [Beat], to end: Double, length: Int, step: Int, skips: Bool) -> [Double]
  {
    WindowTimes(
      from: .zero, to: SessionTime(seconds: end) ?? .zero, length: .seconds(length), step: .seconds(step),
      with: skips ? beats : nil
    ).map(\.start.seconds)
  }

  @Test func aGapOfThirtyYearsHasNoWindows() {
    let beats = Self.beats([1, 59, 9e8, 9e8 + 30])
    #expect(Self.starts(beats, to: 9e8 + 60, length: 60, step: 60, skips: true) == [0, 9e8 - 60, 9e8])
    #expect(RhythmRegularity(beats).minutes == 0)
  }

  @Test(
    "The windows are those of all windows that have a beat",
    arguments: [(60, 60), (60, 10), (10, 60), (7, 3), (3, 7)])
  func otherWindowsAreKept(length: Int, step: Int) {
    let beats = Self.beats([0, 0.5, 3, 60, 61, 119.5, 120, 121, 500, 507, 507.1, 1000])
    let expected = Self.starts(beats, to: 1100, length: length, step: step, skips: false).filter { start in
      beats.contains { $0.end.seconds > start && $0.end.seconds <= start + Double(length) }
    }
    #expect(Self.starts(beats, to: 1100, length: length, step: step, skips: true) == expected)
  }

  @Test func withoutBeatsThereAreNoWindows() {
    #expect(Self.starts([], to: 1e9, length: 60, step: 60, skips: true).isEmpty)
    #expect(Self.starts([], to: 120, length: 60, step: 60, skips: false) == [0, 60])
  }
}
