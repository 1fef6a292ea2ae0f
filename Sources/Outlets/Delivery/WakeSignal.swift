import Glibc

/// Ends a wait of another thread (a pipe that contains at most a few bytes).
final class WakeSignal: Sendable {
  private let reading: CInt
  private let writing: CInt

  init() {
    var ends: (CInt, CInt) = (-1, -1)
    unsafe withUnsafeMutableBytes(of: &ends) {
      _ = unsafe pipe($0.baseAddress?.assumingMemoryBound(to: CInt.self))
    }
    (reading, writing) = ends
    for end in [reading, writing] {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// A full pipe has the same effect as one more byte.
  func notify() {
    var byte: UInt8 = 0
    _ = unsafe write(writing, &byte, 1)
  }

  /// Waits until ``notify()`` is called, until `other` is ready, or until `deadline` (ns of the boot clock).
  func wait(for other: TransportInterest?, until deadline: Int64, now: Int64) {
    var states = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
    if let other {
      let events = Int16(POLLIN) | (other.isWriting ? Int16(POLLOUT) : 0)
      states.append(pollfd(fd: other.descriptor, events: events, revents: 0))
    }
    // Rounded up to reach the deadline after one wait.
    let milliseconds = max(0, min(deadline - now + 999_999, 3_600_000_000_000) / 1_000_000)
    _ = unsafe poll(&states, nfds_t(states.count), CInt(milliseconds))
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe read(reading, &bytes, bytes.count) == bytes.count {}
  }
}
