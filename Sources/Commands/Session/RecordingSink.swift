import HeartRate
import Platform
import Recording
import Stress

/// Sends a session to a recording.
struct RecordingSink: SessionSink {
  let writer: RecordingWriter
  let notices: SessionAlerts

  /// Creates the file; this comes before the strap is sought, so that nobody sits still for a file that cannot be.
  init(path: String, replacing: Bool, plan: SessionPlan, notices: SessionAlerts) throws(FileError) {
    self.notices = notices
    writer = try RecordingWriter(path: path, header: plan.recordingHeader, replacing: replacing) { error in
      notices.tell(
        .recording, error.map { "recording waits: \($0). What was measured is kept in memory." },
        settled: "recording goes on; nothing is missing")
    }
  }

  mutating func take(_ event: SessionEvent) throws { writer.append(event) }

  mutating func finish() async throws {
    do {
      try writer.sync()
    } catch {
      throw CommandFailure(.failed, "the end of the recording could not be written: \(error)")
    }
  }
}
