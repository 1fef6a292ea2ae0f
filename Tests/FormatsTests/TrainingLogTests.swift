import Formats
import Platform
import TestSupport
import Testing

/// Rows of days in the layouts of training logs.
@Suite struct TrainingLogTests {
  private let days = [
    TrainingLog.Day(
      date: "2026-11-20", time: "2026-11-20T07:02:11", restingHeartRate: 51.6, rmssd: 48.24, stress: 2),
    TrainingLog.Day(date: "2026-11-21"),
    TrainingLog.Day(date: "2026-11-22", stress: 4),
    TrainingLog.Day(
      date: "2026-11-23", time: "2026-11-23T06:58:00", restingHeartRate: 50, rmssd: 51),
  ]

  private static func golden(_ name: String) throws -> String {
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    return String(
      decoding: try #require(
        try ByteSource(path: "/\(folder)/Fixtures/\(name)").readAll(limit: 1 << 16)), as: UTF8.self)
  }

  @Test func intervalsHasARowForEachDayWithAValue() throws {
    #expect(
      try String(decoding: TrainingLog.intervals(days), as: UTF8.self) == Self.golden("daily-intervals.csv"))
  }

  @Test("HRV4Training has complete morning readings only: a day with stress alone has no row")
  func hrv4Training() throws {
    #expect(
      try String(decoding: TrainingLog.hrv4Training(days), as: UTF8.self)
        == Self.golden("daily-hrv4training.csv"))
  }

  @Test func withoutDaysThereIsAHeading() {
    #expect(TrainingLog.intervals([]) == Array("date,restingHR,hrv,stress\n".utf8))
    #expect(TrainingLog.hrv4Training([]) == Array("timestamp_measurement,HR,rMSSD\n".utf8))
  }
}
