import ArgumentParser
import Glibc
import HeartRate
import History
import JSONLines
import Localization
import NetworkCommands
import Platform
import Terminal

/// The options of a deletion.
struct DeletionOptions: ParsableArguments {
  @Flag(name: .customLong("dry-run"), help: .localized("Show what would be deleted, and delete nothing."))
  var isDryRun = false

  @Flag(name: [.long, .customShort("y")], help: .localized("Delete without confirmation."))
  var yes = false

  @Flag(name: .long, help: .localized("Print one JSON object with the number of deleted records."))
  var json = false

  func validate() throws {
    if isDryRun, yes {
      throw ValidationError.exclusive("--dry-run", "--yes")
    }
  }
}

/// Lists the data to delete, requests confirmation, and deletes the data permanently.
struct Deletion {
  let scope: DeletionScope
  let stored: ProfileHistory
  let options: DeletionOptions
  /// A line that follows the list.
  var remark: String?

  func run() throws {
    let eraser = HistoryEraser(stored.location)
    let output = StandardOutput()
    let summary = try eraser.summary(of: scope, at: SystemClock.wall)
    for running in summary.running { CommandFailure(.failed, running.message).print() }
    guard !summary.isEmpty else {
      let nothing = DeletionReport(summary, isDeleted: false)
      try options.json
        ? output.write(nothing.json)
        : output.line(localized("No matching data are stored in \(stored.location.path)."))
      return try requireNothingSkipped(summary)
    }
    let preview = DeletionReport(summary, isDeleted: false)
    if options.isDryRun {
      return try options.json
        ? output.write(preview.json)
        : output.write(localized("Would delete:") + "\n" + preview.text + otherDevices())
    }
    if !options.yes { try confirm(preview) }
    // Read before: `--all` may delete everything.
    let devices = try otherDevices()
    let deleted = try eraser.delete(scope, today: LocalZone.today, at: SystemClock.wall)
    let report = DeletionReport(deleted, isDeleted: true)
    try options.json
      ? output.write(report.json) : output.write(localized("Deleted:") + "\n" + report.text + devices)
    try requireNothingSkipped(deleted)
  }

  /// - Throws: ``CommandFailure`` if a running session was not deleted.
  private func requireNothingSkipped(_ summary: DeletionSummary) throws {
    guard let first = summary.running.first else { return }
    throw CommandFailure(.failed, Phrase("not all data are deleted: \(first.message)"))
  }

  /// A line that states that sync deletes the data on other devices; empty if it does not. Measurements are not shared.
  private func otherDevices() throws -> String {
    if case .measurements = scope { return "" }
    guard let reader = try stored.reader(), try reader.sync({ try $0.vault() }) != nil else { return "" }
    return
      "  \(localized("The data are also deleted on your other devices, at their next stressmon sync."))\n"
  }

  /// Requests confirmation on the terminal.
  /// - Throws: ``CommandFailure`` unless the deletion is confirmed.
  private func confirm(_ preview: DeletionReport) throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw CommandFailure(
        .usage,
        Phrase(
          "nothing was deleted: confirmation requires a terminal. Add --yes, or list the data with: --dry-run"
        )
      )
    }
    try printDiagnostic(
      localized("This deletes:") + "\n" + preview.text + (remark.map { $0 + "\n" } ?? "")
        + otherDevices() + localized("It cannot be undone. Delete it? [y/N]"))
    guard isYes(readLine() ?? "") else { throw CommandFailure(.failed, Phrase("nothing was deleted")) }
  }
}

/// Whether an answer on the terminal means yes, in English or in the language of the process.
func isYes(_ answer: String) -> Bool {
  let word = localized("yes")
  return ["y", "yes", word, String(word.prefix(1))].contains(answer.lowercased())
}

/// The data of a deletion, as text and as JSON.
struct DeletionReport {
  private let summary: DeletionSummary
  private let isDeleted: Bool

  init(_ summary: DeletionSummary, isDeleted: Bool) {
    self.summary = summary
    self.isDeleted = isDeleted
  }

  var text: String {
    var lines = summary.profiles.map { localized("profile '\($0.printable)' with all of its data") }
    if summary.sessions > 0 { lines.append(Self.count(summary.sessions)) }
    if summary.cutSessions > 0 { lines.append(localized("parts of \(Self.count(summary.cutSessions))")) }
    if summary.events > 0 {
      lines.append(
        localized(
          "\(summary.events) event of them, such as notifications",
          "\(summary.events) events of them, such as notifications", count: summary.events))
    }
    if summary.measurements > 0 {
      let count = summary.measurements
      lines.append(localized("\(count) measurement", "\(count) measurements", count: count))
    }
    if summary.journalEntries > 0 {
      let count = summary.journalEntries
      lines.append(localized("\(count) journal entry", "\(count) journal entries", count: count))
    }
    if let times = summary.times {
      let (from, to) = (LocalZone.text(times.lowerBound), LocalZone.text(times.upperBound))
      lines.append(localized("from \(from) to \(to)"))
    }
    return lines.map { "  \($0)\n" }.joined()
  }

  private static func count(_ sessions: Int) -> String {
    localized("\(sessions) session", "\(sessions) sessions", count: sessions)
  }

  var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("deleted", isDeleted)
      line.put("profiles", texts: summary.profiles)
      line.put("sessions", summary.sessions)
      line.put("cut_sessions", summary.cutSessions)
      line.put("events", summary.events)
      line.put("measurements", summary.measurements)
      line.put("journal_entries", summary.journalEntries)
      line.put("first", summary.times?.lowerBound.rfc3339)
      line.put("last", summary.times?.upperBound.rfc3339)
      line.put("running", texts: summary.running.map(\.session.text))
    }
    return line.bytes
  }
}
