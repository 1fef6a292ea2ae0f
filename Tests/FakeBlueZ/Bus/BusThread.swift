import CDBus
import DBus
import Glibc
import Platform

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
  private let wakeUp = WakeUpPipe()
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
    wakeUp.close()
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
      wakeUp.notify()
      while finished < ticket { pthread_cond_wait(condition, mutex) }
    }
    return result!
  }

  /// Ends the thread and waits for it.
  func stop() {
    locked {
      stopping = true
      wakeUp.notify()
    }
    pthread_join(thread, nil)
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
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
    let connection = daemon.connection.map { connection in
      let writing = connection.hasMessagesToSend ? Int16(POLLOUT) : 0
      return pollfd(fd: connection.descriptor, events: Int16(POLLIN) | writing, revents: 0)
    }
    // Rounded up, so that the timer is due after the wait; one minute without a timer.
    let nanoseconds = min(daemon.timers.untilNext ?? .max, 60_000_000_000)
    _ = wakeUp.wait(milliseconds: CInt((nanoseconds + 999_999) / 1_000_000), or: connection)
    wakeUp.drain()
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
