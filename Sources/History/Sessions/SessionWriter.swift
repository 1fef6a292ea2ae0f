internal import Dispatch
package import HeartRate
package import Stress
internal import Synchronization

/// Stores a session while it happens.
///
/// Appending only fills memory, from any thread, and never waits for the disk. Once a second a queue of its own
/// writes what has come in one transaction, which is on the disk when it ends. When the history cannot be opened
/// or written, everything is kept in memory, ``status`` says so, and each second it is tried again; what was kept
/// is then written in its order, exactly once.
package final class SessionWriter: Sendable {
  package enum Status: Equatable, Sendable {
    /// The history is being opened for the first time.
    case starting
    /// All is well; events up to this time are on the disk; zero before the first.
    case saved(upTo: SessionTime)
    /// The history cannot be written for now; so many events wait in memory.
    case waiting(HistoryError, events: Int)
  }

  /// What could not be stored by the end of a session.
  package struct Unsaved: Sendable {
    package var error: HistoryError
    /// In their order, without those before them that are stored.
    package var events: [SessionEvent]
  }

  package let info: SessionInfo
  /// Says when saving begins to fail, at each attempt while it fails, and when it succeeds again. For one reader,
  /// who gets the newest 16; ends with the session.
  package let statusChanges: AsyncStream<Status>

  private let changes: AsyncStream<Status>.Continuation
  private let queue = DispatchQueue(label: "stressmon.session")
  private let inbox: Mutex<Inbox>
  /// Touched on `queue` alone; the lock is never waited for.
  private let store: Mutex<SessionStore>

  /// Less than the second that may be lost at most: the timer may be a tenth late, and the disk takes its time.
  private static let interval = DispatchTimeInterval.milliseconds(850)

  private struct Inbox {
    var batch = SessionBatch()
    var sampler: MeasurementSampler
    var isCommitDue = true
    var status = Status.starting
  }

  /// Begins the session in the history, in the background: whether that went well, ``status`` says.
  /// - Parameters:
  ///   - companions: Other sessions of the same run. An open session of the profile that is none of them was left by a
  ///     program that was killed, and is closed.
  ///   - sampling: Which measurements are stored.
  package init(
    _ info: SessionInfo, at location: StoreLocation, companions: [SessionID] = [],
    sampling: MeasurementSampling = .every(.seconds(10))
  ) {
    self.info = info
    inbox = Mutex(Inbox(sampler: MeasurementSampler(sampling)))
    store = Mutex(SessionStore(info, location, companions))
    (statusChanges, changes) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    queue.async { [self] in commitAndRetry() }
  }

  package var status: Status { inbox.withLock { $0.status } }

  /// Takes the next event. Events that come after ``finish(at:wall:)`` are not stored.
  package func append(_ event: SessionEvent) {
    let schedules = inbox.withLock { inbox in
      inbox.batch.events.append(event)
      inbox.sampler.update(event)
      defer { inbox.isCommitDue = true }
      return !inbox.isCommitDue
    }
    if schedules { scheduleCommit() }
  }

  /// Takes the next measurement, and stores it if it is sampled.
  package func append(_ measurement: StressMeasurement) {
    append { $0.sample(measurement) }
  }

  /// Stores the result of a reading, whatever is sampled.
  package func append(reading: StressMeasurement) {
    append { $0.reading(reading) }
  }

  private func append(_ select: (inout MeasurementSampler) -> MeasurementSample?) {
    let schedules = inbox.withLock { inbox in
      guard let sample = select(&inbox.sampler) else { return false }
      inbox.batch.measurements.append(sample)
      defer { inbox.isCommitDue = true }
      return !inbox.isCommitDue
    }
    if schedules { scheduleCommit() }
  }

  /// Ends the session at `time`, tries once more to write all that waits, and closes the history.
  /// - Parameter wall: What the wall clock shows; without it, the session's beginning and `time` say it.
  /// - Returns: What is still not stored; nil when everything is.
  package func finish(at time: SessionTime, wall: WallTime? = nil) async -> Unsaved? {
    let end = SessionEnd(at: time, wall: wall ?? info.started.advanced(ticks: time.ticks))
    return await withCheckedContinuation { continuation in
      queue.async { [self] in
        commit(end)
        changes.finish()
        continuation.resume(returning: store.withLock { $0.close() })
      }
    }
  }

  private func scheduleCommit() {
    queue.asyncAfter(deadline: .now() + Self.interval) { [self] in commitAndRetry() }
  }

  private func commitAndRetry() {
    commit(nil)
    guard case .waiting = status, inbox.withLock({ claimCommit(&$0) }) else { return }
    scheduleCommit()
  }

  private func claimCommit(_ inbox: inout Inbox) -> Bool {
    defer { inbox.isCommitDue = true }
    return !inbox.isCommitDue
  }

  private func commit(_ end: SessionEnd?) {
    let batch = inbox.withLock { inbox in
      inbox.isCommitDue = false
      defer { inbox.batch = SessionBatch() }
      return inbox.batch
    }
    let status = store.withLock { $0.commit(batch, end) }
    let previous = inbox.withLock { inbox in
      defer { inbox.status = status }
      return inbox.status
    }
    if status.isWaiting || previous.isWaiting { changes.yield(status) }
  }
}

extension SessionWriter.Status {
  fileprivate var isWaiting: Bool { if case .waiting = self { true } else { false } }
}
