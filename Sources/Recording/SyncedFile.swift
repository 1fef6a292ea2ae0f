import Glibc
import JSONLines

/// A file that is appended to from memory by a thread of its own, which writes and syncs what waits.
///
/// A line is durable `delay` and the time of one sync after it was handed in. Where writing fails, what is left is
/// kept and tried again, from the very byte on.
// @unchecked: every variable is read and written with `lock` held only; the constants never change.
final class SyncedFile: @unchecked Sendable {
  /// How long the first line of a batch waits for others, in ns.
  private static let delay = 250_000_000
  private static let retryDelay = 1_000_000_000
  /// Bytes that may wait while the disk fails: some days of a session.
  static let longestBacklog = 64 << 20

  private let descriptor: CInt
  private let path: String
  private let onChange: @Sendable (RecordingError?) -> Void
  private let lock = MonitorLock()

  private var waiting = JSONLine()
  /// What an attempt that failed left unwritten.
  private var backlog: ArraySlice<UInt8> = []
  private var appended = 0
  /// Of the appended lines, those that are durable.
  private var durable = 0
  private var attempts = 0
  private var lastFailure: RecordingError?
  private var dropped = 0
  /// Someone waits for the next attempt.
  private var isUrgent = false
  private var isSealed = false
  private var isFinishing = false
  private var isOver = false

  /// Takes over `descriptor`, which must be open for appending.
  init(descriptor: CInt, path: String, onChange: @escaping @Sendable (RecordingError?) -> Void) {
    self.descriptor = descriptor
    self.path = path
    self.onChange = onChange
    startThread { self.run() }
  }

  var failure: RecordingError? { lock.withLock { lastFailure } }
  var droppedLines: Int { lock.withLock { dropped } }

  /// Appends what `write` writes; nothing after what is the last.
  func append(isLast: Bool = false, _ write: (inout JSONLine) -> Void) {
    lock.withLock {
      guard !isSealed, !isOver else { return }
      isSealed = isLast
      guard backlog.count + waiting.bytes.count < Self.longestBacklog else {
        dropped += 1
        return
      }
      write(&waiting)
      appended += 1
      lock.notifyAll()
    }
  }

  /// Waits until everything appended before is durable.
  func sync() throws(RecordingError) {
    let failure: RecordingError? = lock.withLock {
      let (goal, before) = (appended, attempts)
      isUrgent = true
      lock.notifyAll()
      while durable < goal, !isOver, attempts == before || lastFailure == nil { lock.wait() }
      return durable < goal ? lastFailure : nil
    }
    if let failure { throw failure }
  }

  /// Tries a last time, closes the file and ends the thread. Again: does nothing.
  func finish() throws(RecordingError) {
    let failure: RecordingError? = lock.withLock {
      guard !isFinishing else { return nil }
      isFinishing = true
      lock.notifyAll()
      while !isOver { lock.wait() }
      return durable < appended ? lastFailure : nil
    }
    if let failure { throw failure }
  }

  /// Forgets what waits, closes the file and ends the thread.
  func abandon() {
    lock.withLock {
      waiting.clear()
      backlog = []
      isFinishing = true
      lock.notifyAll()
      while !isOver { lock.wait() }
    }
  }
}

// The thread.
extension SyncedFile {
  private var hasWork: Bool { !backlog.isEmpty || !waiting.bytes.isEmpty }

  private func run() {
    lock.withLock {
      while waitForWork() {
        let failed = attempt()
        if failed {
          if isFinishing { break }
          pause(Self.retryDelay)
        }
      }
      close(descriptor)
      isOver = true
      lock.notifyAll()
    }
  }

  /// With the lock held. False when there is none and there will be none.
  private func waitForWork() -> Bool {
    while !hasWork, !isFinishing { lock.wait() }
    if hasWork { pause(Self.delay) }
    return hasWork
  }

  /// With the lock held: lets others append, until the time is over or someone waits for the disk.
  private func pause(_ nanoseconds: Int) {
    let deadline = lock.time(after: nanoseconds)
    while !isUrgent, !isFinishing, lock.wait(until: deadline) {}
    isUrgent = false
  }

  /// With the lock held, except while the disk works. Returns whether it failed.
  private func attempt() -> Bool {
    let batch = backlog + waiting.bytes
    let goal = appended
    waiting.clear()
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

  /// Returns what could not be written. What was written but not synced cannot be synced again (the kernel
  /// reports such a failure once), so it is not returned.
  private func write(_ batch: ArraySlice<UInt8>) -> (rest: ArraySlice<UInt8>, failure: RecordingError?) {
    var rest = batch
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return (rest, RecordingError(errno: count < 0 ? errno : ENOSPC, path: path)) }
      rest = rest.dropFirst(count)
    }
    // A device or pipe has nothing to sync and says EINVAL.
    guard fdatasync(descriptor) == 0 || errno == EINVAL else {
      return (rest, RecordingError(errno: errno, path: path))
    }
    return (rest, nil)
  }
}

/// Runs `body` on a new thread in which no signal is handled: they are the business of the main thread, and a
/// file size limit then makes a write fail instead of ending the process.
private func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var all = sigset_t()
  var previous = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_SETMASK, &all, &previous)
  defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body))
  let result = pthread_create(
    &thread, nil,
    { argument in
      if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
      return nil
    }, box.toOpaque())
  if result == 0 { pthread_detach(thread) } else { box.release() }
}
