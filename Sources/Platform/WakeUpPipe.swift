package import Glibc

/// A pipe that ends a wait of `poll` in another thread, or handles a signal outside of its handler. Both ends are non-blocking.
///
///     let pipe = WakeUpPipe()
///     // In one thread or signal handler:
///     pipe.notify()
///     // In the other thread:
///     if pipe.wait(milliseconds: 200) { pipe.drain() }
package struct WakeUpPipe: Sendable {
  /// Readable after a notification, until ``drain()``.
  package let readEnd: CInt
  private let writeEnd: CInt

  package init() {
    var ends: [CInt] = [-1, -1]
    if unsafe pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  /// False if the pipe could not be created.
  package var isOpen: Bool { readEnd >= 0 }

  /// Writes a byte. Async-signal-safe; preserves `errno`. A full pipe already contains a notification.
  package func notify() {
    let saved = errno
    var byte: UInt8 = 0
    _ = unsafe write(writeEnd, &byte, 1)
    errno = saved
  }

  /// Waits for a notification, or until `other` is ready. Returns false after the time; can also do so earlier, because of a
  /// signal.
  package func wait(milliseconds: CInt, or other: pollfd? = nil) -> Bool {
    // `poll` ignores the descriptor -1.
    var states = (
      pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0), other ?? pollfd(fd: -1, events: 0, revents: 0)
    )
    return unsafe withUnsafeMutableBytes(of: &states) { bytes in
      unsafe poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress, 2, milliseconds) > 0
    }
  }

  /// Reads and discards all notifications.
  package func drain() {
    var bytes: (UInt64, UInt64) = (0, 0)
    let size = MemoryLayout.size(ofValue: bytes)
    while unsafe read(readEnd, &bytes, size) == size {}
  }

  /// Notifies for good: the reading end reports a hang-up from now on. ``notify()`` and ``close()`` are not called afterwards.
  package func end() { _ = Glibc.close(writeEnd) }

  /// Closes both ends.
  package func close() {
    for end in [readEnd, writeEnd] { _ = Glibc.close(end) }
  }
}
