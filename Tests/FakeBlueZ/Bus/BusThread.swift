import CDBus
import DBus
import Glibc

/// The thread that owns a `DaemonState`: it runs enqueued jobs, the daemon's timers, and the bus connection.
final class BusThread: @unchecked Sendable {
  // `mutex` guards `jobs`, `taken`, `finished` and `stopping`. The daemon is created, used and freed only on the
  // thread. `thread` is written before `self` is shared.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var jobs: [@Sendable (DaemonState) -> Void] = []
  private var taken = 0
  private var finished = 0
  private var stopping = false
  private let wakeDescriptor = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
  private var thread = pthread_t()

  init(_ makeDaemon: @escaping @Sendable () -> DaemonState) {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
    let start = Unmanaged.passRetained(Start(owner: self, makeDaemon: makeDaemon)).toOpaque()
    pthread_create(
      &thread, nil,
      { raw in
        let start = Unmanaged<Start>.fromOpaque(raw!).takeRetainedValue()
        start.owner.run(start.makeDaemon())
        return nil
      }, start)
  }

  deinit {
    close(wakeDescriptor)
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(condition)
    mutex.deallocate()
    condition.deallocate()
  }

  /// Runs `body` on the thread and waits for its result (microseconds, as jobs never block).
  func perform<Result: Sendable>(_ body: @escaping @Sendable (DaemonState) -> Result) -> Result {
    if pthread_equal(thread, pthread_self()) != 0 {
      preconditionFailure("perform from inside the fake would wait for itself")
    }
    // Written on the thread before `finished` reaches the ticket and read afterwards, which the mutex orders.
    nonisolated(unsafe) var result: Result?
    locked {
      precondition(!stopping, "the fake has ended")
      jobs.append { result = body($0) }
      taken += 1
      let ticket = taken
      wake()
      while finished < ticket { pthread_cond_wait(condition, mutex) }
    }
    return result!
  }

  /// Ends the thread and waits for it.
  func stop() {
    locked {
      stopping = true
      wake()
    }
    pthread_join(thread, nil)
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  private func wake() {
    var one: UInt64 = 1
    _ = write(wakeDescriptor, &one, 8)
  }

  private func run(_ daemon: DaemonState) {
    while !locked({ stopping }) {
      runJobs(daemon)
      daemon.takeMessages()
      daemon.runTimers()
      daemon.wakeWaiters()
      wait(daemon)
    }
    for waiter in daemon.waiters { waiter.resume(false) }
  }

  private func runJobs(_ daemon: DaemonState) {
    let batch = locked {
      defer { jobs.removeAll() }
      return jobs
    }
    for job in batch { job(daemon) }
    guard !batch.isEmpty else { return }
    locked {
      finished += batch.count
      pthread_cond_broadcast(condition)
    }
  }

  private func wait(_ daemon: DaemonState) {
    var descriptors = [pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)]
    if let connection = daemon.connection {
      let writing = connection.hasMessagesToSend ? Int16(POLLOUT) : 0
      descriptors.append(pollfd(fd: connection.descriptor, events: Int16(POLLIN) | writing, revents: 0))
    }
    // Rounded up, so that the timer is due after the wait; one minute without a timer.
    let nanoseconds = min(daemon.timers.untilNext ?? .max, 60_000_000_000)
    _ = poll(&descriptors, nfds_t(descriptors.count), CInt((nanoseconds + 999_999) / 1_000_000))
    var count: UInt64 = 0
    if descriptors[0].revents != 0 { _ = read(wakeDescriptor, &count, 8) }
  }
}

private final class Start {
  let owner: BusThread
  let makeDaemon: @Sendable () -> DaemonState

  init(owner: BusThread, makeDaemon: @escaping @Sendable () -> DaemonState) {
    self.owner = owner
    self.makeDaemon = makeDaemon
  }
}
