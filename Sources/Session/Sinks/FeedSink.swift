import HeartRate
import History
import LiveFeed
import LiveSession
import Platform
import Stress

/// Publishes the lines of `live --json` on the session's local socket, the lines of one event at once. Without readers, lines
/// are counted and not encoded.
struct FeedSink: FinishingSink {
  private let writer: FeedWriter
  private var lines: SessionLineEncoder
  /// The updates of the current event.
  private var updates: [SessionUpdate] = []

  /// Fails if the socket cannot be created. The session then runs without a feed, after a warning.
  /// - Parameters:
  ///   - store: the history that stores the session.
  ///   - marker: answers requests to mark a moment, if the session accepts marks.
  init?(
    _ plan: SessionPlan, in directory: FeedDirectory, store: StoreLocation?, marker: SessionMarker?,
    alerts: SessionAlerts
  ) {
    var hello = FeedHello(plan)
    hello.database = store?.resolvedPath
    do throws(FileError) {
      writer = try FeedWriter(hello, in: directory) { Self.reply(to: $0, marker) }
    } catch {
      alerts.warn("other programs cannot read this session live: \(error)")
      return nil
    }
    lines = SessionLineEncoder(session: plan.id.text, profile: plan.profile)
  }

  /// Performs the request of another program of the same user.
  private static func reply(to request: FeedRequest, _ marker: SessionMarker?) -> FeedReply {
    guard let marker else { return .refused("this session accepts no marks") }
    switch request {
    case .mark(let note):
      let mark = marker.mark(note: note)
      return .marked(mark.text, at: mark.at.seconds)
    case .event(let text, let time):
      guard let mark = marker.mark(text: text, wall: time) else {
        return .refused("the time of the mark is more than 10 s from now")
      }
      return .marked(mark.text, at: mark.event.at.seconds, time: mark.event.wall)
    }
  }

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    switch update {
    case .upcoming: break
    case .processed: publish()
    default: updates.append(update)
    }
    return .proceed
  }

  private mutating func publish() {
    writer.publish { stream in
      lines.isEncoding = stream.hasReaders
      for update in updates {
        lines.put(update)
        stream.hello.update(update)
      }
      unsafe lines.take { unsafe stream.append($0) }
      stream.hello.lines = lines.lines
      stream.hello.isStale = lines.isStale
    }
    updates.removeAll(keepingCapacity: true)
  }

  func finish() async throws { writer.finish() }
}

extension FeedHello {
  /// The hello of a session before its first event.
  fileprivate init(_ plan: SessionPlan) {
    self.init(
      version: programVersion, session: plan.id.text, profile: plan.profile, started: plan.started.rfc3339,
      isSimulated: plan.source == .simulated)
    (strap, strapName) = (plan.strap?.address, plan.strap?.name)
  }

  fileprivate mutating func update(_ update: SessionUpdate) {
    guard case .event(let event) = update else { return }
    if case .battery(let level) = event.kind { battery = Int(level.percent) }
    guard case .link(let change) = event.kind else { return }
    state = change.state.rawValue
    guard let strap = change.strap else { return }
    self.strap = strap.address
    strapName = strap.name ?? strapName
  }
}
