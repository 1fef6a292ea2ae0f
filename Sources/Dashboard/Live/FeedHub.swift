import Dispatch
package import LiveFeed
package import LiveSession
package import Platform
import Synchronization

/// Reads the feeds of all live sessions on a background thread, keeps the lines of the last five minutes, and distributes
/// the lines to the readers of the server.
package final class FeedHub: Sendable {
  /// Limit of the lines that wait for one reader. A reader that exceeds it is disconnected, and can resume.
  static let queueLimit = 1024
  package static let maximumSubscribers = 256
  /// Limit of the readers of one permanent token, and of all permanent tokens: the rest is reserved for the owner.
  package static let (maximumPerToken, maximumOfTokens) = (32, 128)

  private struct State {
    var ring = EventRing()
    var sessions: [String: LiveSnapshot] = [:]
    /// The number of the latest line of each live session.
    var position = EventCursor()
    var subscribers: [Int: Subscriber] = [:]
    var nextSubscriber = 0
    /// The directory of the sockets; nil before ``FeedHub/start(_:)``.
    var directory: FeedDirectory?
    /// Time of the next heartbeat in ns.
    var nextHeartbeat: Int64 = 0
  }

  private struct Subscriber {
    let items: AsyncStream<Item>.Continuation
    let holder: TokenHolder
    /// Called if the hub ends the stream.
    let onEnd: @Sendable () -> Void
  }

  package enum Item: Equatable, Sendable {
    case line(FeedLine)
    /// Sent every 15 s, so that proxies and clients do not close an idle connection.
    case heartbeat
  }

  private static let heartbeatInterval: Int64 = 15_000_000_000

  private let state = Locked(State())
  private let isStopped = Atomic(false)
  private let queue = DispatchQueue(label: "stressmon.hub")

  private let clock: @Sendable () -> Int64

  /// - Parameter clock: the boot clock in ns, on which liveness and ages depend.
  package init(clock: @escaping @Sendable () -> Int64 = { SystemClock.boot }) { self.clock = clock }

  /// The current time of the boot clock in ns.
  package var now: Int64 { clock() }

  /// Begins to read.
  /// - Parameter database: the resolved path of the database. Sessions that are stored in another one are ignored.
  /// - Throws: `FileError` if the directory of the sockets cannot be watched.
  package func start(_ directory: FeedDirectory, database: String? = nil) throws(FileError) {
    try directory.prepare()
    state.withLock { $0.directory = directory }
    queue.async { [self] in
      guard let reader = try? FeedReader(directory, database: database) else { return }
      while !isStopped.load(ordering: .relaxed) {
        for event in reader.wait(atMost: 500) { receive(event) }
        beat(at: now)
      }
    }
  }

  /// Ends all streams and stops reading.
  package func stop() {
    isStopped.store(true, ordering: .relaxed)
    let subscribers = state.withLock { state in
      defer { state.subscribers = [:] }
      return Array(state.subscribers.values)
    }
    end(subscribers)
  }

  /// Processes an event of the feeds.
  package func receive(_ event: FeedEvent) {
    switch event {
    case .began(let hello):
      state.withLock { state in
        if state.sessions[hello.session] == nil { state.sessions[hello.session] = LiveSnapshot(hello) }
        state.position.advance(hello.session, to: hello.lines)
      }
    case .line(let line): receive(line)
    case .ended(_, .disconnected(.behind)): break
    case .ended(let session, _):
      state.withLock { state in
        state.sessions[session] = nil
        state.position.prune(live: state.sessions.keys)
      }
    }
  }

  /// Adds the line to the ring and to the streams at once, so that a new reader receives it exactly once.
  private func receive(_ line: FeedLine) {
    let (content, now) = (line.content, now)
    end(
      state.withLock { state in
        if let content { state.sessions[line.session]?.update(content, at: now) }
        state.position.advance(line.session, to: line.number)
        state.ring.append(line, at: now)
        return Self.distribute(.line(line), &state)
      })
  }

  private func beat(at now: Int64) {
    end(
      state.withLock { state in
        guard now >= state.nextHeartbeat else { return [] }
        state.nextHeartbeat = now + Self.heartbeatInterval
        return Self.distribute(.heartbeat, &state)
      })
  }

  /// Returns the readers that have fallen behind.
  private static func distribute(_ item: Item, _ state: inout State) -> [Subscriber] {
    var slow: [Subscriber] = []
    for (id, subscriber) in state.subscribers {
      if case .enqueued = subscriber.items.yield(item) { continue }
      slow.append(subscriber)
      state.subscribers[id] = nil
    }
    return slow
  }

  private func end(_ subscribers: [Subscriber]) {
    for subscriber in subscribers {
      subscriber.items.finish()
      subscriber.onEnd()
    }
  }

  /// The newest values of the live sessions, the session that started last first.
  package var sessions: [LiveSnapshot] {
    state.withLock { $0.sessions.values.sorted { $0.session > $1.session } }
  }

  /// The live session of a profile that started last, its lines of the last minutes, and the position after them; nil without
  /// one.
  func snapshot(of profile: String) -> Snapshot? {
    state.withLock { state in
      let newest = state.sessions.values.filter { $0.profile == profile }.max { $0.session < $1.session }
      return newest.map { session in
        Snapshot(
          state: session,
          lines: state.ring.lines(after: EventCursor()).filter { $0.session == session.session },
          position: EventCursor([session.session: state.position.numbers[session.session] ?? 0]))
      }
    }
  }

  struct Snapshot: Sendable {
    let state: LiveSnapshot
    let lines: [FeedLine]
    let position: EventCursor
  }

  package var subscriberCount: Int { state.withLock { $0.subscribers.count } }
}

extension FeedHub {
  /// A reader of the streams of all sessions.
  package struct Subscription: Sendable {
    /// The position of the reader when it subscribed.
    package let cursor: EventCursor
    /// The lines of the last minutes that the reader has not received.
    package let recent: [FeedLine]
    /// The number of the first line of each live session that `recent` and `items` contain.
    package let firstNumbers: [String: Int]
    /// The lines from now on, and heartbeats. Ends if the reader falls behind, and when the server stops.
    package let items: AsyncStream<Item>
  }

  /// Subscribes to the lines after `cursor`; without it, from now on.
  /// - Parameters:
  ///   - holder: who reads.
  ///   - onEnd: called if the hub ends the stream.
  /// - Returns: nil if the maximum number of readers, or of readers of the token, is reached.
  package func subscribe(
    after cursor: EventCursor?, by holder: TokenHolder = .owner, onEnd: @escaping @Sendable () -> Void = {}
  ) -> Subscription? {
    let (items, continuation) = AsyncStream<Item>.makeStream(
      bufferingPolicy: .bufferingOldest(Self.queueLimit))
    let subscription = state.withLock { state -> (Int, Subscription)? in
      guard Self.permitsAnother(holder, of: state.subscribers.values.map(\.holder)) else { return nil }
      let id = state.nextSubscriber
      state.nextSubscriber += 1
      state.subscribers[id] = Subscriber(items: continuation, holder: holder, onEnd: onEnd)
      let recent = cursor.map(state.ring.lines) ?? []
      var firstNumbers: [String: Int] = [:]
      for session in state.sessions.keys {
        firstNumbers[session] =
          state.ring.firstNumber(of: session) ?? (state.position.numbers[session] ?? 0) + 1
      }
      return (
        id,
        Subscription(
          cursor: cursor ?? state.position, recent: recent, firstNumbers: firstNumbers, items: items)
      )
    }
    guard let (id, subscription) = subscription else {
      continuation.finish()
      return nil
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.subscribers.removeValue(forKey: id) }
    }
    return subscription
  }

  private static func permitsAnother(_ holder: TokenHolder, of holders: [TokenHolder]) -> Bool {
    guard holders.count < maximumSubscribers else { return false }
    return holder == .owner
      || holders.count { $0 == holder } < maximumPerToken && holders.count { $0 != .owner } < maximumOfTokens
  }
}

extension FeedHub {
  /// Marks the current moment of the profile's live session that started last. Waits for the answer of the session.
  /// - Throws: ``Problem`` if no session is running, or if it does not mark the moment.
  func mark(_ profile: String, note: String) throws {
    guard let session = sessions.first(where: { $0.profile == profile })?.session,
      let directory = state.withLock({ $0.directory })
    else {
      throw Problem(409, "No session is running", "Start a live session on the page Now, then mark a moment.")
    }
    let reply: FeedReply
    do throws(FileError) { reply = try directory.send(.mark(note: note), to: session) } catch {
      throw Problem(503, "Moment not marked", "The session \(session) does not answer: \(error)")
    }
    if case .refused(let reason) = reply { throw Problem(409, "Moment not marked", reason) }
  }
}
