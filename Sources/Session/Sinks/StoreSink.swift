import HeartRate
import History
import LiveSession
import Platform
import Recording
import Stress

/// The storage of a session, which begins with its first data, and of its result. Thread-safe.
final class SessionStorage: Sendable {
  private struct State {
    var writer: SessionWriter?
    var result: SessionResult?
    /// Why the result is not in the history.
    var error: HistoryError?
  }

  private let state = Locked(State())

  func begin(_ writer: SessionWriter) { state.withLock { $0.writer = writer } }

  var outcome: StorageOutcome {
    let (writer, error) = state.withLock { ($0.writer, $0.error) }
    let outcome = writer?.outcome ?? .withoutData
    guard outcome == .stored, let error else { return outcome }
    return .partial(error)
  }

  /// The result of the session, whether or not it is stored.
  var result: SessionResult? { state.withLock { $0.result } }

  /// Keeps the result, and stores it unless the history does not contain the session.
  func finish(_ result: SessionResult, in location: StoreLocation?) throws(HistoryError) {
    state.withLock { $0.result = result }
    guard let location, outcome.hasSession else { return }
    do { try result.store(in: location) } catch {
      state.withLock { $0.error = error }
      throw error
    }
  }
}

/// Writes a session to the history.
struct StoreSink: FinishingSink {
  private let writer: SessionWriter
  private let plan: SessionPlan
  private let reading: Reading?
  private let statusTask: Task<Void, Never>
  private var last = SessionEvent(at: .zero, .end)

  /// - Parameters:
  ///   - concurrent: sessions of the same process, which are not treated as interrupted.
  ///   - interval: session time between stored measurements.
  ///   - reading: the reading that the session takes; its result is then the only measurement that is stored.
  ///   - storage: receives the writer, whose outcome is read after the session.
  init(
    plan: SessionPlan, location: StoreLocation, concurrent: [SessionID] = [], every interval: Duration,
    reading: Reading? = nil, storage: SessionStorage = SessionStorage(), alerts: SessionAlerts
  ) {
    self.plan = plan
    self.reading = reading
    let writer = SessionWriter(
      plan.info, at: location, companions: concurrent,
      sampling: reading == nil ? .every(interval) : .readingsOnly)
    self.writer = writer
    storage.begin(writer)
    statusTask = Task {
      for await status in writer.statusChanges { Self.report(status, alerts) }
    }
  }

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    switch update {
    case .event(let event):
      last = event
      writer.append(event)
    case .measurement(let measurement): writer.append(measurement)
    case .motion(let second): writer.append(second)
    case .upcoming, .part, .sensorClass, .ecg, .notice, .processed: break
    }
    return .proceed
  }

  mutating func finish() async throws {
    if let result = reading?.result { writer.append(reading: result) }
    let unsaved = await writer.finish(at: last.at, wall: last.wall)
    statusTask.cancel()
    guard let unsaved else { return }
    throw SessionError.notStored(unsaved.error, events: unsaved.events.count, savedTo: save(unsaved))
  }

  private static func report(_ status: SessionWriter.Status, _ alerts: SessionAlerts) {
    switch status {
    case .starting: break
    case .saved: alerts.report(.store, nil, resolved: "the history is written again; no data are missing")
    case .waiting(let error, _):
      alerts.report(.store, "\(error) The data are kept in memory; retrying.")
    }
  }

  /// Writes the events that are not in the history to a recording. Returns its path, if a file could be written.
  private func save(_ unsaved: SessionWriter.Unsaved) -> String? {
    let name = "stressmon-rescue-\(plan.id.text).jsonl"
    return [name, "/tmp/\(name)"].first { path in
      guard let recording = try? RecordingWriter(path: path, header: plan.recordingHeader) else {
        return false
      }
      unsaved.events.forEach(recording.append)
      return (try? recording.sync()) != nil
    }
  }
}
