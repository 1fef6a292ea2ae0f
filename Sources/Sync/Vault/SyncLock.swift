internal import Glibc

/// Lets one program at a time sync a history. The kernel releases the lock when the process ends.
package final class SyncLock: Sendable {
  private let file: CInt

  /// - Parameter path: A file beside the history. It is created and remains.
  /// - Throws: ``VaultError/isRunning(pid:)``, ``VaultError/file(path:reason:)``.
  package init(_ path: String) throws(VaultError) {
    let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw .file(path: path, reason: unsafe String(cString: strerror(errno))) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let holder = Self.holder(file)
      close(file)
      throw .isRunning(pid: holder)
    }
    let note = Array("\(getpid())\n".utf8)
    ftruncate(file, 0)
    _ = unsafe note.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, 0) }
    self.file = file
  }

  deinit {
    ftruncate(file, 0)
    close(file)
  }

  private static func holder(_ file: CInt) -> Int32? {
    let text = unsafe [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      count = unsafe max(0, pread(file, buffer.baseAddress, buffer.count, 0))
    }
    return Int32(String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}
