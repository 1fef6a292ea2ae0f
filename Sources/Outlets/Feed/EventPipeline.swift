package import LiveFeed
import LiveSession

/// Converts the lines of the live sessions to the events of one session, and releases them at their times.
///
/// Pure: times are passed as ns of the boot clock. If several sessions are live, the one that became live first is published.
package struct EventPipeline: Sendable {
  private let profile: String?
  private var sessions: [String: SessionDecoder] = [:]
  private var published: String?
  private var scheduler = EventScheduler()
  private var latest = LiveValues.withdrawn
  /// Number of lines that the sessions produced and that were not received.
  package private(set) var lostLines = 0

  /// - Parameter profile: the only profile to publish. By default, every profile is published.
  package init(profile: String? = nil) { self.profile = profile }

  /// Processes an event that was received at `now`.
  package mutating func receive(_ event: FeedEvent, at now: Int64) {
    switch event {
    case .began(let hello):
      guard profile == nil || hello.profile == profile else { return }
      lostLines += sessions[hello.session]?.reconnect(hello) ?? 0
      if sessions[hello.session] == nil { sessions[hello.session] = SessionDecoder(hello) }
      select(hello.session)
      if hello.session == published { update(at: now) }
    case .line(let line): receive(line, at: now)
    case .ended(_, .disconnected(.behind)): break
    case .ended(let session, _): end(session, at: now)
    }
  }

  private mutating func receive(_ line: FeedLine, at now: Int64) {
    guard let content = sessions[line.session]?.decode(line, at: now) else { return }
    select(line.session)
    guard line.session == published else { return }
    for beat in content.beats { scheduler.add(beat) }
    if let marker = content.marker { scheduler.add(marker) }
    if let ecg = content.ecg { scheduler.add(ecg) }
    if content.hasValues { update(at: now) }
  }

  /// Publishes `session` if no other session is live.
  private mutating func select(_ session: String) {
    guard session != published else { return }
    let isLive = published.flatMap { sessions[$0]?.isLive } ?? false
    if !isLive, published == nil || sessions[session]?.isLive == true { published = session }
  }

  private mutating func update(at now: Int64) {
    let values = published.flatMap { sessions[$0]?.values } ?? .withdrawn
    guard values.isLive || values != latest else { return }
    latest = values
    scheduler.update(values, at: now)
  }

  private mutating func end(_ session: String, at now: Int64) {
    sessions[session] = nil
    guard session == published else { return }
    published = sessions.first { $0.value.isLive }?.key
    update(at: now)
  }

  /// Ends all sessions: pending beats are released at their times, and the values are withdrawn after them.
  package mutating func finish(at now: Int64) {
    sessions = [:]
    published = nil
    update(at: now)
  }

  /// The events that are due at `now`.
  package mutating func take(at now: Int64) -> [TimedEvent] {
    if let published, sessions[published]?.checkSilence(at: now) == true { update(at: now) }
    return scheduler.take(at: now)
  }

  /// The time in ns at which ``take(at:)`` has to be called again, if events or values are waiting.
  package var nextDeadline: Int64? {
    let silence = published.flatMap { sessions[$0]?.silenceDeadline }
    return [scheduler.next, silence].compactMap(\.self).min()
  }

  /// Whether an event is still to be released.
  package var hasPendingEvents: Bool { scheduler.next != nil }
}
