internal import Glibc
internal import Platform

/// A file with an exclusive `flock`, which is removed when the lock is released.
///
/// A file that is removed while another process has opened it is locked by that process without effect: a third process would
/// create and lock a new file. Therefore a lock counts only if the path still names the locked file, and the holder removes
/// the file before it releases the lock.
struct LockFile {
  enum Attempt {
    case locked(LockFile)
    /// Another open file description holds the lock; its note identifies the holder.
    case held(note: String)
    /// The folder or its file system does not support locks, or `holding` contains the file.
    case unusable
  }

  private let descriptor: CInt
  private let path: String

  /// Limits the attempts while other processes remove the file.
  private static let maxAttempts = 100

  /// Locks the file at `path`, which is created. Never waits.
  /// - Parameter holding: the files that this lock holds already. If two folders are the same, the second lock would
  ///   conflict with the first.
  static func lock(_ path: String, holding: [LockFile]) -> Attempt {
    for _ in 0..<maxAttempts {
      guard let file = LockFile(opening: path) else { return .unusable }
      guard !holding.contains(where: { $0.identity == file.identity }) else {
        file.close()
        return .unusable
      }
      guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let refused = errno
        defer { file.close() }
        return refused == EWOULDBLOCK ? .held(note: file.contents) : .unusable
      }
      if file.isInPlace { return .locked(file) }
      file.close()
    }
    return .unusable
  }

  private init?(opening path: String) {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    try? Folder.create(folder)
    guard Self.isOwned(folder) else { return nil }
    var descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    // A lock needs no write permission.
    if descriptor < 0 { descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
    guard descriptor >= 0 else { return nil }
    (self.descriptor, self.path) = (descriptor, path)
  }

  /// Replaces the content.
  func write(_ note: String) {
    ftruncate(descriptor, 0)
    _ = unsafe Array(note.utf8).withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// Removes the file, unless another one has its name, and releases the lock.
  func release() {
    if isInPlace { unsafe unlink(path) }
    close()
  }

  private func close() { Glibc.close(descriptor) }

  /// Ignores directories owned by other users, because those users could remove the lock.
  private static func isOwned(_ folder: String) -> Bool {
    var status = stat()
    return unsafe stat(folder, &status) == 0 && status.st_uid == getuid()
  }

  /// Whether the path names the open file.
  private var isInPlace: Bool { identity != nil && identity == FileIdentity(path: path) }

  private var identity: FileIdentity? { FileIdentity(descriptor: descriptor) }

  private var contents: String {
    unsafe String(
      decoding: [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
        count = unsafe max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
      }, as: UTF8.self)
  }
}
