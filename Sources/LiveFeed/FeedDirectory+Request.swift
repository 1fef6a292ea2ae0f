import Glibc
package import Platform

extension FeedDirectory {
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
