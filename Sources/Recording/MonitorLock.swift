import Glibc

/// A mutex with a condition to wait for.
///
/// Of pthreads rather than `Synchronization.Mutex`, which has no condition.
// @unchecked: the two pointers never change, and what they point to is made to be shared.
final class MonitorLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // Waits must not end early or late when the wall clock steps.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Within ``withLock(_:)``: runs `body` with the lock released.
  func withoutLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_unlock(mutex)
    defer { pthread_mutex_lock(mutex) }
    return body()
  }

  func notifyAll() { pthread_cond_broadcast(condition) }

  /// Within ``withLock(_:)``: waits for the next notification; may also return without one.
  func wait() { pthread_cond_wait(condition, mutex) }

  /// Within ``withLock(_:)``: waits for a notification. False when the time came first.
  func wait(until deadline: timespec) -> Bool {
    var deadline = deadline
    return pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT
  }

  func time(after nanoseconds: Int) -> timespec {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let total = now.tv_nsec + nanoseconds
    return timespec(tv_sec: now.tv_sec + total / 1_000_000_000, tv_nsec: total % 1_000_000_000)
  }
}
