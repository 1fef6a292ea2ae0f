package import Glibc

/// A value protected by a `pthread_mutex_t`. It is the only lock of the program.
///
/// `Synchronization.Mutex` is not used: ThreadSanitizer reports false data races for it, and closures cannot capture it. The
/// functions are inlinable because unspecialized generic calls would be on the path of every notification.
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

  @inlinable package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
