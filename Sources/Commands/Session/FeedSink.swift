import HeartRate
import History
import LiveFeed
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
  static func factory(
    _ directory: FeedDirectory
  ) -> @Sendable (SessionPlan, SessionAlerts) -> (any SessionSink)? {
    { plan, alerts in
      do throws(FileError) {
        return FeedSink(plan, try FeedWriter(FeedHello(plan), in: directory))
      } catch {
        alerts.warn("other programs cannot read this session live: \(error)")
        return nil
      }
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
    guard case .event(let event) = update, case .link(let change) = event.kind else { return }
    state = change.state.rawValue
    guard let strap = change.strap else { return }
    self.strap = strap.address
    strapName = strap.name ?? strapName
  }
}
