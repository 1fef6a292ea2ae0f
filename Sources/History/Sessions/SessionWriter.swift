package import HeartRate
package import Motion
internal import Platform
package import Stress

/// Stores a running session.
///
/// Appending only adds to a buffer in memory; it is allowed on any thread and never waits for the disk. A
/// ``BackgroundCommitter`` commits the buffer once a second, in one durable transaction. If the history cannot be opened or written, the data stay
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
  private let committer = BackgroundCommitter(label: "stressmon.session", delay: delay)
  private let buffer: Locked<Buffer>
  /// Accessed only on the queue of `committer`, so the lock is never contended.
  private let store: Locked<SessionStore>

  /// Delay between the first event of a batch and its commit, in ms. Less than the second that may be lost at most: the timer
  /// has a tolerance of a tenth, and the commit itself takes time.
  private static let delay = 850

  private struct Buffer {
    var batch = SessionBatch()
    var sampler: MeasurementSampler
    var status = Status.starting
    var hasSession = false
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
    buffer = Locked(Buffer(sampler: MeasurementSampler(sampling)))
    store = Locked(SessionStore(info, location, companions))
    (statusChanges, changes) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    committer.perform { [self] in
      if !commit() { committer.request(self) }
    }
  }

  package var status: Status { buffer.withLock { $0.status } }

  /// How much of the session is in the history so far; the final outcome after ``finish(at:wall:)``.
  package var outcome: StorageOutcome {
    let (status, hasSession) = buffer.withLock { ($0.status, $0.hasSession) }
    return switch status {
    case .starting: .withoutData
    case .saved: hasSession ? .stored : .withoutData
    case .waiting(let error, _): hasSession ? .partial(error) : .failed(error)
    }
  }

  /// Appends the next event. Events after ``finish(at:wall:)`` are not stored.
  package func append(_ event: SessionEvent) {
    buffer.withLock { buffer in
      buffer.batch.events.append(event)
      buffer.sampler.update(event)
    }
    committer.request(self)
  }

  /// Appends the next measurement if the sampling selects it.
  package func append(_ measurement: StressMeasurement) {
    append { $0.sample(measurement) }
  }

  /// Appends the features of a second of acceleration.
  package func append(_ second: MotionSecond) {
    buffer.withLock { $0.batch.motion.add(second) }
    committer.request(self)
  }

  /// Appends the result of a reading, independent of the sampling.
  package func append(reading: StressMeasurement) {
    append { $0.reading(reading) }
  }

  private func append(_ select: (inout MeasurementSampler) -> MeasurementSample?) {
    let isSelected = buffer.withLock { buffer in
      guard let sample = select(&buffer.sampler) else { return false }
      buffer.batch.measurements.append(sample)
      return true
    }
    if isSelected { committer.request(self) }
  }

  /// Ends the session at `time`, commits the buffer a last time, and closes the history.
  /// - Parameter wall: The wall time; by default, the start of the session plus `time`.
  /// - Returns: The data that are not stored, or `nil` if all are.
  package func finish(at time: SessionTime, wall: WallTime? = nil) async -> Unsaved? {
    let end = SessionEnd(at: time, wall: wall ?? info.started.advanced(ticks: time.ticks))
    return await withCheckedContinuation { continuation in
      committer.perform { [self] in
        commit(end)
        changes.finish()
        continuation.resume(returning: store.withLock { $0.close() })
      }
    }
  }

  private func commit(_ end: SessionEnd?) {
    let batch = buffer.withLock { buffer in
      defer { buffer.batch = SessionBatch() }
      return buffer.batch
    }
    let (status, hasSession) = store.withLock { ($0.commit(batch, end), $0.hasSession) }
    let previous = buffer.withLock { buffer in
      defer { (buffer.status, buffer.hasSession) = (status, hasSession) }
      return buffer.status
    }
    if status.isWaiting || previous.isWaiting { changes.yield(status) }
  }
}

extension SessionWriter: BackgroundCommitted {
  package func commit() -> Bool {
    commit(nil)
    return !status.isWaiting
  }
}

extension SessionWriter.Status {
  fileprivate var isWaiting: Bool { if case .waiting = self { true } else { false } }
}
