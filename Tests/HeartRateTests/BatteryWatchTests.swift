import HeartRate
import Testing

/// Regression: the warning of a low battery.
@Suite struct BatteryWatchTests {
  @Test(
    "A warning is due once; a level that varies around the threshold stays low",
    arguments: [
      ([95, 16, 15, 16, 15, 9], [false, false, true, true, true, true], 1),
      ([12, 21, 15], [true, false, true], 1), ([12, 20], [true, true], 1), ([16, 20], [false, false], 0),
    ] as [([UInt8], [Bool], Int)])
  func watch(levels: [UInt8], isLow: [Bool], warnings: Int) throws {
    var watch = BatteryWatch()
    var due = 0
    let states = try levels.map { percent in
      if watch.update(try #require(BatteryLevel(percent: percent))) { due += 1 }
      return watch.isLow
    }
    #expect(states == isLow && due == warnings && watch.hasWarned == (warnings > 0))
    #expect(watch.level?.percent == levels.last)
  }
}
