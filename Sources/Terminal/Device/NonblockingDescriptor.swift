import Glibc

/// A non-blocking descriptor for the pipe, terminal or socket on standard output.
struct NonblockingDescriptor {
  private let descriptor: CInt
  private let isSocket: Bool

  /// Fails if standard output is a regular file, which never blocks, or if the descriptor cannot be opened.
  ///
  /// A pipe or terminal is opened again, because O_NONBLOCK on the inherited descriptor would affect every process that
  /// shares it. A regular file opened again would be overwritten from its start.
  init?() {
    var status = stat()
    guard unsafe fstat(STDOUT_FILENO, &status) == 0 else { return nil }
    let kind = status.st_mode & S_IFMT
    isSocket = kind == S_IFSOCK
    if isSocket {
      descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    } else if kind == S_IFIFO || (kind == S_IFCHR && isatty(STDOUT_FILENO) == 1) {
      descriptor = unsafe open(
        "/proc/self/fd/\(STDOUT_FILENO)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    } else {
      return nil
    }
    if descriptor < 0 { return nil }
  }

  func close() { _ = Glibc.close(descriptor) }

  /// Writes as much as possible without blocking. Returns the number of bytes written.
  ///
  /// - Throws: ``OutputError``.
  func write(_ bytes: UnsafeRawBufferPointer) throws -> Int {
    var written = 0
    while written < bytes.count {
      let count = unsafe writeOnce(UnsafeRawBufferPointer(rebasing: bytes[written...]))
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        throw OutputError(errno: errno)
      }
    }
    return written
  }

  private func writeOnce(_ bytes: UnsafeRawBufferPointer) -> Int {
    isSocket
      ? unsafe send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
      : unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
  }

  /// Waits until the reader accepts more. Returns false after a timeout of five seconds.
  func waitUntilWritable() -> Bool {
    var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&writable, 1, 5000) != 0
  }
}
