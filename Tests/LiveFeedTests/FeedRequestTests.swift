import HeartRate
import LiveFeed
import LiveSession
import Platform
import TestSupport
import Testing

@Suite struct FeedRequestTests {
  private func hello(_ session: String) -> FeedHello {
    FeedHello(
      version: "0.1.0", session: session, profile: "me", started: "2026-11-21T07:30:00Z", isSimulated: true)
  }

  @Test func aRequestIsAnsweredToItsReaderOnly() throws {
    let feed = try FeedFolder()
    let writer = try FeedWriter(hello("A"), in: feed.directory) { request in
      guard case .mark(let note) = request else { return .refused("unknown") }
      return .marked("mark 1: \(note ?? "-")")
    }
    let reader = try FeedReader(feed.directory)
    reader.connect(to: 1)
    let reply = try feed.directory.send(.mark(note: "tea"), to: "A", waiting: 60_000)
    #expect(reply == .marked("mark 1: tea"))
    writer.publish(1...3)
    #expect(reader.events { $0.numbers("A").count >= 3 }.numbers("A") == [1, 2, 3])
    writer.finish()
  }

  @Test func aSessionWithoutRequestsRefusesThem() throws {
    let feed = try FeedFolder()
    let writer = try feed.writer("A")
    let reply = try feed.directory.send(.mark(note: nil), to: "A", waiting: 60_000)
    #expect(reply == .refused("the session answers no requests"))
    writer.finish()
  }

  @Test func aSessionThatDoesNotRunIsAnError() throws {
    let feed = try FeedFolder()
    try feed.directory.prepare()
    #expect(throws: FileError.self) { _ = try feed.directory.send(.mark(note: nil), to: "A") }
  }

  @Test(arguments: [
    "", "no JSON", "{}", "{\"type\":\"delete\"}", "[1]", "{\"type\":\"mark\",\"note\":\"",
    "{\"type\":\"mark\",\"note\":\"\(String(repeating: "x", count: 501))\"}", "\u{0}\u{FF}",
  ])
  func otherLinesAreNoRequests(line: String) {
    #expect(FeedRequest(Array(line.utf8)) == nil)
  }

  @Test func aNoteIsOneLine() {
    #expect(FeedRequest(FeedRequest.mark(note: " a\n\t b\u{1B}c ").line.dropLast()) == .mark(note: "a b c"))
    #expect(FeedRequest(FeedRequest.mark(note: " \n").line.dropLast()) == .mark(note: nil))
  }

  @Test func anEventHasItsTextAndItsTime() throws {
    let time = try #require(WallTime(rfc3339: "2026-11-21T07:30:00.25Z"))
    for request in [FeedRequest.event(text: "stimulus", time: time), .event(text: "a b", time: nil)] {
      #expect(FeedRequest(request.line.dropLast()) == request)
    }
    #expect(FeedRequest(Array(#"{"type":"mark","text":"x","time":"today"}"#.utf8)) == nil)
    #expect(FeedRequest(Array(#"{"type":"mark","text":" "}"#.utf8)) == .mark(note: nil))
  }

  @Test func readersThatSendArbitraryBytesStillReceiveTheLines() throws {
    let feed = try FeedFolder()
    let calls = Locked(0)
    let writer = try FeedWriter(hello("A"), in: feed.directory) { _ in
      calls.withLock { $0 += 1 }
      return .marked("mark")
    }
    let reader = try FeedReader(feed.directory)
    let hostile = try #require(RawConnection(feed.socket(of: "A")))
    var random = SeededGenerator(seed: 7)
    reader.connect(to: 1)
    for _ in 0..<50 {
      hostile.write(
        (0..<Int.random(in: 1...4000, using: &random)).map { _ in .random(in: 0...255, using: &random) })
    }
    // A line beyond the limit: nothing more is received from this reader.
    hostile.write([UInt8](repeating: 0x20, count: 3 * FeedRequest.longestLine))
    writer.publish(1...5)
    #expect(reader.events { $0.numbers("A").count >= 5 }.numbers("A") == Array(1...5))
    #expect(hostile.read(7) == "{\"type\"" && calls.withLock { $0 } == 0)
    hostile.end()
    writer.finish()
  }
}
