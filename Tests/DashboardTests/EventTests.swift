import LiveFeed
import LiveSession
import Platform
import Testing

@testable import Dashboard

@Suite struct EventTests {
  private let a = "01KAAAAAAAAAAAAAAAAAAAAAAA"
  private let b = "01KBBBBBBBBBBBBBBBBBBBBBBB"

  private func hello(_ session: String, lines: Int) -> FeedHello {
    var hello = FeedHello(
      version: "0.1.0", session: session, profile: "me", started: "2026-11-21T07:30:00Z", isSimulated: true)
    hello.lines = lines
    return hello
  }

  private func line(_ session: String, _ number: Int) -> FeedLine {
    FeedLine(session: session, number: number, bytes: Array("{\"type\":\"mark\"}".utf8))
  }

  @Test func theTextOfACursorIsReadBack() {
    let cursor = EventCursor([a: 12, b: 7])
    #expect(cursor.text == "\(a):12,\(b):7")
    #expect(EventCursor(cursor.text) == cursor)
    for text in [
      "", "x", "\(a)", "\(a):", "\(a):-1", "\(a):1,", "short:1", String(repeating: "x", count: 9000),
    ] {
      #expect(EventCursor(text) == nil)
    }
  }

  /// Regression: the largest numbers ended the server.
  @Test(arguments: ["9223372036854775807", "9223372036854775806", "9007199254740993", "99999999999999999999"])
  func aNumberAboveAllLinesIsNoPosition(number: String) {
    #expect(EventCursor("\(a):\(number)") == nil)
    #expect(EventCursor("\(a):9007199254740992")?.numbers[a] == EventCursor.largestNumber)
  }

  /// Regression: lines with numbers that have no integer ended the server.
  @Test(arguments: ["1e300", "-1e300", "1e999", "9223372036854775808", "0.5", "101", "-1"])
  func aNumberThatNoStrapSendsIsIgnored(number: String) {
    var state = LiveSnapshot(hello(a, lines: 0))
    for text in [
      "{\"type\":\"link\",\"state\":\"connected\",\"battery_percent\":\(number)}",
      "{\"type\":\"measurement\",\"mean_hr_bpm\":1e300,\"stress\":1e300,\"rmssd_ms\":-1e300}",
      "{\"type\":\"notification\",\"time\":\"2026-11-21T07:30:00Z\",\"hr_bpm\":1e300}",
    ] {
      state.update(SessionLine(Array(text.utf8))!, at: 0)
    }
    #expect(state.battery == nil && state.heartRate == nil)
    #expect(state.measurement?.meanHeartRate == nil && state.measurement?.stress == nil)
    #expect(state.measurement?.rmssd == nil)
  }

  @Test func aCursorKeepsTheLiveAndTheNewestSessions() {
    var cursor = EventCursor([a: 1])
    let sessions = (10..<99).map { "01K\($0)AAAAAAAAAAAAAAAAAAAAA" }
    for session in sessions { cursor.advance(session, to: 1) }
    cursor.prune(live: [a])
    #expect(Set(cursor.numbers.keys) == Set([a] + sessions.suffix(EventCursor.keptSessions)))
  }

  @Test func linesOlderThanFiveMinutesAreDropped() {
    var ring = EventRing()
    for second in 0..<600 { ring.append(line(a, second + 1), at: Int64(second) * 1_000_000_000) }
    #expect(ring.firstNumber(of: a) == 300)
    #expect(ring.lines(after: EventCursor([a: 500])).map(\.number) == Array(501...600))
    #expect(ring.lines(after: EventCursor()).map(\.number) == Array(300...600))
  }

  @Test func theSizeOfTheRingIsLimited() {
    var ring = EventRing()
    let long = [UInt8](repeating: 0x20, count: 1 << 20)
    for number in 1...20 { ring.append(FeedLine(session: a, number: number, bytes: long), at: 0) }
    #expect(ring.lines(after: EventCursor()).map(\.number) == Array(13...20))
  }

  @Test func aReaderThatResumesReceivesEachLineOnce() async throws {
    let hub = FeedHub()
    hub.receive(.began(hello(a, lines: 10)))
    for number in 11...20 { hub.receive(.line(line(a, number))) }
    hub.receive(.began(hello(b, lines: 0)))
    hub.receive(.line(line(b, 1)))
    let subscription = try #require(hub.subscribe(after: EventCursor([a: 15])))
    for number in 21...25 { hub.receive(.line(line(a, number))) }
    hub.stop()
    var numbers = subscription.recent.map { "\($0.session.dropFirst(3).first!)\($0.number)" }
    for await case .line(let line) in subscription.items {
      numbers.append("\(line.session.dropFirst(3).first!)\(line.number)")
    }
    #expect(numbers == (16...20).map { "A\($0)" } + ["B1"] + (21...25).map { "A\($0)" })
    #expect(subscription.firstNumbers == [a: 11, b: 1])
  }

  @Test func aReaderThatFallsBehindIsDisconnectedAndOthersAreNot() async throws {
    let hub = FeedHub()
    hub.receive(.began(hello(a, lines: 0)))
    let ended = Ended()
    let subscribed = hub.subscribe(after: nil) { ended.set() }
    let slow = try #require(subscribed)
    for number in 1...1024 { hub.receive(.line(line(a, number))) }
    #expect(hub.subscriberCount == 1 && !ended.value)
    let healthy = try #require(hub.subscribe(after: EventCursor([a: 1024])))
    hub.receive(.line(line(a, 1025)))
    #expect(hub.subscriberCount == 1 && ended.value)
    hub.stop()
    var (of, last) = (0, 0)
    for await _ in slow.items { of += 1 }
    for await case .line(let line) in healthy.items { last = line.number }
    #expect(of == 1024 && last == 1025)
  }

  @Test func theNumberOfReadersIsLimited() throws {
    let hub = FeedHub()
    let open = (0..<FeedHub.maximumSubscribers).map { _ in hub.subscribe(after: nil) }
    #expect(open.allSatisfy { $0 != nil })
    #expect(hub.subscribe(after: nil) == nil)
  }

  @Test func eventsHaveThePositionAsID() {
    let subscription = FeedHub.Subscription(
      cursor: EventCursor([a: 3]), recent: [], firstNumbers: [:], items: AsyncStream { $0.finish() })
    var stream = EventStream(subscription)
    #expect(String(decoding: stream.begin(), as: UTF8.self) == "retry: 2000\nid: \(a):3\n\n")
    #expect(
      String(decoding: stream.event(line(b, 1)), as: UTF8.self)
        == "id: \(a):3,\(b):1\ndata: {\"type\":\"mark\"}\n\n")
    #expect(String(decoding: stream.text(.heartbeat), as: UTF8.self) == ": keep-alive\n\n")
  }
}

private final class Ended: Sendable {
  private let flag = Locked(false)
  var value: Bool { flag.withLock { $0 } }
  func set() { flag.withLock { $0 = true } }
}
