import Glibc
import Platform

/// Watches a directory for new files (inotify).
struct DirectoryWatch: Sendable {
  let descriptor: CInt

  init(_ path: String) throws(FileError) {
    descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
    guard descriptor >= 0 else { throw FileError(errno: errno, path: path) }
    guard unsafe inotify_add_watch(descriptor, path, UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)) >= 0 else {
      let error = FileError(errno: errno, path: path)
      _ = Glibc.close(descriptor)
      throw error
    }
  }

  /// Discards the notifications that have arrived. Returns whether there were any.
  func takeChanges() -> Bool {
    var hasChanges = false
    var buffer = [UInt8](repeating: 0, count: 4096)
    while unsafe read(descriptor, &buffer, buffer.count) > 0 { hasChanges = true }
    return hasChanges
  }

  func close() { _ = Glibc.close(descriptor) }
}
