package import LiveFeed

/// The lines of the last five minutes, in the order of their arrival.
package struct EventRing: Sendable {
  /// In ns.
  package static let duration: Int64 = 300_000_000_000
  /// Limit of the lines in bytes: five minutes of about ten sessions.
  package static let limit = 8 << 20

  private struct Entry {
    let line: FeedLine
    /// Time of arrival in ns.
    let time: Int64
  }

  private var entries: [Entry] = []
  private var first = 0
  private var bytes = 0

  package init() {}

  package mutating func append(_ line: FeedLine, at time: Int64) {
    entries.append(Entry(line: line, time: time))
    bytes += line.bytes.count
    while first < entries.count, bytes > Self.limit || entries[first].time < time - Self.duration {
      bytes -= entries[first].line.bytes.count
      first += 1
    }
    if first > 1024, first > entries.count / 2 {
      entries.removeSubrange(..<first)
      first = 0
    }
  }

  /// The lines after a position.
  package func lines(after cursor: EventCursor) -> [FeedLine] {
    entries[first...].lazy.map(\.line).filter { cursor.precedes($0.session, $0.number) }
  }

  /// The number of the first line of a session; nil without one.
  package func firstNumber(of session: String) -> Int? {
    entries[first...].first { $0.line.session == session }?.line.number
  }
}
