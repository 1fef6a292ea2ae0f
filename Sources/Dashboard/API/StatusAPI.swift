import History
import HummingbirdCore
import LiveFeed
import LiveSession
import Localization
import Platform
import Reports
import Stress

/// The status of a profile: its live session if there is one, else the latest stored measurement.
struct StatusAPI: Sendable {
  let history: HistoryAPI
  let hub: FeedHub
  private let cache = StoredStatusCache()

  init(history: HistoryAPI, hub: FeedHub) { (self.history, self.hub) = (history, hub) }

  private var options: DashboardOptions { history.options }

  var endpoints: [Endpoint] { [Endpoint("GET", "/api/status") { try await status($0) }] }

  private func status(_ request: PermittedRequest) async throws -> Response {
    try await history.reading(request, ["profile"]) { _, reader, profile in
      let status = try report(reader, profile)
      let text = status.map(StatusSentence.text) ?? "no measurement yet"
      return StatusReport.json(status, profile: profile, text: text)
    }
  }

  /// The status, if anything was measured.
  func report(_ reader: HistoryReader?, _ profile: String) throws -> StatusReport? {
    let source = StatusSource(profile: profile, metric: options.metric, interval: options.storeInterval)
    let stored = { try reader.flatMap { try source.status($0, .today, now: SystemClock.wall) } }
    guard let live = hub.sessions.first(where: { $0.profile == profile }), live.measurement != nil else {
      return try stored()
    }
    let earlier = try cache.status(of: profile, now: hub.now, read: stored)
    return StatusReport(live, metric: options.metric, now: hub.now, stored: earlier)
  }
}

/// The status of each profile from the history, at most 10 s old: pages read the status of a live session each second, and the parts
/// that summarise earlier measurements change slowly. A status without an insight is read again, because the first measurements of a
/// day add one.
private final class StoredStatusCache: Sendable {
  private static let lifetime: Int64 = 10_000_000_000

  private let entries = Locked<[String: (report: StatusReport?, time: Int64)]>([:])

  func status(of profile: String, now: Int64, read: () throws -> StatusReport?) rethrows -> StatusReport? {
    if let entry = entries.withLock({ $0[profile] }), entry.report?.insight != nil,
      now - entry.time < Self.lifetime
    {
      return entry.report
    }
    let report = try read()
    entries.withLock { $0[profile] = (report, now) }
    return report
  }
}

/// A status as one English sentence, for `text` and for the page.
enum StatusSentence {
  static func text(_ status: StatusReport) -> String {
    let heart = heart(status)
    let age = status.isLive ? "now" : "\(max(0, status.age)) s ago, not live"
    switch status.measurement.suspension {
    case .moving, .exertion: return "moving\(heart), \(age)"
    case .irregularRhythm: return "irregular rhythm\(heart), \(age)"
    case nil: break
    }
    guard let stress = status.stress, let category = status.category else {
      return "no stress value\(heart), \(age)"
    }
    return "stress \(stress.fixed(0)) (\(category.rawValue))\(heart), \(age)"
  }

  private static func heart(_ status: StatusReport) -> String {
    if let rate = status.heartRate { return ", heart rate \(rate.fixed(0)) bpm" }
    return status.measurement.meanHeartRate.map { ", mean heart rate \($0.fixed(0)) bpm" } ?? ""
  }
}
