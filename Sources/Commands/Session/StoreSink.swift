import HeartRate
import History
import Localization
import Recording
import Stress
import Terminal

/// Sends a session to the history.
struct StoreSink: SessionSink {
  private let writer: SessionWriter
  private let plan: SessionPlan
  private let location: StoreLocation
  private let notices: SessionAlerts
  private let reading: Reading?
  private let watch: Task<Void, Never>
  private var last = SessionEvent(at: .zero, .end)

  /// - Parameters:
  ///   - interval: Session time between stored measurements.
  ///   - reading: The reading that the session is for. Its result is then stored instead of the other measurements.
  init(
    plan: SessionPlan, location: StoreLocation, companions: [SessionID] = [], every interval: Duration,
    reading: Reading? = nil, notices: SessionAlerts
  ) {
    self.plan = plan
    self.location = location
    self.notices = notices
    self.reading = reading
    let writer = SessionWriter(
      plan.info, at: location, companions: companions,
      sampling: reading == nil ? .every(interval) : .readingsOnly)
    self.writer = writer
    watch = Task {
      for await status in writer.statusChanges { Self.tell(status, notices) }
    }
  }

  mutating func take(_ event: SessionEvent) throws {
    last = event
    writer.append(event)
  }

  mutating func take(_ measurement: StressMeasurement) throws { writer.append(measurement) }

  mutating func finish() async throws {
    if let result = reading?.result { writer.append(reading: result) }
    let unsaved = await writer.finish(at: last.at, wall: last.wall)
    watch.cancel()
    if let unsaved { throw rescue(unsaved) }
  }

  private static func tell(_ status: SessionWriter.Status, _ notices: SessionAlerts) {
    switch status {
    case .starting: break
    case .saved:
      notices.tell(.store, nil, settled: "the history can be written again; nothing is missing")
    case .waiting(let error, _):
      notices.tell(.store, "\(error) What is measured is kept in memory, and stored once that is mended.")
    }
  }

  /// Puts what the history did not take into a recording, so that nothing is lost.
  private func rescue(_ unsaved: SessionWriter.Unsaved) -> CommandFailure {
    let name = "stressmon-rescue-\(plan.id.text).jsonl"
    for path in [name, "/tmp/\(name)"] {
      guard let recording = try? RecordingWriter(path: path, header: plan.recordingHeader) else { continue }
      unsaved.events.forEach(recording.append)
      guard (try? recording.sync()) != nil else { continue }
      return CommandFailure(
        .failed,
        """
        \(unsaved.error)
        Not stored: \(counted(unsaved.events.count, "event")), saved to \(path). Read the file with: stressmon analyze \(path)
        """)
    }
    return CommandFailure(
      .failed, "\(unsaved.error) \(counted(unsaved.events.count, "event")) lost: no file could be written.")
  }
}
