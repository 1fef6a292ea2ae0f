import HeartRate
import History
import Localization
import Platform
import Reports
import Stress
import Terminal

/// The records of a profile as tables, and the messages if nothing is stored.
struct HistoryReport {
  let profile: String
  let path: String
  /// Whether filters are given. Other records can then exist.
  var isFiltered = false
  var style = TerminalStyle.plain

  /// The stored sessions as a table.
  /// - Parameter sessions: the newest last.
  func text(_ sessions: [StoredSession], width: Int?) -> String {
    guard !sessions.isEmpty else { return noSession }
    let (source, strap) = (style.localized("source"), style.localized("strap"))
    let (measurements, end) = (style.localized("measurements"), style.localized("end"))
    var table = TextTable([
      (style.localized("session"), .left), (style.localized("start"), .left),
      (style.localized("length"), .right), (source, .left), (strap, .left), (measurements, .right),
      (end, .left),
    ])
    for session in sessions {
      table.append([
        session.info.id.text, LocalZone.text(session.info.started),
        clockText(seconds: session.length.seconds),
        style.localized(session.info.source.name), session.strap.map { $0.name ?? $0.address } ?? "-",
        "\(session.measurements)", style.localized(session.end),
      ])
    }
    let lines = table.lines(
      width: width, expendable: [source, measurements, end, strap], unicode: style.unicode)
    return lines.map { $0 + "\n" }.joined()
  }

  private var noSession: String {
    let command = command
    let phrase =
      isFiltered
      ? Phrase("No session of '\(profile)' matches. List the latest with: \(command)")
      : Phrase("No session of '\(profile)' is stored in \(path) yet. Start one with: \(command)")
    return style.localized(phrase) + "\n"
  }

  /// The message for an empty table of measurements.
  var noMeasurement: String {
    let command = command
    let phrase =
      isFiltered
      ? Phrase("No measurement of '\(profile)' matches. List the latest with: \(command)")
      : Phrase("No measurement of '\(profile)' is stored in \(path) yet. Start one with: \(command)")
    return style.localized(phrase) + "\n"
  }

  /// Whether a morning reading or a night counts for its day; otherwise with the reason.
  func counted(_ counts: Bool, _ absence: Phrase, isSimulated: Bool) -> String {
    guard counts else { return style.localized("no: \(style.localized(absence))") }
    return isSimulated ? style.localized("yes (simulated)") : style.localized("yes")
  }

  /// The command to type next.
  private var command: String {
    guard !isFiltered else { return "stressmon history" }
    return "stressmon measure" + (profile == "me" ? "" : " --profile \(profile)")
  }
}
