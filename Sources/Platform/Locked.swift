package import Glibc

/// A value protected by a `pthread_mutex_t`.
///
/// Used instead of `Synchronization.Mutex`, for which ThreadSanitizer reports false data races. The functions are
/// inlinable because unspecialized generic calls would be on the path of every notification.
// @unchecked: `value` is only accessed with `mutex` locked.
@safe package final class Locked<Value>: @unchecked Sendable {
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  @usableFromInline var value: Value

  @inlinable package init(_ value: Value) {
    self.value = value
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  @inlinable package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
