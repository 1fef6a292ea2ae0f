import HeartRate
import History
import LiveFeed
import LiveSession
import Platform
import Reports
import Session

/// Publishes the lines of `live --json` on the session's local socket, the lines of one event at once. Without readers, lines
/// are counted and not encoded.
struct FeedSink: FinishingSink {
  private let writer: FeedWriter
  private var lines: SessionUpdateJSON
  /// The updates of the current event.
  private var updates: [SessionUpdate] = []

  /// Creates the sink of each session. A session whose socket cannot be created runs without a feed, after a warning.
  /// - Parameter history: where marks are added to the journal; nil for sessions that are not stored.
  static func factory(
    _ directory: FeedDirectory, history: StoreLocation?
  ) -> @Sendable (SessionPlan, SessionAlerts, SessionController?) -> (any SessionSink)? {
    { plan, alerts, controller in
      let marker = controller.map { SessionMarker($0, plan, history: history) }
      do throws(FileError) {
        let writer = try FeedWriter(FeedHello(plan), in: directory) { reply(to: $0, marker) }
        return FeedSink(plan, writer)
      } catch {
        alerts.warn("other programs cannot read this session live: \(error)")
        return nil
      }
    }
  }

  /// Performs the request of another program of the same user.
  private static func reply(to request: FeedRequest, _ marker: SessionMarker?) -> FeedReply {
    guard let marker else { return .refused("this session accepts no marks") }
    switch request {
    case .mark(let note): return .marked(marker.mark(note: note).text)
    }
  }

  private init(_ plan: SessionPlan, _ writer: FeedWriter) {
    self.writer = writer
    lines = SessionUpdateJSON(session: plan.id.text, profile: plan.profile)
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
      lines.json.isEncoding = stream.hasReaders
      for update in updates {
        lines.put(update)
        stream.hello.update(update)
      }
      unsafe lines.json.take { unsafe stream.append($0) }
      stream.hello.lines = lines.json.lines
      stream.hello.isStale = lines.json.isStale
    }
    updates.removeAll(keepingCapacity: true)
  }

  func finish() async throws { writer.finish() }
}

extension FeedHello {
  /// The hello of a session before its first event.
  init(_ plan: SessionPlan) {
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
