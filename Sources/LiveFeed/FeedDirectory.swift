import Glibc
package import Platform

/// The directory of the sockets of live sessions: `stressmon/live` in `XDG_RUNTIME_DIR`, one `SESSION.sock` per session.
package struct FeedDirectory: Sendable {
  package let path: String
  /// The environment whose runtime folder contains it. A directory at any other place has none.
  private let environment: ProcessEnvironment?

  package init(path: String) { (self.path, environment) = (path, nil) }

  package init(_ environment: ProcessEnvironment) {
    (path, self.environment) = (environment.runtimeFolder + "/\(Self.name)", environment)
  }

  private static let name = "live"
  static let suffix = ".sock"

  func socket(of session: String) -> String { "\(path)/\(session)\(Self.suffix)" }

  /// Creates the directory with mode 0700, and corrects the mode of an existing one.
  /// - Throws: `notPermitted` for a directory of another user or a symbolic link, which that user could redirect.
  package func prepare() throws(FileError) {
    if let environment {
      _ = try environment.privateFolder(Self.name)
    } else {
      try Folder.createPrivate(path)
    }
  }

  /// The IDs of the sessions with a socket, in the order of their start.
  package func sessions() -> [String] { Folder.names(in: path).compactMap(Self.session) }

  /// The session of a socket, by its file name. Other files are ignored.
  private static func session(_ name: String) -> String? {
    guard name.hasSuffix(suffix), !name.hasPrefix(".") else { return nil }
    return String(name.dropLast(suffix.count))
  }

  /// Removes the socket of a session whose process has ended.
  func remove(_ session: String) { unsafe unlink(socket(of: session)) }
}
