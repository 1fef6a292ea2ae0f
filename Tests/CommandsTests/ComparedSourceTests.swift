import Glibc
import HeartRate
import Platform
import Reports
import Testing

@testable import Commands

@Suite struct ComparedSourceTests {
  private func source(_ text: String, files: Set<String> = []) -> ComparedSource? {
    try? ComparedSource(text, isFile: files.contains)
  }

  private func span(_ from: Duration?, _ to: Duration?) -> SessionSpan {
    .times(TimeSpan(from: from, to: to))
  }

  @Test func eachFormOfArgumentIsParsed() {
    #expect(source("rest.txt") == .named("rest.txt", nil))
    #expect(source("01K") == .named("01K", nil))
    #expect(source("session:01K") == .session("01K", nil))
    #expect(source("session:01K@10m-") == .session("01K", span(.seconds(600), nil)))
    #expect(source("a@b.txt", files: ["a@b.txt"]) == .named("a@b.txt", nil))
    #expect(source("a@b.txt@-5m", files: []) == .named("a@b.txt", span(nil, .seconds(300))))
    #expect(source("01K@before") == .named("01K", .exercise(.before)))
    #expect(source("session:01K@after") == .session("01K", .exercise(.after)))
    #expect(source("01K@between") == nil)
    #expect(source("2026-11-20T10:00/x", files: ["2026-11-20T10:00/x"]) == .named("2026-11-20T10:00/x", nil))
  }

  @Test(arguments: [
    ("0:00-5:00", 0.0, 300.0), ("1:02:03-2:00:00", 3723, 7200), ("90-2m", 90, 120), ("1:30.5-91s", 90.5, 91),
    ("90s-1h", 90, 3600),
  ])
  func spansAreParsed(text: String, from: Double, to: Double) {
    #expect(SessionSpan(text[...]) == (span(.seconds(from), .seconds(to))))
  }

  @Test(arguments: [
    "", "-", "..", "5", "5:00", "5-4", "5-5", "a", "1-2-3", "1:2:3:4-5h", "1:-2:", "1x-2y", ":1-2", "1e9:0-",
    "+1:00-2:00", "１:00-2:00",
  ])
  func malformedSpansAreRejected(text: String) {
    #expect(TimeSpan(text[...]) == nil)
    let error = #expect(throws: SourceSyntaxError.self) {
      try ComparedSource("x@\(text)", isFile: { _ in false })
    }
    #expect(error?.description.contains("FILE@1:00-6:00") == true)
  }

  @Test(arguments: [
    ("rest-task", SpanPoint.mark("rest"), SpanPoint.mark("task")),
    ("rest..task", .mark("rest"), .mark("task")),
    ("rest_end-5:00", .mark("rest_end"), .time(.seconds(300))),
    (
      "stim 1#2+10s..stim 1#3-1:30", .mark("stim 1", occurrence: 2, offset: .seconds(10)),
      .mark("stim 1", occurrence: 3, offset: .seconds(-90))
    ),
    ("co-op..1:30", .mark("co-op"), .time(.seconds(90))),
  ])
  func marksAreParsed(text: String, begin: SpanPoint, end: SpanPoint) {
    #expect(TimeSpan(text[...]) == TimeSpan(begin: begin, end: end))
  }

  @Test func segmentsAndEpochsAreParsed() {
    #expect(
      Segment(argument: "task=begin..")
        == Segment("task", .span(.times(TimeSpan(begin: .mark("begin"), end: nil)))))
    #expect(Segment(argument: "calm=before") == Segment("calm", .span(.exercise(.before))))
    #expect(
      Segment(epoch: "loud tone -10s +1:00")
        == Segment("loud tone", .epochs(mark: "loud tone", from: .seconds(-10), to: .seconds(60))))
    for text in ["task", "=1-2", "task=", "task=a"] { #expect(Segment(argument: text) == nil, "\(text)") }
    for text in ["tone", "tone -10s", "tone 10s 60s", "tone +10s -10s"] {
      #expect(Segment(epoch: text) == nil, "\(text)")
    }
  }

  @Test func rangesOfTimesAreParsed() throws {
    let utc = WallTime(rfc3339: "2026-11-20T10:00:00Z")!
    let later = WallTime(rfc3339: "2026-11-20T10:10:00Z")!
    #expect(source("2026-11-20T10:00:00Z/2026-11-20T11:10:00+01:00") == .history(utc..<later))
    // Local times: the second date is optional, and so are the seconds.
    let local = try #require(source("2026-11-20T10:00/2026-11-20T10:10"))
    for text in [
      "2026-11-20T10:00/10:10", "2026-11-20T10:00:00/10:10:00", "2026-11-20 10:00/2026-11-20 10:10",
    ] {
      #expect(source(text) == local, "\(text)")
    }
    guard case .history(let times) = local else {
      Issue.record("not a time of the history")
      return
    }
    #expect(times.upperBound.microseconds - times.lowerBound.microseconds == 600_000_000)
    #expect(LocalZone.text(times.lowerBound) == "2026-11-20 10:00:00")
  }

  @Test(arguments: [
    "2026-11-20T10:00/2026-11-20T09:00", "2026-11-20T10:00/2026-11-20T10:00", "2026-11-20T10:00/soon",
    "2026-11-20T10:00/", "2026-11-20T10:00/2026-02-30T10:00", "", "@1-2",
  ])
  func malformedRangesOfTimesAreRejected(text: String) {
    let error = #expect(throws: SourceSyntaxError.self) { try ComparedSource(text, isFile: { _ in false }) }
    #expect(error?.description.contains("Name a file") == true)
  }

  @Test(arguments: [
    "2026-13-01T10:00", "2026-02-29T10:00", "2026-11-20T24:00", "2026-11-20", "", "a", "²026-11-20T10:00",
  ])
  func malformedTimesAreNil(text: String) { #expect(LocalTime.parse(text[...]) == nil) }

  @Test func resultsOfSeveralInputsContainTheInputsName() {
    let path = ResultFiles.path
    #expect(path("beats.csv", "rest.txt", 1) == "beats.csv")
    #expect(path("beats.csv", "in/rest.txt", 2) == "beats-rest.csv")
    #expect(path("out/b.c.csv", "-", 2) == "out/b.c-stdin.csv")
    #expect(path("out.d/beats", "a.b/.rest", 2) == "out.d/beats-.rest")
  }
}
