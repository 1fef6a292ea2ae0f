import Formats
import HeartRate
import Platform
import Reports
import SessionData
import Testing

@testable import Commands

@Suite struct SessionImporterTests {
  @Test(arguments: [
    "2026-06-01 07-30-00.txt", "/a/2019/2026-06-01_07-30-00_RR.csv", "Polar_H10_20260601_073000_RR.txt",
    "2026.06.01-07.30.00", "x 12 2026-06-01T07:30:00.txt",
  ]) func timesInFileNamesAreParsed(name: String) {
    #expect(FileNameTime.time(in: name) == LocalTime.parse("2026-06-01T07:30:00"))
  }

  @Test(arguments: [
    "rr.txt", "2026-06-01.txt", "2026-13-01 07-30-00.txt", "20260601_0730.txt", "/2026-06-01 07-30-00/rr.txt",
    "",
  ]) func namesWithoutATimeGiveNil(name: String) { #expect(FileNameTime.time(in: name) == nil) }

  @Test func localTimesUseTheZoneOfTheFileOrTheSystem() {
    var session = FileSession(start: WallTime(rfc3339: "2026-06-01T07:30:00.25Z").map { .local($0) })
    #expect(session.started?.time == LocalTime.parse("2026-06-01T07:30:00")?.advanced(ticks: 20_000_000))
    let time = WallTime(microseconds: 1_790_000_000_000_000)
    session.start = .absolute(time, utcOffset: -12_600)
    #expect(session.started?.time == time && session.started?.zone.name == "-03:30")
    #expect(session.started?.zone.utcOffset == -12_600)
    session.start = nil
    #expect(session.started == nil)
  }

  @Test func zonesAreParsedByNameAndByOffset() {
    let summer = WallTime(rfc3339: "2026-06-01T12:00:00Z") ?? WallTime(microseconds: 0)
    for (name, offset) in [("Europe/Berlin", 7200), ("+05:45", 20_700), ("-03:30", -12_600), ("Z", 0)] {
      #expect(LocalZone(named: name, at: summer)?.utcOffset == offset, "\(name)")
    }
    #expect(LocalZone(named: "Nowhere/At All", at: summer) == nil)
  }

  @Test func startArgumentsAreParsed() {
    #expect(BeginningArgument(argument: "file") == .file)
    #expect(
      BeginningArgument(argument: "2026-06-01T07:30") == LocalTime.parse("2026-06-01T07:30").map { .time($0) }
    )
    #expect(BeginningArgument(argument: "soon") == nil)
  }
}
