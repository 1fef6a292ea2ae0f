import HeartRate
import Platform
import Testing

@testable import Commands

@Suite struct NightCommandTests {
  private func next(_ text: String, after clock: Int64) throws -> Int64 {
    let calendar = LocalCalendar.system
    let start = calendar.start(ofDay: 20_400)
    let now = WallTime(microseconds: start.microseconds + clock * 1_000_000)
    return try (NightCommand.next(text, after: now, calendar).microseconds - start.microseconds) / 1_000_000
  }

  @Test func untilIsTheNextSuchTimeOfDay() throws {
    #expect(try next("07:00", after: 23 * 3600) == 31 * 3600)
    #expect(try next("07:00", after: 2 * 3600) == 7 * 3600)
    #expect(try next("07:00", after: 7 * 3600) == 31 * 3600)
  }

  @Test(arguments: ["7", "7:00", "25:00", "tomorrow", "2026-11-20"]) func otherTimesAreRejected(
    _ text: String
  ) {
    #expect(throws: (any Error).self) { try next(text, after: 0) }
  }
}
