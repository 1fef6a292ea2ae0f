import CDBus
import Glibc
import Platform
import Synchronization

/// The bus thread: libdbus reads and dispatches there, the actors that use it run there, and so may the consumer of the
/// notifications.
///
/// A switch to another thread costs two context switches per signal, more than all other handling. libdbus is entered only
/// from this thread, so its locks are never contended.
///
/// The thread starts with the first use, sleeps in `poll` while it is idle, and runs until the process ends. A job enqueued
/// late, such as an isolated deinitializer, is therefore still executed.
// @unchecked: see the note at the stored properties.
@safe package final class BusExecutor: SerialExecutor, @unchecked Sendable {
  package static let shared = BusExecutor()
  /// For tasks that are not isolated to an actor and have to run on the bus thread.
  package static let tasks = BusTaskExecutor(bus: shared)

  // `jobs` is protected by its lock and `thread` is atomic. All other variables are accessed only on the bus thread:
  // `connections` and `timers` check this, and libdbus, which is entered only there, accesses `watches` and
  // `isDispatchDue`.
  private let jobs = Locked<[BusJob]>([])
  private let thread = Atomic<UInt>(0)
  private let wakeUp = WakeUpPipe()
  private var connections: [OpaquePointer] = unsafe []
  /// The libdbus watches of all connections: descriptors to read and write.
  private var watches: [OpaquePointer] = unsafe []
  /// Whether a connection may hold messages that were read and not dispatched.
  private var isDispatchDue = false
  private var timers = BusTimers()

  private init() {
    var thread = pthread_t()
    let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { executor in
      guard let executor = unsafe executor else { return nil }
      unsafe Unmanaged<BusExecutor>.fromOpaque(executor).takeRetainedValue().run()
      return nil
    }
    unsafe pthread_create(&thread, nil, start, Unmanaged.passRetained(self).toOpaque())
    pthread_detach(thread)
  }

  // MARK: Executor

  package func enqueue(_ job: consuming ExecutorJob) { enqueue(.isolated(UnownedJob(job))) }

  func enqueue(_ job: BusJob) {
    let isFirst = jobs.withLock { jobs in
      jobs.append(job)
      return jobs.count == 1
    }
    if isFirst, !isOnThread { wakeUp.notify() }
  }

  private var isOnThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  // Required by `assumeIsolated` in a callback of libdbus, which runs between jobs.
  package func checkIsolated() { precondition(isOnThread, "not on the bus thread") }
  package func isIsolatingCurrentContext() -> Bool? { isOnThread }

  // MARK: Connections and timers, on the bus thread

  /// Reads and dispatches `connection` from now on.
  func add(_ connection: OpaquePointer) {
    checkIsolated()
    unsafe connections.append(connection)
    unsafe dbus_connection_set_watch_functions(connection, Self.addWatch, Self.removeWatch, nil, nil, nil)
    unsafe dbus_connection_set_dispatch_status_function(connection, Self.noteStatus, nil, nil)
    // Messages may have arrived while the connection was opened.
    isDispatchDue = true
  }

  func remove(_ connection: OpaquePointer) {
    checkIsolated()
    unsafe connections.removeAll { $0 == connection }
    unsafe dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    unsafe dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
  }

  // libdbus calls these on the thread from which it is entered: the bus thread.
  private static let addWatch: DBusAddWatchFunction = { watch, _ in
    if let watch = unsafe watch { unsafe shared.watches.append(watch) }
    return 1
  }
  private static let removeWatch: DBusRemoveWatchFunction = { watch, _ in
    unsafe shared.watches.removeAll { unsafe $0 == watch }
  }
  private static let noteStatus: DBusDispatchStatusFunction = { _, status, _ in
    if status != DBUS_DISPATCH_COMPLETE { shared.isDispatchDue = true }
  }

  /// Runs `action` on the bus thread after `delay`, unless the timer is cancelled before.
  package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> BusTimers.ID {
    checkIsolated()
    return timers.add(due: SystemClock.boot + delay.nanoseconds, action: action)
  }

  package func cancel(_ timer: BusTimers.ID) {
    checkIsolated()
    timers.cancel(timer)
  }

  // MARK: The loop

  private func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    // Kept between iterations to allocate nothing in an iteration.
    var batch: [BusJob] = []
    var polled: [pollfd] = []
    while true {
      // Most jobs enqueue others, and an iteration over the connections costs more than a job. The limit prevents endless
      // jobs from starving the connections.
      var rounds = 0
      while runJobs(&batch), rounds < 100 { rounds += 1 }
      for action in timers.removeDue(at: SystemClock.boot) { action() }
      if isDispatchDue { dispatch() }
      // Jobs enqueued on this thread do not wake it.
      if jobs.withLock({ $0.isEmpty }) { wait(&polled) }
    }
  }

  /// Runs the enqueued jobs; false if there were none.
  private func runJobs(_ batch: inout [BusJob]) -> Bool {
    jobs.withLock { swap(&$0, &batch) }
    guard !batch.isEmpty else { return false }
    for job in batch {
      switch job {
      case .isolated(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
      case .free(let job): unsafe job.runSynchronously(on: Self.tasks.asUnownedTaskExecutor())
      }
    }
    batch.removeAll(keepingCapacity: true)
    return true
  }

  /// Dispatches the messages that were read. A handler may close any connection.
  private func dispatch() {
    isDispatchDue = false
    let current = unsafe connections
    for index in unsafe current.indices where unsafe connections.contains(current[index]) {
      let connection = unsafe current[index]
      unsafe dbus_connection_ref(connection)
      while unsafe dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS {}
      unsafe dbus_connection_unref(connection)
    }
  }

  /// Sleeps until there is something to do, and reads what has arrived. Uses libdbus's watches, because
  /// `dbus_connection_read_write` would call `poll` a second time. The end of a connection arrives as a last message.
  private func wait(_ polled: inout [pollfd]) {
    polled.removeAll(keepingCapacity: true)
    polled.append(pollfd(fd: wakeUp.readEnd, events: Int16(POLLIN), revents: 0))
    let watched = unsafe watches
    for index in unsafe watched.indices { unsafe polled.append(Self.request(for: watched[index])) }
    _ = unsafe poll(&polled, nfds_t(polled.count), timeout())
    if polled[0].revents != 0 { wakeUp.drain() }
    for index in unsafe watched.indices where polled[index + 1].revents != 0 {
      let watch = unsafe watched[index]
      // A connection that ends also removes its other watch. Errors and hang-ups are detected by reading or writing: nothing
      // that arrived before is lost.
      guard unsafe watches.contains(watch) else { continue }
      unsafe dbus_watch_handle(watch, dbus_watch_get_flags(watch))
    }
  }

  private static func request(for watch: OpaquePointer) -> pollfd {
    // `poll` ignores the descriptor -1.
    guard unsafe dbus_watch_get_enabled(watch) != 0 else { return pollfd(fd: -1, events: 0, revents: 0) }
    let reads = unsafe dbus_watch_get_flags(watch) & DBUS_WATCH_READABLE.rawValue != 0
    return unsafe pollfd(
      fd: dbus_watch_get_unix_fd(watch), events: Int16(reads ? POLLIN : POLLOUT), revents: 0)
  }

  /// Milliseconds to the next timer, rounded up; -1 without a timer.
  private func timeout() -> CInt {
    guard let due = timers.nextDue else { return -1 }
    let milliseconds = (due - SystemClock.boot + 999_999) / 1_000_000
    return CInt(clamping: max(0, milliseconds))
  }
}

/// Runs tasks that are not isolated to an actor on the bus thread.
///
/// The runtime resumes such a task immediately on its own executor. If that executor were also an actor's, it would enqueue
/// the task at each return from an asynchronous function: seven times per notification.
package final class BusTaskExecutor: TaskExecutor {
  private let bus: BusExecutor

  init(bus: BusExecutor) { self.bus = bus }

  package func enqueue(_ job: consuming ExecutorJob) { bus.enqueue(.free(UnownedJob(job))) }
}

/// A job, and whether it is isolated to an actor on the bus thread.
enum BusJob {
  case isolated(UnownedJob)
  case free(UnownedJob)
}

/// Closures that run at a time of ``SystemClock``. There are only a few at a time, so a list is sufficient.
package struct BusTimers {
  package struct ID: Hashable, Sendable { fileprivate let number: UInt64 }

  private struct Entry {
    var id: ID
    var due: Int64
    var action: () -> Void
  }

  private var entries: [Entry] = [] { didSet { nextDue = entries.lazy.map(\.due).min() } }
  private var lastNumber: UInt64 = 0

  /// When the next timer is due, in nanoseconds, if there is one.
  private(set) var nextDue: Int64?

  mutating func add(due: Int64, action: @escaping () -> Void) -> ID {
    lastNumber += 1
    let id = ID(number: lastNumber)
    entries.append(Entry(id: id, due: due, action: action))
    return id
  }

  mutating func cancel(_ id: ID) {
    entries.removeAll { $0.id == id }
  }

  /// Removes the timers that are due and returns their actions, in the order of their times.
  mutating func removeDue(at now: Int64) -> [() -> Void] {
    guard let next = nextDue, next <= now else { return [] }
    let due = entries.filter { $0.due <= now }.sorted { $0.due < $1.due }
    entries.removeAll { $0.due <= now }
    return due.map(\.action)
  }
}
