import HeartRate
import History
import LiveFeed
import LiveSession
import Platform
import Reports
import Stress

/// The lines that a reader missed while the server was not running, from the history: at most those of the last five minutes.
struct MissedLines: Sendable {
  let location: StoreLocation
  let readers: WorkerPool

  /// The time within which a live session stores an event, with a margin, in ns.
  private static let storageDelay: Int64 = 4_000_000_000

  /// The lines between the cursor and the first lines that the subscription contains.
  func lines(before subscription: FeedHub.Subscription, now: WallTime) async -> [FeedLine] {
    let begin = now.moved(seconds: -EventRing.duration / 1_000_000_000)
    var found: [FeedLine] = []
    for session in await sessions(subscription, since: begin) {
      let end = subscription.firstNumbers[session.text] ?? subscription.firstRecent(session.text)
      let start = (subscription.cursor.numbers[session.text] ?? 0) + 1
      if let end, start >= end { continue }
      found += await lines(of: session, from: start, to: end, since: begin)
    }
    return found
  }

  /// The sessions of the cursor, the live ones, and those that started since `begin`.
  private func sessions(_ subscription: FeedHub.Subscription, since begin: WallTime) async -> [SessionID] {
    let known = Set(subscription.cursor.numbers.keys).union(subscription.firstNumbers.keys)
    let found = try? await readers.run { try HistoryReader(location)?.sessions(of: nil, limit: 20) }
    let stored = found.flatMap(\.self) ?? []
    let recent = stored.filter { $0.info.started >= begin }.map(\.info.id.text)
    return known.union(recent).sorted().compactMap { SessionID($0) }
  }

  /// Waits until a live session has stored the lines.
  private func lines(
    of session: SessionID, from start: Int, to end: Int?, since begin: WallTime
  ) async -> [FeedLine] {
    let deadline = SystemClock.boot + Self.storageDelay
    while true {
      let (lines, total) = await read(session, from: start, to: end, since: begin)
      guard let end, total < end - 1, SystemClock.boot < deadline else { return lines }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }

  private func read(
    _ session: SessionID, from start: Int, to end: Int?, since begin: WallTime
  ) async -> (lines: [FeedLine], total: Int) {
    (try? await readers.run { readNow(session, from: start, to: end, since: begin) }) ?? ([], .max)
  }

  private func readNow(
    _ session: SessionID, from start: Int, to end: Int?, since begin: WallTime
  ) -> (lines: [FeedLine], total: Int) {
    guard let reader = try? HistoryReader(location), let info = try? reader.info(of: session) else {
      return ([], .max)
    }
    var lines: [FeedLine] = []
    var stored = StoredSessionLines(info)
    for event in reader.events(of: session) {
      stored.update(event) { number, bytes in
        guard number >= start, end.map({ number < $0 }) ?? true, event.wall.map({ $0 >= begin }) ?? true
        else { return }
        lines.append(FeedLine(session: session.text, number: number, bytes: bytes))
      }
    }
    return (lines, stored.count)
  }
}

extension FeedHub.Subscription {
  /// The number of the first recent line of a session; nil without one.
  fileprivate func firstRecent(_ session: String) -> Int? { recent.first { $0.session == session }?.number }
}

/// The lines of `live --json` of a stored session, with their numbers: equal to those of the live session if the version of
/// the engine is the same.
struct StoredSessionLines {
  private var engine: StressEngine
  private var encoder: SessionLineEncoder
  /// Number of lines so far.
  private(set) var count = 0

  init(_ session: SessionInfo) {
    engine = StressEngine(settings: session.settings, baseline: session.baseline)
    encoder = SessionLineEncoder(session: session.id.text, profile: session.profile)
  }

  /// Processes the next event, and calls `body` with the number and the bytes, without the line feed, of each of its lines.
  mutating func update(_ event: SessionEvent, _ body: (Int, [UInt8]) -> Void) {
    engine.process(event) { encoder.put($0) }
    var bytes: [UInt8] = []
    unsafe encoder.take { unsafe bytes += $0 }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      count += 1
      body(count, Array(line))
    }
  }
}
