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
final class BusExecutor: SerialExecutor, @unchecked Sendable {
  static let shared = BusExecutor()
  /// For what belongs to no actor and is to run on the bus thread too.
  static let tasks = BusTaskExecutor(bus: shared)

  // What makes this Sendable: `jobs` is behind its lock and `thread` is atomic; `connections` and `timers`
  // are touched on the bus thread only, where each access is checked.
  private let jobs = Locked<[Job]>([])
  private let thread = Atomic<UInt>(0)
  private let wakeUp = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
  private var connections: [OpaquePointer] = []
  private var timers = BusTimers()
  // Kept between rounds, so that a round allocates nothing.
  private var held: [OpaquePointer] = []
  private var polled: [pollfd] = []
  private var batch: [Job] = []

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

  fileprivate func enqueue(_ job: Job) {
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
  }

  func remove(_ connection: OpaquePointer) {
    checkIsolated()
    connections.removeAll { $0 == connection }
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
    while true {
      // Most jobs lead to more of them, and a round over the connections costs more than a job. Yet jobs without end
      // must not keep the connections waiting.
      var rounds = 0
      while runJobs(), rounds < 100 { rounds += 1 }
      for action in timers.takeDue(at: BootClock.now()) { action() }
      // A callback may close any connection: it lives at least to the end of the round.
      held.append(contentsOf: connections)
      for connection in held { dbus_connection_ref(connection) }
      for connection in held { dispatch(connection) }
      // Jobs added on this thread woke nobody.
      if jobs.withLock({ $0.isEmpty }) { wait() }
      for connection in held { dbus_connection_unref(connection) }
      held.removeAll(keepingCapacity: true)
    }
  }

  /// Runs those that wait; false when there were none.
  private func runJobs() -> Bool {
    jobs.withLock { swap(&$0, &batch) }
    defer { batch.removeAll(keepingCapacity: true) }
    for job in batch {
      switch job {
      case .isolated(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      case .free(let job): job.runSynchronously(on: Self.tasks.asUnownedTaskExecutor())
      }
    }
    return !batch.isEmpty
  }

  private func dispatch(_ connection: OpaquePointer) {
    while dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS {}
  }

  /// Sleeps until there is something to do, and reads what has come. A connection that a callback closed is
  /// skipped; one that died says so by a last message.
  private func wait() {
    polled.removeAll(keepingCapacity: true)
    polled.append(pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0))
    for connection in held { polled.append(request(for: connection)) }
    _ = poll(&polled, nfds_t(polled.count), timeout())
    if polled[0].revents != 0 {
      var count: UInt64 = 0
      _ = read(wakeUp, &count, 8)
    }
    for index in held.indices where polled[index + 1].revents != 0 {
      _ = dbus_connection_read_write(held[index], 0)
    }
  }

  private func request(for connection: OpaquePointer) -> pollfd {
    var descriptor: CInt = -1  // which poll ignores
    guard dbus_connection_get_unix_fd(connection, &descriptor) != 0 else {
      return pollfd(fd: -1, events: 0, revents: 0)
    }
    let output = dbus_connection_has_messages_to_send(connection) != 0 ? Int16(POLLOUT) : 0
    return pollfd(fd: descriptor, events: Int16(POLLIN) | output, revents: 0)
  }

  /// Milliseconds to the next timer, rounded up; -1 without one.
  private func timeout() -> CInt {
    guard let due = timers.nextDue else { return -1 }
    let milliseconds = (due - BootClock.now() + 999_999) / 1_000_000
    return CInt(clamping: max(0, milliseconds))
  }
}

/// Runs on the bus thread what belongs to no actor.
///
/// The runtime lets such a task go on at once wherever it already runs on its own executor, and enqueues it anew at each
/// return from an asynchronous function where that executor is an actor's too: seven times for each notification.
final class BusTaskExecutor: TaskExecutor {
  private let bus: BusExecutor

  fileprivate init(bus: BusExecutor) { self.bus = bus }

  func enqueue(_ job: consuming ExecutorJob) { bus.enqueue(.free(UnownedJob(job))) }
}

/// A job, and whether it belongs to one of the actors on the bus thread.
private enum Job {
  case isolated(UnownedJob)
  case free(UnownedJob)
}
