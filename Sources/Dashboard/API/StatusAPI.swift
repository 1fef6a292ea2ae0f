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
    let now = SystemClock.wall
    let source = StatusSource(profile: profile, metric: options.metric, interval: options.storeInterval)
    let stored = try reader.flatMap { try source.status($0, .today, now: now) }
    let live = hub.sessions.first { $0.profile == profile }
    return live.flatMap { StatusReport($0, metric: options.metric, now: SystemClock.boot, stored: stored) }
      ?? stored
  }
}

/// A status as one English sentence, for `text` and for the page.
enum StatusSentence {
  static func text(_ status: StatusReport) -> String {
    let heart = heart(status)
    let age = status.isLive ? "now" : "\(max(0, status.age)) s ago, not live"
    switch status.suspension {
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
    return status.meanHeartRate.map { ", mean heart rate \($0.fixed(0)) bpm" } ?? ""
  }
}
