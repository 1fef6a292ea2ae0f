import Glibc

/// Descriptors 0 to 2, which a program may be started without.
enum StandardStreams {
  /// Occupies those that are closed, so that no file opened later is taken for standard output. Using them fails as
  /// before: what stands in for them goes the other way.
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free descriptor, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
