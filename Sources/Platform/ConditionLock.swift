import Glibc

/// A mutex with a condition variable.
///
/// Wraps pthreads, because `Synchronization.Mutex` has no condition variable.
// @unchecked: the two pointers are constant, and pthreads allows any thread to use the objects that they point to.
@safe final class ConditionLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    // Adjustments of the wall clock do not affect timeouts.
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  func withLock<Result>(_ body: () -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Runs `body` with the lock released. Call only within ``withLock(_:)``.
  func withoutLock<Result>(_ body: () -> Result) -> Result {
    unsafe pthread_mutex_unlock(mutex)
    defer { unsafe pthread_mutex_lock(mutex) }
    return body()
  }

  func notifyAll() { unsafe pthread_cond_broadcast(condition) }

  /// Waits for a notification; may also return without one. Call only within ``withLock(_:)``.
  func wait() { unsafe pthread_cond_wait(condition, mutex) }

  /// Waits for a notification. Returns false after the deadline. Call only within ``withLock(_:)``.
  func wait(until deadline: timespec) -> Bool {
    var deadline = deadline
    return unsafe pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT
  }

  /// The deadline `nanoseconds` from now, for ``wait(until:)``.
  func time(after nanoseconds: Int) -> timespec {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    let total = now.tv_nsec + nanoseconds
    return timespec(tv_sec: now.tv_sec + total / 1_000_000_000, tv_nsec: total % 1_000_000_000)
  }
}
