import Glibc
import HRV
import HeartRate
import LiveFeed
import LiveSession
import Platform
import Reports
import Stress

/// The status of a profile's live session, from its feed.
struct LiveStatus {
  private let reader: FeedReader
  private let profile: String
  private let metric: HRVMetric
  /// The live sessions of the profile, the newest last.
  private var states: [LiveSnapshot] = []

  init(_ reader: FeedReader, profile: String, metric: HRVMetric) {
    (self.reader, self.profile, self.metric) = (reader, profile, metric)
  }

  /// Receives the lines of the next `seconds`, so that the status is printed at most once in that time. Returns early if
  /// standard output is closed.
  mutating func wait(seconds: Int64) {
    let end = SystemClock.boot + seconds * 1_000_000_000
    while true {
      let rest = (end - SystemClock.boot) / 1_000_000
      guard rest > 0 else { return }
      let events = reader.wait(atMost: CInt(rest), watching: STDOUT_FILENO)
      for event in events { update(event) }
      if events.isEmpty, SystemClock.boot < end - 1_000_000 { return }
    }
  }

  private mutating func update(_ event: FeedEvent) {
    switch event {
    case .began(let hello):
      if hello.profile == profile { states.append(LiveSnapshot(hello)) }
    case .line(let line):
      guard let index = states.firstIndex(where: { $0.session == line.session }), let content = line.content
      else { return }
      states[index].update(content, at: SystemClock.boot)
    case .ended(let session, _): states.removeAll { $0.session == session }
    }
  }

  /// nil without a live session that has a measurement.
  func status(_ stored: StatusReport?) -> StatusReport? {
    states.last.flatMap { StatusReport($0, metric: metric, now: SystemClock.boot, stored: stored) }
  }
}
