import HTTPTypes
import HeartRate
import LiveFeed
import LiveSession
import Platform
import TestSupport
import Testing

@testable import Dashboard

/// Marks of a live session from the page Now.
@Suite struct MarkTests {
  @Test func withoutASessionTheReasonIsStated() async throws {
    let answer = try await ServerFixture(measures: false).form("/now/mark", ["note": "tea"])
    #expect(answer.status == 409 && answer.text.contains("No session is running"))
  }

  @Test func aReadOnlyServerMarksNothing() async throws {
    let answer = try await ServerFixture(isReadOnly: true, measures: false).form("/now/mark", ["note": "tea"])
    #expect(answer.status == 403)
  }

  @Test func theNoteReachesTheSession() async throws {
    let folder = try TemporaryFolder(prefix: "mark")
    let directory = FeedDirectory(path: folder.file("live"))
    let received = Locked<[FeedRequest]>([])
    let hello = FeedHello(
      version: "0.1.0", session: "01K", profile: "me", started: "2026-11-21T07:30:00Z", isSimulated: true)
    let writer = try FeedWriter(hello, in: directory) { request in
      received.withLock { $0.append(request) }
      return received.withLock { $0.count } == 1 ? .marked("mark 1: tea") : .refused("busy")
    }
    let fixture = try ServerFixture(measures: false)
    try fixture.hub.start(directory)
    defer {
      fixture.hub.stop()
      writer.finish()
    }
    let end = SystemClock.boot + 60_000_000_000
    while fixture.hub.sessions.isEmpty, SystemClock.boot < end {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(try await fixture.page("/").contains("name=\"note\""))
    let answer = try await fixture.form("/now/mark", ["note": " a cup\nof tea "])
    #expect(answer.status == 303 && answer.headers[.location] == "/?notice=marked")
    #expect(received.withLock { $0 } == [.mark(note: "a cup of tea")])
    #expect(try await fixture.page("/?notice=marked").contains("The moment is marked"))
    let refused = try await fixture.form("/now/mark", ["note": ""])
    #expect(refused.status == 409 && refused.text.contains("busy"))
    #expect(received.withLock { $0.last } == .mark(note: nil))
    let long = try await fixture.form("/now/mark", ["note": String(repeating: "x", count: 501)])
    #expect(long.status == 400)
  }
}
