import HeartRate
import History
import Platform
import Stress
import Terminal

/// Sessions of the history as a table, and what is said where nothing is stored.
struct HistoryReport {
  let profile: String
  let path: String
  /// Whether something was left out, so that there may be more.
  let isFiltered: Bool

  /// The latest last, as on a time line that is read downwards.
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
