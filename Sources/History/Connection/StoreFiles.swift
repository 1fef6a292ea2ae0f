internal import Glibc
internal import Platform

/// Creates the folder and the file of the history with permissions for the owner only.
///
/// SQLite gives `-wal` and `-shm` the mode of the database file, so an empty file of mode 0600, which SQLite accepts as a
/// new database, determines the mode of all three. An existing file is never opened here: closing it would release the locks
/// that SQLite holds on it in this process (POSIX advisory locks).
enum StoreFiles {
  static func prepare(_ location: StoreLocation) throws(HistoryError) {
    try requireFile(location)
    try createFolder(location.folder, for: location.path)
    if location.ownsFolder { unsafe chmod(location.folder, 0o700) }
    let file = unsafe open(location.path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if file >= 0 {
      close(file)
    } else if errno == EEXIST {
      for suffix in ["", "-wal", "-shm"] { restrictToOwner(location.path + suffix) }
    } else {
      throw HistoryError(errno: errno, path: location.path, .open)
    }
  }

  /// Creates `folder` and its missing parents with mode 0700.
  /// - Throws: ``HistoryError`` with the code `missing` if the file is absent and must exist.
  static func requireFile(_ location: StoreLocation) throws(HistoryError) {
    guard location.mustExist, try size(of: location.path) == nil else { return }
    throw HistoryError(.missing, path: location.path, .open)
  }

  private static func createFolder(_ folder: String, for path: String) throws(HistoryError) {
    do throws(FileError) {
      try Folder.create(folder)
    } catch {
      throw HistoryError(errno: error.errno, path: path, .open)
    }
  }

  /// Runs `body` with a lock on the folder of the history, which prevents two programs from creating the same tables.
  ///
  /// The kernel releases the lock when its holder ends. If it cannot be acquired within `timeout`, because the file system
  /// does not support locks or another program keeps it, `body` runs without it.
  static func withFolderLock<T>(
    _ location: StoreLocation, timeout: Duration, _ body: () throws(HistoryError) -> T
  ) throws(HistoryError) -> T {
    let folder = unsafe open(location.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    let end = ContinuousClock.now + timeout
    while flock(folder, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR,
      ContinuousClock.now < end
    {
      usleep(2000)
    }
    return try body()
  }

  /// Size of the file in bytes, if it exists.
  static func size(of path: String) throws(HistoryError) -> Int? {
    var status = stat()
    if unsafe stat(path, &status) == 0 { return Int(status.st_size) }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw HistoryError(errno: errno, path: path, .open)
  }

  private static func restrictToOwner(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 != 0, status.st_uid == getuid() else {
      return
    }
    unsafe chmod(path, status.st_mode & 0o700)
  }
}

/// Device and inode of a path, which detect that the file was replaced.
struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let inode: ino_t

  /// Fails if the file does not exist.
  init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    (device, inode) = (status.st_dev, status.st_ino)
  }

  /// Fails if the descriptor is not open.
  init?(descriptor: CInt) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    (device, inode) = (status.st_dev, status.st_ino)
  }
}
