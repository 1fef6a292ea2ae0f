internal import Dispatch
package import HeartRate
package import Motion
package import Stress
internal import Synchronization

/// Stores a running session.
///
/// Appending only adds to a buffer in memory; it is allowed on any thread and never waits for the disk. A background queue
/// commits the buffer once a second, in one durable transaction. If the history cannot be opened or written, the data stay
/// in the buffer, ``status`` is `waiting`, and the commit is retried every second; each event is stored exactly once and in
/// order.
package final class SessionWriter: Sendable {
  package enum Status: Equatable, Sendable {
    /// The history is being opened for the first time.
    case starting
    /// Events up to this time are durable; zero before the first event.
    case saved(upTo: SessionTime)
    /// The history cannot be written; this number of events is buffered.
    case waiting(HistoryError, events: Int)
  }

  /// The data that could not be stored by the end of a session.
  package struct Unsaved: Sendable {
    package var error: HistoryError
    /// The events that are not stored, in their order.
    package var events: [SessionEvent]
  }

  package let info: SessionInfo
  /// The status after each failed commit and after the first successful one that follows. For a single consumer; buffers the
  /// newest 16 values; finishes with the session.
  package let statusChanges: AsyncStream<Status>

  private let changes: AsyncStream<Status>.Continuation
  private let queue = DispatchQueue(label: "stressmon.session")
  private let buffer: Mutex<Buffer>
  /// Accessed only on `queue`, so the lock is never contended.
  private let store: Mutex<SessionStore>

  /// Delay between the first event of a batch and its commit. Less than the second that may be lost at most: the timer has a
  /// tolerance of a tenth, and the commit itself takes time.
  private static let interval = DispatchTimeInterval.milliseconds(850)

  private struct Buffer {
    var batch = SessionBatch()
    var sampler: MeasurementSampler
    var isCommitDue = true
    var status = Status.starting

    /// Marks a commit as due. Returns whether it must be scheduled, that is, none was due.
    mutating func requestCommit() -> Bool {
      defer { isCommitDue = true }
      return !isCommitDue
    }
  }

  /// Inserts the session into the history in the background; ``status`` contains the result.
  /// - Parameters:
  ///   - companions: Other sessions of the same run. Any other open session of the profile belongs to a killed program and
  ///     is closed.
  ///   - sampling: The measurements to store.
  package init(
    _ info: SessionInfo, at location: StoreLocation, companions: [SessionID] = [],
    sampling: MeasurementSampling = .every(.seconds(10))
  ) {
    self.info = info
    buffer = Mutex(Buffer(sampler: MeasurementSampler(sampling)))
    store = Mutex(SessionStore(info, location, companions))
    (statusChanges, changes) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    queue.async { [self] in commitAndRetry() }
  }

  package var status: Status { buffer.withLock { $0.status } }

  /// Appends the next event. Events after ``finish(at:wall:)`` are not stored.
  package func append(_ event: SessionEvent) {
    let needsSchedule = buffer.withLock { buffer in
      buffer.batch.events.append(event)
      buffer.sampler.update(event)
      return buffer.requestCommit()
    }
    if needsSchedule { scheduleCommit() }
  }

  /// Appends the next measurement if the sampling selects it.
  package func append(_ measurement: StressMeasurement) {
    append { $0.sample(measurement) }
  }

  /// Appends the features of a second of acceleration.
  package func append(_ second: MotionSecond) {
    let needsSchedule = buffer.withLock { buffer in
      buffer.batch.motion.add(second)
      return buffer.requestCommit()
    }
    if needsSchedule { scheduleCommit() }
  }

  /// Appends the result of a reading, independent of the sampling.
  package func append(reading: StressMeasurement) {
    append { $0.reading(reading) }
  }

  private func append(_ select: (inout MeasurementSampler) -> MeasurementSample?) {
    let needsSchedule = buffer.withLock { buffer in
      guard let sample = select(&buffer.sampler) else { return false }
      buffer.batch.measurements.append(sample)
      return buffer.requestCommit()
    }
    if needsSchedule { scheduleCommit() }
  }

  /// Ends the session at `time`, commits the buffer a last time, and closes the history.
  /// - Parameter wall: The wall time; by default, the start of the session plus `time`.
  /// - Returns: The data that are not stored; nil if all are.
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
    guard case .waiting = status, buffer.withLock({ $0.requestCommit() }) else { return }
    scheduleCommit()
  }

  private func commit(_ end: SessionEnd?) {
    let batch = buffer.withLock { buffer in
      buffer.isCommitDue = false
      defer { buffer.batch = SessionBatch() }
      return buffer.batch
    }
    let status = store.withLock { $0.commit(batch, end) }
    let previous = buffer.withLock { buffer in
      defer { buffer.status = status }
      return buffer.status
    }
    if status.isWaiting || previous.isWaiting { changes.yield(status) }
  }
}

extension SessionWriter.Status {
  fileprivate var isWaiting: Bool { if case .waiting = self { true } else { false } }
}
