import Glibc
package import SystemPackage

/// Appends to a file from memory: a background thread writes and syncs (fdatasync) the buffer.
///
/// A record is durable 250 ms plus one sync after ``append(isLast:_:)``. If a write fails, the rest is kept and retried
/// every second, starting at the first byte that was not written.
// @unchecked: all variables are accessed only with `lock` held.
package final class BackgroundFileWriter: @unchecked Sendable {
  /// Delay between the first record of a batch and its write, in ns.
  private static let delay = 250_000_000
  private static let retryDelay = 1_000_000_000
  /// Limit of the buffer in bytes while writes fail: several days of one session. Further records are dropped.
  static let bufferLimit = 64 << 20

  private let descriptor: FileDescriptor
  private let path: String
  private let onChange: @Sendable (FileError?) -> Void
  private let lock = ConditionLock()

  /// Records that are not yet part of a batch.
  private var pending: [UInt8] = []
  /// The unwritten rest of a failed batch.
  private var backlog: ArraySlice<UInt8> = []
  /// Number of appended records.
  private var appended = 0
  /// Number of appended records that are durable.
  private var durable = 0
  private var attempts = 0
  private var lastFailure: FileError?
  private var dropped = 0
  /// A caller of ``sync()`` waits for the next attempt.
  private var isUrgent = false
  /// The last record was appended.
  private var isSealed = false
  private var isFinishing = false
  /// The thread has ended.
  private var isOver = false

  /// Takes ownership of `descriptor`, which must be open for appending.
  /// - Parameter onChange: called on the background thread with the error when writing begins to fail, and with nil when it
  ///   succeeds again.
  package init(descriptor: FileDescriptor, path: String, onChange: @escaping @Sendable (FileError?) -> Void) {
    self.descriptor = descriptor
    self.path = path
    self.onChange = onChange
    startThread { self.run() }
  }

  /// Error of the latest attempt; nil if it succeeded.
  package var failure: FileError? { lock.withLock { lastFailure } }
  /// Number of records dropped because ``bufferLimit`` was reached.
  package var droppedRecords: Int { lock.withLock { dropped } }

  /// Adds one record to the buffer. Ignored after a record with `isLast` and after ``finish()``. Never blocks on the disk.
  /// - Parameter write: appends the bytes of the record.
  package func append(isLast: Bool = false, _ write: (inout [UInt8]) -> Void) {
    lock.withLock {
      guard !isSealed, !isOver else { return }
      isSealed = isLast
      guard backlog.count + pending.count < Self.bufferLimit else {
        dropped += 1
        return
      }
      write(&pending)
      appended += 1
      lock.notifyAll()
    }
  }

  /// Waits until all records appended so far are durable.
  /// - Throws: the error of the next attempt; the records stay in the buffer.
  package func sync() throws(FileError) {
    let failure: FileError? = lock.withLock {
      let (goal, before) = (appended, attempts)
      isUrgent = true
      lock.notifyAll()
      while durable < goal, !isOver, attempts == before || lastFailure == nil { lock.wait() }
      return durable < goal ? lastFailure : nil
    }
    if let failure { throw failure }
  }

  /// Tries a last write, closes the file and ends the thread. Repeated calls do nothing.
  package func finish() throws(FileError) {
    let failure: FileError? = lock.withLock {
      guard !isFinishing else { return nil }
      isFinishing = true
      lock.notifyAll()
      while !isOver { lock.wait() }
      return durable < appended ? lastFailure : nil
    }
    if let failure { throw failure }
  }

  /// Discards the buffer, closes the file and ends the thread.
  package func abandon() {
    lock.withLock {
      pending.removeAll(keepingCapacity: true)
      backlog = []
      isFinishing = true
      lock.notifyAll()
      while !isOver { lock.wait() }
    }
  }
}

// MARK: Background thread

extension BackgroundFileWriter {
  private var hasWork: Bool { !backlog.isEmpty || !pending.isEmpty }

  private func run() {
    lock.withLock {
      while waitForWork() {
        let failed = attempt()
        if failed {
          if isFinishing { break }
          pause(Self.retryDelay)
        }
      }
      try? descriptor.close()
      isOver = true
      lock.notifyAll()
    }
  }

  /// Call with the lock held. Returns false if the file is finished and all records are written.
  private func waitForWork() -> Bool {
    while !hasWork, !isFinishing { lock.wait() }
    if hasWork { pause(Self.delay) }
    return hasWork
  }

  /// Call with the lock held. Waits so that more records can be appended; ends early on ``sync()`` and ``finish()``.
  private func pause(_ nanoseconds: Int) {
    let deadline = lock.time(after: nanoseconds)
    while !isUrgent, !isFinishing, lock.wait(until: deadline) {}
    isUrgent = false
  }

  /// Call with the lock held; releases it during disk operations. Returns whether the attempt failed.
  private func attempt() -> Bool {
    let batch = backlog + pending
    let goal = appended
    pending.removeAll(keepingCapacity: true)
    backlog = []
    let (rest, failure) = lock.withoutLock { write(batch) }
    backlog = rest
    attempts += 1
    if failure == nil { durable = goal }
    let changed = (lastFailure == nil) != (failure == nil)
    lastFailure = failure
    lock.notifyAll()
    if changed { lock.withoutLock { onChange(failure) } }
    return failure != nil
  }

  /// Returns the bytes that could not be written. Bytes that were written but not synced are not returned: the kernel reports a
  /// failed sync only once, so a second sync would succeed without writing them.
  private func write(_ batch: ArraySlice<UInt8>) -> (rest: ArraySlice<UInt8>, failure: FileError?) {
    let (rest, failure) = descriptor.append(batch)
    if let failure { return (rest, FileError(errno: failure.rawValue, path: path)) }
    // Devices and pipes cannot be synced and return EINVAL.
    guard fdatasync(descriptor.rawValue) == 0 || errno == EINVAL else {
      return (rest, FileError(errno: errno, path: path))
    }
    return (rest, nil)
  }
}

/// Runs `body` on a new thread with all signals blocked: the main thread handles them, and exceeding the file size limit
/// makes a write fail instead of ending the process with SIGXFSZ.
private func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var all = sigset_t()
  var previous = sigset_t()
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &previous)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
  var thread = pthread_t()
  let box = unsafe Unmanaged.passRetained(Box(body))
  let result = unsafe pthread_create(
    &thread, nil,
    { argument in
      if let argument = unsafe argument {
        unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
      }
      return nil
    }, unsafe box.toOpaque())
  if result == 0 { pthread_detach(thread) } else { unsafe box.release() }
}
