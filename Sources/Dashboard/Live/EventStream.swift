import LiveFeed

/// The text of a stream of server-sent events: one event per line of a session.
struct EventStream {
  /// Time in ms after which a client connects again.
  static let retry = 2000
  private var cursor: EventCursor

  init(_ subscription: FeedHub.Subscription) { cursor = subscription.cursor }

  /// The beginning, which states the position, so that a client that received no event can resume.
  func begin() -> [UInt8] {
    let id = cursor.numbers.isEmpty ? "" : "id: \(cursor.text)\n"
    return Array("retry: \(Self.retry)\n\(id)\n".utf8)
  }

  mutating func event(_ line: FeedLine) -> [UInt8] {
    cursor.advance(line.session, to: line.number)
    cursor.prune(live: [line.session])
    return Array("id: \(cursor.text)\ndata: ".utf8) + line.bytes + [0x0A, 0x0A]
  }

  mutating func text(_ item: FeedHub.Item) -> [UInt8] {
    switch item {
    case .line(let line): event(line)
    case .heartbeat: Array(": keep-alive\n\n".utf8)
    }
  }
}
