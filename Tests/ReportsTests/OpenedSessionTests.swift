import Formats
import HeartRate
import Platform
import SessionData
import TestSupport
import Testing

@testable import Reports

@Suite struct OpenedSessionTests {
  private static let recording =
    (#filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    + ["RecordingTests", "Fixtures", "synthetic_session.jsonl"]).joined(separator: "/")

  private func sessions(_ path: String) throws -> [OpenedSession] {
    var all: [OpenedSession] = []
    try SessionFile(path: path).forEachSession(report: { _ in }, { all.append($0) })
    return all
  }

  @Test func aRecordingHasItsHeaderAndItsEvents() throws {
    let session = try SessionFile(path: Self.recording).onlySession { _ in }
    #expect(session.format == .recording && session.header != nil && session.skipped == 0)
    #expect(session.started == session.header?.started && session.strap == session.header?.strap)
    #expect(Array(session.events).count == 8)
    #expect(session.fileSession.events == Array(session.events))
    #expect(try sessions(Self.recording).count == 1)
  }

  @Test func rrTextHasTheRunningSumOfItsIntervals() throws {
    let scratch = try Scratch()
    let path = try scratch.file("800\n810.5\n".utf8)
    let session = try SessionFile(path: path).onlySession { _ in }
    #expect(session.format == .rr && session.header == nil && session.started == nil)
    #expect(session.events.map(\.at.seconds) == [0.8, 1.6105, 1.6105])
    #expect(session.events.map(\.kind).last == .end)
    #expect(session.fileSession.beats == 2)
  }

  @Test func skippedLinesAreCounted() throws {
    let scratch = try Scratch()
    let path = try scratch.file("800\nx\n810\n".utf8)
    let file = try SessionFile(path: path, options: RRText.Options(skipsBadLines: true))
    #expect(try file.onlySession { _ in }.skipped == 1)
  }

  @Test func aTableOfBeatsKeepsStartAndIntervals() throws {
    let scratch = try Scratch()
    let text = "date,rr,since start\n2026-11-20 07:30:01.000,800,1000.0\n2026-11-20 07:30:01.810,810,1810.0\n"
    let path = try scratch.file(text.utf8)
    let file = try SessionFile(path: path)
    let session = try file.onlySession { _ in }
    #expect(session.format == file.format)
    let intervals = session.events.compactMap { event in
      if case .interval(let rr) = event.kind { rr.milliseconds } else { nil }
    }
    #expect(intervals == [800, 810])
  }

  @Test func severalSessionsInAFileAreAnErrorForOnlySession() throws {
    let scratch = try Scratch()
    let one = String(decoding: try contents(of: Self.recording), as: UTF8.self)
    let path = try scratch.file((one + one).utf8)
    // A recording that contains a second header ends there, and reports it.
    let reported = Reported()
    let session = try SessionFile(path: path).onlySession { reported.append($0) }
    #expect(Array(session.events).count == 8 && reported.count == 1)
  }
}

/// Counts the reported problems of a file.
private final class Reported: Sendable {
  private let problems = Locked<[String]>([])

  var count: Int { problems.withLock { $0.count } }
  func append(_ problem: String) { problems.withLock { $0.append(problem) } }
}
