import Glibc
import Platform

/// A running server: a file of the runtime folder that is named for its port and that it locks. The kernel releases the lock
/// when the server ends in any way.
struct RunningServer {
  let port: Int
  private let file: CInt
  private let path: String

  private static let suffix = ".lock"

  /// Creates and locks the file of this server.
  init(port: Int, _ environment: ProcessEnvironment) throws(FileError) {
    self.port = port
    path = try environment.privateFolder("serve") + "/\(port)\(Self.suffix)"
    file = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError(errno: errno, path: path) }
    // Waits for a process that tests whether the file is locked.
    flock(file, LOCK_EX)
    // The server that started last has the newest file.
    futimens(file, nil)
  }

  /// Removes the file.
  func withdraw() {
    unsafe unlink(path)
    close(file)
  }

  /// The port of the running server at `port` or, by default, of the one that started last.
  static func find(_ environment: ProcessEnvironment, port: Int?) throws(FileError) -> Int? {
    let folder = try environment.privateFolder("serve")
    let ports = port.map { [$0] } ?? Folder.names(in: folder).compactMap(Self.port)
    let running = ports.compactMap { port in started("\(folder)/\(port)\(suffix)").map { (port, $0) } }
    return running.max { ($0.1.tv_sec, $0.1.tv_nsec) < ($1.1.tv_sec, $1.1.tv_nsec) }?.0
  }

  private static func port(_ name: String) -> Int? {
    guard name.hasSuffix(suffix), let port = Int(name.dropLast(suffix.count)) else { return nil }
    return (1...65535).contains(port) ? port : nil
  }

  /// The start of the server that locks the file. The file must be locked, and belong to this user.
  private static func started(_ path: String) -> timespec? {
    let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_uid == geteuid(), flock(file, LOCK_SH | LOCK_NB) != 0,
      errno == EWOULDBLOCK
    else { return nil }
    return status.st_mtim
  }
}
