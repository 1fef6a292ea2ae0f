import Glibc

/// A value behind a `pthread_mutex_t`.
///
/// Not `Synchronization.Mutex`, on which ThreadSanitizer reports races that are none.
final class Locked<Value>: @unchecked Sendable {  // `value` is only touched with `mutex` held
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
