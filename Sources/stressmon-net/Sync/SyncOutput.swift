import JSONLines
import Platform
import Sync

extension SyncRun.Result {
  /// Prints the result to standard output, and warnings to standard error.
  func print(asJSON: Bool) {
    printLine(asJSON ? json : text)
    for warning in warnings { printDiagnostic("stressmon: warning: \(warning)") }
  }

  private var text: String {
    let sessions = "\(count(report.sessionsReceived, "session")) received, \(report.sessionsSent) sent"
    let changes = "\(count(report.changesReceived, "change")) received, \(report.changesSent) sent"
    let erased =
      report.sessionsErased == 0
      ? "" : "; \(count(report.sessionsErased, "session")) erased, which another device deleted"
    return "Exchanged with \(folder): \(sessions); \(changes)\(erased)"
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
      line.put("warnings", texts: warnings)
    }
    return String(decoding: line.bytes.dropLast(), as: UTF8.self)
  }
}

/// A number with its noun.
func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
