internal import Glibc
internal import Platform

/// Makes the folder and the file of the history so that nobody else can read them, not even for a moment.
///
/// SQLite gives `-wal` and `-shm` the mode of the database file, so an empty file of mode 0600, which SQLite takes
/// for a new database, decides for all three. A file that exists is never opened here: closing it would drop the
/// locks that SQLite holds on it in this process (POSIX advisory locks).
enum StoreFiles {
  static func prepare(_ location: StoreLocation) throws(HistoryError) {
    try makeFolder(location.folder, for: location.path)
    if location.ownsFolder { chmod(location.folder, 0o700) }
    let file = open(location.path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if file >= 0 {
      close(file)
    } else if errno == EEXIST {
      for suffix in ["", "-wal", "-shm"] { hideFromOthers(location.path + suffix) }
    } else {
      throw HistoryError(errno: errno, path: location.path, .open)
    }
  }

  /// Creates `folder` and its missing parents, for the owner only (mode 0700).
  private static func makeFolder(_ folder: String, for path: String) throws(HistoryError) {
    do throws(FileError) {
      try Folder.create(folder)
    } catch {
      throw HistoryError(errno: error.errno, path: path, .open)
    }
  }

  /// Runs `body` while no other program does so in the folder of the history: two that make one at the same time would
  /// trip over each other's tables.
  ///
  /// The lock lies on the folder itself and ends with its holder. Where it cannot be had within `patience`, because the
  /// file system has none or somebody sits on it, `body` runs without.
  static func alone<T>(
    in location: StoreLocation, patience: Duration, _ body: () throws(HistoryError) -> T
  ) throws(HistoryError) -> T {
    let folder = open(location.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    let end = ContinuousClock.now + patience
    while flock(folder, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR,
      ContinuousClock.now < end
    {
      usleep(2000)
    }
    return try body()
  }

  /// Size of the file in bytes; nil when there is none.
  static func size(of path: String) throws(HistoryError) -> Int? {
    var status = stat()
    if stat(path, &status) == 0 { return Int(status.st_size) }
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw HistoryError(errno: errno, path: path, .open)
  }

  private static func hideFromOthers(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0, status.st_uid == getuid() else { return }
    chmod(path, status.st_mode & 0o700)
  }
}

/// Which file a path names, to notice when it names another.
struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let inode: ino_t

  /// Nil when there is no file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    inode = status.st_ino
  }
}
