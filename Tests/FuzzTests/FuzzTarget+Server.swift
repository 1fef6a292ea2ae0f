import Glibc
import HTTPTypes
import HeartRate
import History
import HummingbirdCore
import JSONLines
import LiveSession
import NIOCore
import Platform
import Reports
import Stress

@testable import Dashboard
@testable import LiveFeed
@testable import Outlets

/// Input of the live feed and of the web server.
extension FuzzTarget {
  private static let session = "01KAAAAAAAAAAAAAAAAAAAAAAA"

  // MARK: Feed

  /// A connection to a session, then what the pages, the metrics and the outlets compute from its lines.
  static func feed(_ bytes: [UInt8]) -> String? {
    for line in bytes.split(separator: lineFeed) { _ = (FeedRequest(line), FeedReply(line)) }
    let events = received(bytes)
    let hello = FeedHello(
      version: "0.1.0", session: session, profile: "me", started: "2026-11-21T07:30:00Z", isSimulated: true)
    var (state, pipeline) = (LiveSnapshot(hello), EventPipeline())
    let hub = FeedHub()
    for (second, event) in ([.began(hello)] + events).enumerated() {
      let now = Int64(second) * 1_000_000_000
      if case .line(let line) = event, let content = line.content { state.update(content, at: now) }
      hub.receive(event)
      pipeline.receive(event, at: now)
      _ = pipeline.take(at: now)
    }
    if let battery = state.battery, !(0...100).contains(battery) { return "a battery of \(battery) percent" }
    return numberDefect(events) ?? pageDefect(state, hub)
  }

  /// The events of a connection over which `bytes` arrive.
  private static func received(_ bytes: [UInt8]) -> [FeedEvent] {
    var ends: [CInt] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return [] }
    let (writer, reader) = (LocalSocket(descriptor: ends[0]), LocalSocket(descriptor: ends[1]))
    defer { reader.close() }
    _ = writer.send(bytes.prefix(1 << 16)[...])
    writer.close()
    var (connection, events) = (FeedConnection(reader, session: session), [FeedEvent]())
    while connection.receive(&events) {}
    return events
  }

  private static func numberDefect(_ events: [FeedEvent]) -> String? {
    var last: Int?
    for event in events {
      switch event {
      case .began(let hello): last = hello.lines
      case .line(let line):
        guard line.number == (last ?? -1) + 1 else { return "line \(line.number) after \(last ?? -1)" }
        last = line.number
      case .ended: return nil
      }
    }
    return "a connection without an end"
  }

  private static func pageDefect(_ state: LiveSnapshot, _ hub: FeedHub) -> String? {
    let (now, boot) = (SystemClock.wall, SystemClock.boot)
    _ = (state.isLive(at: boot), PrometheusText([LiveValues(state, isLive: state.isLive(at: boot))]).text)
    _ = MeasuredStage(state.marks, since: now, breathing: 60, now: now).left
    if let report = StatusReport(state, metric: .rmssd, now: boot) { _ = StatusSentence.text(report) }
    let lines = hub.snapshot(of: "me")?.lines ?? []
    let beats = LiveBeats(lines).beats
    return beats.allSatisfy { $0.time.isFinite && $0.interval.isFinite } ? nil : "a beat without a time"
  }

  // MARK: Requests

  /// A `Last-Event-ID`.
  static func cursor(_ bytes: [UInt8]) -> String? {
    guard let cursor = EventCursor(String(decoding: bytes, as: UTF8.self)) else { return nil }
    guard EventCursor(cursor.text) == cursor else { return "a cursor differs from what it is read from" }
    let hub = FeedHub()
    for name in cursor.numbers.keys { hub.receive(.line(FeedLine(session: name, number: 1, bytes: []))) }
    guard let subscription = hub.subscribe(after: cursor) else { return "no subscription" }
    var stream = EventStream(subscription)
    _ = stream.begin()
    for (name, number) in cursor.numbers {
      guard !cursor.precedes(name, number), cursor.precedes(name, number + 1) else { return "no next line" }
      _ = stream.event(FeedLine(session: name, number: number + 1, bytes: []))
    }
    return nil
  }

  /// The fields of a form, and a target with parameters.
  static func request(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    if let fields = RequestTarget.fields(text) {
      let again = fields.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
      guard let read = RequestTarget.fields(again), read.elementsEqual(fields, by: { $0 == $1 }) else {
        return "the fields of a form have no text"
      }
    }
    guard let target = RequestTarget(text) else { return nil }
    let request = PermittedRequest(
      request: Request(
        head: HTTPRequest(method: .get, scheme: "http", authority: nil, path: "/"),
        body: RequestBody(buffer: ByteBuffer())),
      target: target, holder: .owner, identifier: "", closeConnection: {}, isStillPermitted: { true })
    let names = QueryParameters.filterNames + ["limit", "ending", "profile"]
    guard let query = try? QueryParameters(request, names) else { return nil }
    _ = try? (query.integer("limit", 1...500, default: 20), query.day("ending"))
    guard let filter = try? query.filter() else { return nil }
    let confidence = filter.leastConfidence ?? 0
    return (0...1).contains(confidence) ? nil : "a confidence of \(confidence)"
  }

  // MARK: Files

  /// The files in which the server and `publish` keep their state.
  static func state(_ bytes: [UInt8]) -> String? {
    if let status = PublisherStatus(json: bytes), status.process <= 0 { return "process \(status.process)" }
    if let preferences = PagePreferences(json: bytes), PagePreferences(json: preferences.json) != preferences
    {
      return "preferences differ from what was stored"
    }
    for line in bytes.split(separator: lineFeed) {
      guard let entry = TokenStore.Entry(Array(line)) else { continue }
      guard TokenStore.Entry(Array(entry.line.dropLast())) == entry else { return "a token differs" }
    }
    return nil
  }
}
