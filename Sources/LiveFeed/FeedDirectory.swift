import Glibc
package import Platform

/// The directory of the sockets of live sessions: `stressmon/live` in `XDG_RUNTIME_DIR`, one `SESSION.sock` per session.
package struct FeedDirectory: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  package init(_ environment: ProcessEnvironment) { self.init(path: environment.runtimeFolder + "/live") }

  static let suffix = ".sock"

  func socket(of session: String) -> String { "\(path)/\(session)\(Self.suffix)" }

  /// Creates the directory with mode 0700, and corrects the mode of an existing one.
  /// - Throws: `notPermitted` for a directory of another user or a symbolic link, which that user could redirect.
  package func prepare() throws(FileError) {
    try Folder.create(path)
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw FileError(errno: errno, path: path) }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
      throw FileError(.notPermitted, path: path)
    }
    if status.st_mode & 0o777 != 0o700, unsafe chmod(path, 0o700) != 0 {
      throw FileError(errno: errno, path: path)
    }
  }

  /// The IDs of the sessions with a socket, in the order of their start.
  package func sessions() -> [String] { Folder.names(in: path).compactMap(Self.session) }

  /// The session of a socket's file name; nil for any other file.
  private static func session(_ name: String) -> String? {
    guard name.hasSuffix(suffix), !name.hasPrefix(".") else { return nil }
    return String(name.dropLast(suffix.count))
  }

  /// Removes the socket of a session whose process has ended.
  func remove(_ session: String) { unsafe unlink(socket(of: session)) }
}
