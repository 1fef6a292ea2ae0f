import CDBus
import Glibc
import Synchronization

/// The one thread on which everything that concerns the bus happens: libdbus reads and dispatches there, the
/// actors around it run there, and so may the consumer of the notifications.
///
/// A hop to another thread costs two context switches per signal, more than all the rest of its handling.
/// libdbus is entered from this thread alone, so its own locks are never contended.
///
/// The thread starts with the first use, sleeps in `poll` while there is nothing to do, and lives as long as the
/// process: a job enqueued late, such as a deinitializer's, always finds it.
// @unchecked: `jobs` has a lock, `thread` is atomic, the rest belongs to the bus thread; the note at the variables tells.
final class BusExecutor: SerialExecutor, @unchecked Sendable {
  static let shared = BusExecutor()
  /// For what belongs to no actor and is to run on the bus thread too.
  static let tasks = BusTaskExecutor(bus: shared)

  // What makes this Sendable: `jobs` is behind its lock and `thread` is atomic; `connections` and `timers` are touched on
  // the bus thread only, which is checked; so are `watches` and `isDispatchDue`, by libdbus, which is entered there alone.
  private let jobs = Locked<[BusJob]>([])
  private let thread = Atomic<UInt>(0)
  private let wakeUp = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
  private var connections: [OpaquePointer] = []
  /// What libdbus wants to read and write, of all connections.
  private var watches: [OpaquePointer] = []
  /// Whether a connection may hold messages that were read and not handed on.
  private var isDispatchDue = false
  private var timers = BusTimers()

  private init() {
    var thread = pthread_t()
    let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { executor in
      guard let executor else { return nil }
      Unmanaged<BusExecutor>.fromOpaque(executor).takeRetainedValue().run()
      return nil
    }
    pthread_create(&thread, nil, start, Unmanaged.passRetained(self).toOpaque())
    pthread_detach(thread)
  }

  // MARK: For the Swift runtime

  func enqueue(_ job: consuming ExecutorJob) { enqueue(.isolated(UnownedJob(job))) }

  func enqueue(_ job: BusJob) {
    let isFirst = jobs.withLock { jobs in
      jobs.append(job)
      return jobs.count == 1
    }
    guard isFirst, !isOnThread else { return }
    var one: UInt64 = 1
    _ = write(wakeUp, &one, 8)
  }

  private var isOnThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  // Without these two, `assumeIsolated` in a callback of libdbus traps: it runs between jobs.
  func checkIsolated() { precondition(isOnThread, "not on the bus thread") }
  func isIsolatingCurrentContext() -> Bool? { isOnThread }

  // MARK: On the bus thread

  /// Reads and dispatches `connection` from now on.
  func add(_ connection: OpaquePointer) {
    checkIsolated()
    connections.append(connection)
    dbus_connection_set_watch_functions(connection, Self.addWatch, Self.removeWatch, nil, nil, nil)
    dbus_connection_set_dispatch_status_function(connection, Self.noteStatus, nil, nil)
    // What came while it was opened.
    isDispatchDue = true
  }

  func remove(_ connection: OpaquePointer) {
    checkIsolated()
    connections.removeAll { $0 == connection }
    dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
  }

  // Called by libdbus on the thread on which it is entered: the bus thread.
  private static let addWatch: DBusAddWatchFunction = { watch, _ in
    if let watch { shared.watches.append(watch) }
    return 1
  }
  private static let removeWatch: DBusRemoveWatchFunction = { watch, _ in
    shared.watches.removeAll { $0 == watch }
  }
  private static let noteStatus: DBusDispatchStatusFunction = { _, status, _ in
    if status != DBUS_DISPATCH_COMPLETE { shared.isDispatchDue = true }
  }

  /// Runs `action` on the bus thread `delay` from now, unless cancelled before.
  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> BusTimers.ID {
    checkIsolated()
    return timers.add(due: BootClock.now() + delay.nanoseconds, action: action)
  }

  func cancel(_ timer: BusTimers.ID) {
    checkIsolated()
    timers.cancel(timer)
  }

  private func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    // Kept between rounds, so that a round allocates nothing.
    var batch: [BusJob] = []
    var polled: [pollfd] = []
    while true {
      // Most jobs lead to more of them, and a round over the connections costs more than a job. Yet jobs without end
      // must not keep the connections waiting.
      var rounds = 0
      while runJobs(&batch), rounds < 100 { rounds += 1 }
      for action in timers.takeDue(at: BootClock.now()) { action() }
      if isDispatchDue { dispatch() }
      // Jobs added on this thread woke nobody.
      if jobs.withLock({ $0.isEmpty }) { wait(&polled) }
    }
  }

  /// Runs those that wait; false when there were none.
  private func runJobs(_ batch: inout [BusJob]) -> Bool {
    jobs.withLock { swap(&$0, &batch) }
    guard !batch.isEmpty else { return false }
    for job in batch {
      switch job {
      case .isolated(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      case .free(let job): job.runSynchronously(on: Self.tasks.asUnownedTaskExecutor())
      }
    }
    batch.removeAll(keepingCapacity: true)
    return true
  }

  /// Hands on what was read. A handler may close any connection.
  private func dispatch() {
    isDispatchDue = false
    for connection in connections where connections.contains(connection) {
      dbus_connection_ref(connection)
      while dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS {}
      dbus_connection_unref(connection)
    }
  }

  /// Sleeps until there is something to do, and reads what has come. By libdbus's watches: its own reading would ask the
  /// kernel a second time whether there is something. A connection that died says so by a last message.
  private func wait(_ polled: inout [pollfd]) {
    polled.removeAll(keepingCapacity: true)
    polled.append(pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0))
    let watched = watches
    for watch in watched { polled.append(Self.request(for: watch)) }
    _ = poll(&polled, nfds_t(polled.count), timeout())
    if polled[0].revents != 0 {
      var count: UInt64 = 0
      _ = read(wakeUp, &count, 8)
    }
    for (place, watch) in watched.enumerated() where polled[place + 1].revents != 0 {
      // A connection that ends takes its other watch with it. Whatever was found is seen by reading or writing, so that
      // nothing that came before the end is lost.
      guard watches.contains(watch) else { continue }
      dbus_watch_handle(watch, dbus_watch_get_flags(watch))
    }
  }

  private static func request(for watch: OpaquePointer) -> pollfd {
    // poll ignores -1.
    guard dbus_watch_get_enabled(watch) != 0 else { return pollfd(fd: -1, events: 0, revents: 0) }
    let reads = dbus_watch_get_flags(watch) & DBUS_WATCH_READABLE.rawValue != 0
    return pollfd(
      fd: dbus_watch_get_unix_fd(watch), events: Int16(reads ? POLLIN : POLLOUT), revents: 0)
  }

  /// Milliseconds to the next timer, rounded up; -1 without one.
  private func timeout() -> CInt {
    guard let due = timers.nextDue else { return -1 }
    let milliseconds = (due - BootClock.now() + 999_999) / 1_000_000
    return CInt(clamping: max(0, milliseconds))
  }
}
