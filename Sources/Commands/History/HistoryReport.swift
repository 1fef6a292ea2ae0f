import HeartRate
import History
import Localization
import Platform
import Stress
import Terminal

/// The sessions of a profile as a table, and the message if nothing is stored.
struct HistoryReport {
  let profile: String
  let path: String
  /// Whether filters are given, so that other records can exist.
  let isFiltered: Bool

  /// - Parameter sessions: the newest last.
  func text(_ sessions: [StoredSession], width: Int?, unicode: Bool = true) -> String {
    guard !sessions.isEmpty else { return nothing("session") }
    var table = TextTable([
      ("session", .left), ("began", .left), ("length", .right), ("source", .left), ("strap", .left),
      ("measurements", .right), ("end", .left),
    ])
    for session in sessions {
      table.append([
        session.info.id.text, LocalZone.text(session.info.started),
        clockText(seconds: session.length.seconds),
        session.info.source.rawValue, session.strap.map { $0.name ?? $0.address } ?? "-",
        "\(session.measurements)", session.outcome?.rawValue ?? "not ended",
      ])
    }
    let lines = table.lines(
      width: width, expendable: ["source", "measurements", "end", "strap"], unicode: unicode)
    return lines.map { $0 + "\n" }.joined()
  }

  func nothing(_ what: String) -> String {
    guard isFiltered else {
      let whose = profile == "me" ? "" : " --profile \(profile)"
      return "No \(what) of '\(profile)' is stored in \(path) yet. Take one with: stressmon measure\(whose)\n"
    }
    return "No \(what) of '\(profile)' matches. See the latest with: stressmon history\n"
  }
}
