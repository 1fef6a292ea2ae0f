import Glibc

/// Identifies the content of a file: its inode, size and times. Equal versions of a path mean that the file was neither changed
/// nor replaced in between.
package struct FileVersion: Equatable, Sendable {
  private let device: dev_t
  private let inode: ino_t
  private let size: off_t
  /// Of the content, and of the inode. The latter cannot be set back, unlike the former.
  private let (modified, changed): (Int64, Int64)

  /// Nil if the file does not exist.
  package init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    (device, inode, size) = (status.st_dev, status.st_ino, status.st_size)
    (modified, changed) = (Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim))
  }

  /// Wraps around for times that no clock shows.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
