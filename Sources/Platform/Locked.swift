package import Glibc

/// A value protected by a `pthread_mutex_t`. It is the only lock of the program.
///
/// `Synchronization.Mutex` is not used: ThreadSanitizer reports false data races for it, and closures cannot capture it.
/// ``withLock(_:)`` is always inlined: the optimizer does not specialize it for every caller, and a generic call takes ten times as long
/// as the lock.
// @unchecked: `value` is only accessed with `mutex` locked.
@safe package final class Locked<Value>: @unchecked Sendable {
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // The lock excludes other accesses, so they are not also checked at run time.
  @exclusivity(unchecked) @usableFromInline var value: Value

  @inlinable package init(_ value: Value) {
    unsafe self.value = value
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  @inlinable @inline(__always) package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&value)
  }
}
