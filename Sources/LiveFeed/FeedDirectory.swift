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

extension FeedDirectory {
  /// Sends a request to live sessions, one after the other. Sessions whose process has ended, and left its socket, have no answer.
  package func send(_ request: FeedRequest, toEach sessions: [String]) -> [(
    session: String, reply: FeedReply
  )] {
    sessions.compactMap { session in
      do throws(FileError) {
        return (session, try send(request, to: session))
      } catch {
        let hasEnded = error.errno == ECONNREFUSED || error.code == .notFound
        return hasEnded ? nil : (session, .refused("\(error)"))
      }
    }
  }

  /// Sends a request to a live session, and waits for its answer.
  /// - Parameter milliseconds: the longest wait.
  /// - Throws: `FileError` if the session does not run, or does not answer in time (ETIMEDOUT).
  package func send(
    _ request: FeedRequest, to session: String, waiting milliseconds: Int = 3000
  ) throws(FileError) -> FeedReply {
    let path = socket(of: session)
    let socket = try LocalSocket.connected(to: path)
    defer { socket.close() }
    guard socket.peer == geteuid() else { throw FileError(.notPermitted, path: path) }
    // A new connection has space for the line.
    guard socket.send(request.line[...]) == .bytes(request.line.count) else {
      throw FileError(errno: EPIPE, path: path)
    }
    let deadline = SystemClock.boot + Int64(milliseconds) * 1_000_000
    var buffer: [UInt8] = []
    while true {
      if let reply = buffer.split(separator: lineFeed).lazy.compactMap({ FeedReply($0) }).first {
        return reply
      }
      let left = (deadline - SystemClock.boot) / 1_000_000
      guard left > 0, buffer.count <= FeedConnection.longestLine else {
        throw FileError(errno: ETIMEDOUT, path: path)
      }
      var state = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&state, 1, CInt(clamping: left)) > 0 else { continue }
      if socket.receive(into: &buffer, atMost: 1 << 16) == .closed {
        throw FileError(errno: EPIPE, path: path)
      }
    }
  }
}
