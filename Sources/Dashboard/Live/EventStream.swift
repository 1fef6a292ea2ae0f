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

/// The position of a reader in the streams of several sessions: the number of the last line that it received of each.
///
/// As text, the ID of a server-sent event: `SESSION:NUMBER` joined by commas.
package struct EventCursor: Equatable, Sendable {
  /// How many ended sessions the cursor keeps (newest first).
  static let keptSessions = 64
  /// Limit of the text in bytes.
  static let longestText = 8192
  /// Limit of the number of a line: the longest sessions have some 10^8 lines.
  static let largestNumber = 1 << 53

  package private(set) var numbers: [String: Int] = [:]

  package init(_ numbers: [String: Int] = [:]) { self.numbers = numbers }

  /// nil for text of any other form.
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.longestText else { return nil }
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: ":", omittingEmptySubsequences: false)
      guard words.count == 2, words[0].utf8.count == 26, let number = Int(words[1]),
        (0...Self.largestNumber).contains(number)
      else {
        return nil
      }
      numbers[String(words[0])] = number
    }
  }

  package var text: String {
    numbers.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")
  }

  /// Whether a line follows the position. Lines of sessions that the cursor does not contain do.
  package func precedes(_ session: String, _ number: Int) -> Bool { number > numbers[session] ?? 0 }

  package mutating func advance(_ session: String, to number: Int) { numbers[session] = number }

  /// Removes all but the `live` sessions and the newest others: IDs of sessions sort by their start.
  package mutating func prune(live: some Collection<String>) {
    guard numbers.count > Self.keptSessions + live.count else { return }
    let ended = numbers.keys.filter { !live.contains($0) }.sorted()
    for session in ended.dropLast(Self.keptSessions) { numbers[session] = nil }
  }
}
