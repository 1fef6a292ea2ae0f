import JSONLines
import Localization
import NetworkCommands
import Platform
import Sync

extension SyncRun.Result {
  /// Prints the result to standard output, and warnings to standard error.
  func print(asJSON: Bool) {
    printLine(asJSON ? json : text)
    for warning in warnings { warning.printAsWarning() }
  }

  private var text: String {
    let sessions = Phrase(
      "\(report.sessionsReceived) session received, \(report.sessionsSent) sent",
      "\(report.sessionsReceived) sessions received, \(report.sessionsSent) sent",
      count: report.sessionsReceived)
    let changes = Phrase(
      "\(report.changesReceived) change received, \(report.changesSent) sent",
      "\(report.changesReceived) changes received, \(report.changesSent) sent", count: report.changesReceived)
    let erased = Phrase(
      "\(report.sessionsErased) session erased, which another device deleted",
      "\(report.sessionsErased) sessions erased, which another device deleted", count: report.sessionsErased)
    let parts = [sessions, changes] + (report.sessionsErased == 0 ? [] : [erased])
    return localized("Exchanged with \(folder): \(parts, separator: "; ")")
  }

  private var json: String {
    var line = JSONLine()
    line.line { line in
      line.put("folder", folder)
      line.put("sessions_received", report.sessionsReceived)
      line.put("sessions_sent", report.sessionsSent)
      line.put("changes_received", report.changesReceived)
      line.put("changes_sent", report.changesSent)
      line.put("sessions_erased", report.sessionsErased)
      line.put("files_written", report.filesWritten)
      line.put("warnings", texts: warnings.map(\.description))
    }
    return String(decoding: line.bytes.dropLast(), as: UTF8.self)
  }
}
