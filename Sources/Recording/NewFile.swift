import Glibc

/// A file that comes into being: under its own name when there is none, else beside the one that it will replace.
struct NewFile {
  let descriptor: CInt
  private let path: String
  /// Where it lies until it takes the place of another; nil when it has its name already.
  private let temporary: String?

  init(path: String, replacing: Bool) throws(RecordingError) {
    self.path = path
    let exists = replacing && access(path, F_OK) == 0
    if exists { try Self.checkIsRegular(path) }
    temporary = exists ? "\(path).\(getpid()).new" : nil
    descriptor = open(temporary ?? path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let error = RecordingError(errno: errno, path: temporary ?? path)
      // What no --force would replace is not called an existing file.
      if error.code == .exists, temporary == nil { try Self.checkIsRegular(path) }
      throw error
    }
  }

  /// Gives the file its name and makes the name durable.
  func commit() throws(RecordingError) {
    if let temporary, rename(temporary, path) != 0 { throw RecordingError(errno: errno, path: path) }
    try Self.syncFolder(of: path)
  }

  func undo() { unlink(temporary ?? path) }

  /// Makes the name of the file durable.
  static func syncFolder(of path: String) throws(RecordingError) {
    let folder = RecordingError.folder(of: path)
    let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw RecordingError(errno: errno, path: folder) }
    defer { close(opened) }
    // Some file systems cannot sync a folder and say EINVAL: then there is nothing more to be done.
    guard fsync(opened) == 0 || errno == EINVAL else { throw RecordingError(errno: errno, path: folder) }
  }

  static func checkIsRegular(_ path: String) throws(RecordingError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw RecordingError(errno: errno, path: path) }
    if status.st_mode & S_IFMT == S_IFDIR { throw RecordingError(.isDirectory, path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw RecordingError(.notRegular, path: path) }
  }
}
