import Glibc
import Platform

/// A local stream socket (AF_UNIX). No operation blocks.
struct LocalSocket: Sendable {
  let descriptor: CInt

  /// The result of sending or receiving.
  enum Transfer: Equatable {
    case bytes(Int)
    case wouldBlock
    case closed
  }

  /// Creates a socket that listens at `path` (mode 0600).
  ///
  /// The socket gets its name after it listens. A refused connection therefore always means that its process has ended.
  static func listening(at path: String, backlog: CInt) throws(FileError) -> LocalSocket {
    let socket = try make(path)
    let temporary = "\(path).\(getpid()).new"
    unsafe unlink(temporary)
    guard let address = SocketAddress(temporary) else { throw socket.failing(ENAMETOOLONG, path) }
    let isBound = unsafe address.withPointer { unsafe bind(socket.descriptor, $0, $1) } == 0
    guard isBound, unsafe chmod(temporary, 0o600) == 0, listen(socket.descriptor, backlog) == 0,
      unsafe rename(temporary, path) == 0
    else {
      let error = errno
      unsafe unlink(temporary)
      throw socket.failing(error, path)
    }
    return socket
  }

  /// - Throws: An error with the number ECONNREFUSED if the process of the socket has ended.
  static func connected(to path: String) throws(FileError) -> LocalSocket {
    let socket = try make(path)
    guard let address = SocketAddress(path) else { throw socket.failing(ENAMETOOLONG, path) }
    guard unsafe address.withPointer({ unsafe connect(socket.descriptor, $0, $1) }) == 0 else {
      throw socket.failing(errno, path)
    }
    return socket
  }

  private static func make(_ path: String) throws(FileError) -> LocalSocket {
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw FileError(errno: errno, path: path) }
    return LocalSocket(descriptor: descriptor)
  }

  private func failing(_ number: CInt, _ path: String) -> FileError {
    close()
    return FileError(errno: number, path: path)
  }

  /// Accepts the next connection, if one is waiting.
  func accept() -> LocalSocket? {
    let accepted = Glibc.accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
    return LocalSocket(descriptor: accepted)
  }

  /// The user ID of the process at the other end, if the kernel provides it.
  var peer: uid_t? {
    // `struct ucred`, which Glibc declares for C only: process, user and group.
    var credentials: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
    var length = socklen_t(MemoryLayout.size(ofValue: credentials))
    let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
    return result == 0 ? credentials.user : nil
  }

  /// Whether the other end closed the connection.
  var isHungUp: Bool {
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&state, 1, 0) > 0
  }

  func send(_ bytes: ArraySlice<UInt8>) -> Transfer {
    let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
    return transfer {
      unsafe bytes.withUnsafeBytes { unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
    }
  }

  /// Appends received bytes to `buffer`.
  func receive(into buffer: inout [UInt8], atMost count: Int) -> Transfer {
    var result = Transfer.closed
    let received = unsafe [UInt8](unsafeUninitializedCapacity: count) { chunk, filled in
      result = transfer { unsafe recv(descriptor, chunk.baseAddress, chunk.count, CInt(MSG_DONTWAIT)) }
      if case .bytes(let count) = result { filled = count }
    }
    buffer += received
    return result == .bytes(0) ? .closed : result
  }

  private func transfer(_ call: () -> Int) -> Transfer {
    while true {
      let count = call()
      if count >= 0 { return .bytes(count) }
      if errno != EINTR { return errno == EAGAIN ? .wouldBlock : .closed }
    }
  }

  func close() { _ = Glibc.close(descriptor) }
}
