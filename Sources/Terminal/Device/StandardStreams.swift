import Glibc

/// The descriptors 0 to 2. A process can be started with some of them closed.
package enum StandardStreams {
  /// Opens /dev/null for each closed descriptor, so that no file opened later gets its number. The access mode is the
  /// opposite one: reading standard input and writing standard output still fail.
  package static func openMissing() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free descriptor, which is this one.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
