import Glibc
import LiveFeed
import LiveSession
import Platform
import TestSupport
import Testing

@Suite struct FeedTests {
  /// A session without a database is not stored, so it can belong to any.
  @Test func sessionsOfOtherDatabasesAreIgnored() throws {
    let folder = try FeedFolder()
    let writers = try [("01A", "/a.db"), ("01B", "/b.db"), ("01C", nil)].map {
      try folder.writer($0, database: $1)
    }
    let reader = try FeedReader(folder.directory, database: "/a.db")
    let events = reader.events { $0.count >= 2 } + reader.wait(atMost: 100)
    let begun = events.compactMap { event in if case .began(let hello) = event { hello.session } else { nil }
    }
    #expect(begun.sorted() == ["01A", "01C"] && reader.sessions.count == 2)
    for writer in writers { writer.finish() }
  }

  @Test func aReaderReceivesTheHelloAndEachLineInOrder() throws {
    let feed = try FeedFolder()
    let writer = try feed.writer("A")
    writer.publish(1...3)
    writer.publish { stream in
      stream.hello.state = "connected"
      stream.hello.isStale = false
      stream.hello.strap = "C0:00:00:00:00:01"
    }
    let reader = try FeedReader(feed.directory)
    let first = reader.events { !$0.isEmpty }
    guard case .began(let hello) = first.first else { throw Failure("no hello: \(first)") }
    #expect(hello.version == "0.1.0" && hello.session == "A" && hello.profile == "me")
    #expect(hello.lines == 3 && hello.state == "connected" && !hello.isStale)
    #expect(hello.strap == "C0:00:00:00:00:01" && hello.strapName == nil && hello.isSimulated)
    writer.publish(4...500)
    let events = reader.events { $0.numbers("A").count >= 497 }
    #expect(events.numbers("A") == Array(4...500))
    #expect(events.texts == (4...500).map { "{\"n\":\($0)}" })
  }

  @Test func everyHealthyReaderReceivesEachLineOnceBesideAStalledAndAClosedOne() throws {
    let feed = try FeedFolder()
    let writer = try feed.writer("A")
    let readers = try (1...62).map { _ in try FeedReader(feed.directory) }
    for reader in readers { reader.connect(to: 1) }
    let stalled = try #require(RawConnection(feed.socket(of: "A")))
    let closing = try #require(RawConnection(feed.socket(of: "A")))
    defer { stalled.end() }
    #expect(stalled.read(7) == "{\"type\"")
    _ = closing.read(400)
    var received = readers.map { _ in [FeedEvent]() }
    for block in 0..<40 {
      // 20 kB: less than a reader receives at once.
      writer.publish((block * 50 + 1)...(block * 50 + 50), padding: 400)
      if block == 3 {
        // The middle of a line.
        _ = closing.read(5)
        closing.end()
      }
      for index in readers.indices {
        received[index] += readers[index].events { $0.numbers("A").last == block * 50 + 50 }
      }
    }
    for index in readers.indices {
      let isComplete = received[index].numbers("A") == Array(1...2000)
      #expect(isComplete && received[index].ends.isEmpty)
    }
    writer.finish()
  }

  @Test func aStalledReaderReceivesTheReasonOfItsDisconnection() throws {
    let feed = try FeedFolder()
    let writer = try feed.writer("A")
    let stalled = try #require(RawConnection(feed.socket(of: "A")))
    defer { stalled.end() }
    #expect(stalled.read(7) == "{\"type\"")
    let reader = try FeedReader(feed.directory)
    reader.connect(to: 1)
    for last in stride(from: 50, through: 2000, by: 50) {
      writer.publish((last - 49)...last, padding: 400)
      _ = reader.events { $0.numbers("A").last == last }
    }
    // The queue and the buffer of the socket hold less than the 800 kB of lines.
    let text = stalled.readAll()
    #expect(text.hasSuffix("\n{\"type\":\"disconnect\",\"reason\":\"behind\"}\n"))
    let lines = text.split(separator: "\n").dropFirst().dropLast().map { String($0.prefix { $0 != " " }) }
    let isPrefix = lines == lines.indices.map { "{\"n\":\($0 + 1)}" }
    #expect(isPrefix && !lines.isEmpty && lines.count < 2000)
    writer.finish()
  }

  @Test func aReaderBeyondTheMaximumReceivesTheReason() throws {
    let feed = try FeedFolder()
    let writer = try feed.writer("A")
    let connections = (1...FeedWriter.maximumReaders).compactMap { _ in RawConnection(feed.socket(of: "A")) }
    #expect(connections.count == 64)
    for connection in connections { #expect(connection.read(14) == "{\"type\":\"hello") }
    let reader = try FeedReader(feed.directory)
    #expect(reader.events { !$0.ends.isEmpty }.ends == [.disconnected(.tooManyReaders)])
    connections[0].end()
    let next = try FeedReader(feed.directory)
    next.connect(to: 1)
    #expect(next.sessions.map(\.session) == ["A"])
    for connection in connections.dropFirst() { connection.end() }
    writer.finish()
  }

  @Test func twoSessionsAreMergedAndALaterSessionIsFollowed() throws {
    let feed = try FeedFolder()
    let a = try feed.writer("A", profile: "anna")
    let reader = try FeedReader(feed.directory)
    reader.connect(to: 1)
    let b = try feed.writer("B", profile: "ben")
    reader.connect(to: 2)
    #expect(reader.sessions.map(\.profile) == ["anna", "ben"])
    a.publish(1...200)
    b.publish(1...300)
    let events = reader.events { $0.numbers("A").count == 200 && $0.numbers("B").count == 300 }
    #expect(events.numbers("A") == Array(1...200))
    #expect(events.numbers("B") == Array(1...300))
    let selected = try FeedReader(feed.directory, session: "B")
    selected.connect(to: 1)
    #expect(selected.sessions.map(\.session) == ["B"])
    a.finish()
    b.finish()
    #expect(Set(reader.events { $0.ends.count == 2 }.ends.map { "\($0)" }) == ["lost"])
  }

  @Test func aSessionThatEndedIsDistinguishedFromOneThatWasKilled() throws {
    let feed = try FeedFolder()
    let writer = try feed.writer("A")
    let reader = try FeedReader(feed.directory)
    reader.connect(to: 1)
    writer.publish { stream in
      stream.hello.lines = 1
      let line = Array("{\"type\":\"end\"}\n".utf8)
      unsafe line.withUnsafeBytes { unsafe stream.append($0) }
    }
    writer.finish()
    #expect(reader.events { !$0.ends.isEmpty }.ends == [.finished])
    #expect(unsafe access(feed.socket(of: "A"), F_OK) != 0)
  }

  /// Regression: a reader that fell behind a fast session reported no end, because the socket was removed before it connected again.
  @Test func aSessionThatEndsWhileItsReaderIsDisconnectedIsReported() throws {
    let feed = try FeedFolder()
    let reader = try FeedReader(feed.directory)
    var (live, interruptions): (Set<String>, Int) = ([], 0)
    func update() {
      for event in reader.wait(atMost: 20) {
        switch event {
        case .began(let hello): live.insert(hello.session)
        case .ended(_, .disconnected(.behind)): interruptions += 1
        case .ended(let session, _): live.remove(session)
        case .line: break
        }
      }
    }
    for number in 0..<5 {
      let writer = try feed.writer("S\(number)")
      for _ in 0..<500 where !live.contains("S\(number)") { update() }
      // More than the queue and the buffer of the socket hold.
      writer.publish(1...2000, padding: 400)
      writer.finish()
    }
    for _ in 0..<500 where !live.isEmpty { update() }
    #expect(live == [] && interruptions > 0)
  }

  @Test func theSocketOfAKilledSessionIsRemovedAndANewSessionIsRead() throws {
    let feed = try FeedFolder()
    try feed.directory.prepare()
    let path = feed.socket(of: "DEAD")
    let killed = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    let address = try #require(SocketAddress(path))
    #expect(unsafe address.withPointer { unsafe bind(killed, $0, $1) } == 0)
    #expect(listen(killed, 1) == 0)
    close(killed)
    let reader = try FeedReader(feed.directory)
    #expect(reader.wait(atMost: 0).isEmpty)
    #expect(unsafe access(path, F_OK) != 0)
    let writer = try feed.writer("NEW")
    reader.connect(to: 1)
    #expect(reader.sessions.map(\.session) == ["NEW"])
    writer.finish()
  }

  @Test func onlyTheOwnerCanReachTheSocket() throws {
    let feed = try FeedFolder()
    unsafe mkdir(feed.directory.path, 0o755)
    let writer = try feed.writer("A")
    var status = stat()
    #expect(unsafe stat(feed.directory.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(unsafe stat(feed.socket(of: "A"), &status) == 0 && status.st_mode & 0o777 == 0o600)
    writer.finish()
  }

  @Test func aSymbolicLinkIsNotUsedAsDirectory() throws {
    let feed = try FeedFolder()
    #expect(unsafe symlink("/tmp", feed.directory.path) == 0)
    #expect(throws: FileError(.notPermitted, path: feed.directory.path)) { try feed.writer("A") }
  }

  @Test func aPathThatIsTooLongForASocketIsReported() throws {
    let feed = try FeedFolder()
    let session = String(repeating: "X", count: 100)
    #expect(throws: FileError.self) { try feed.writer(session) }
  }
}

private struct Failure: Error {
  let text: String
  init(_ text: String) { self.text = text }
}
