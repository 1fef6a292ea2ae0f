import Glibc

/// A pipe that a signal handler writes to, so that the event is handled outside of the handler. Both ends are non-blocking.
struct SignalPipe {
  let readEnd: CInt
  private let writeEnd: CInt

  init() {
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
  var isOpen: Bool { readEnd >= 0 }

  /// Writes a byte. Async-signal-safe; preserves `errno`. A full pipe already contains a notification.
  func notify() {
    let saved = errno
    var byte: UInt8 = 0
    _ = unsafe write(writeEnd, &byte, 1)
    errno = saved
  }

  /// Reads and discards all notifications.
  func drain() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while unsafe read(readEnd, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
  }
}
