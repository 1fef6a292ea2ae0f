import HeartRate
import LiveSession
import Platform
import Recording
import Stress

/// Writes a session to a recording.
struct RecordingSink: FinishingSink {
  private let writer: RecordingWriter

  /// Creates the file. Called before scanning: an invalid path is reported immediately.
  init(_ target: RecordingTarget, plan: SessionPlan, alerts: SessionAlerts) throws(FileError) {
    writer = try RecordingWriter(
      path: target.path, header: plan.recordingHeader, replacing: target.replacesFile
    ) { error in
      alerts.report(
        .recording,
        error.map { "the recording cannot be written: \($0). The data are kept in memory; retrying." },
        resolved: "the recording is written again; no data are missing")
    }
  }

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    if case .event(let event) = update { writer.append(event) }
    return .proceed
  }

  mutating func finish() async throws {
    do { try writer.sync() } catch { throw SessionError.recordingIncomplete(error) }
  }
}

/// The file that a session is recorded to.
package struct RecordingTarget: Sendable {
  package let path: String
  package let replacesFile: Bool

  package init(path: String, replacesFile: Bool) { (self.path, self.replacesFile) = (path, replacesFile) }
}
