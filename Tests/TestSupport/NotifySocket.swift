import Glibc

/// The receiving socket of a service manager for sd_notify(3). Not thread-safe.
package final class NotifySocket {
  package enum Kind: Sendable, CaseIterable {
    case path
    /// A name in the abstract namespace.
    case abstract
  }

  /// The value of NOTIFY_SOCKET.
  package let address: String
  private let descriptor: CInt
  private let folder: TemporaryFolder

  /// Creates and binds the socket.
  /// - Throws: ``SystemCallError``.
  package init(_ kind: Kind = .path) throws(SystemCallError) {
    folder = try TemporaryFolder(prefix: "notify")
    address = kind == .path ? folder.file("socket") : "@" + folder.file("socket")
    descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SystemCallError("socket") }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(address.utf8)
    if kind == .abstract { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let result = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    guard result == 0 else { throw SystemCallError("bind \(address)") }
  }

  deinit { close(descriptor) }

  /// Returns the next message; nil if none arrives within `seconds`.
  package func next(seconds: Double) -> String? {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, CInt(seconds * 1000)) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// Receives messages until one satisfies `predicate` and returns it; nil after `seconds`.
  package func wait(seconds: Double = Program.patience, for predicate: (String) -> Bool) -> String? {
    let deadline = monotonicSeconds() + seconds
    while monotonicSeconds() < deadline {
      if let message = next(seconds: 0.1), predicate(message) { return message }
    }
    return nil
  }

  /// Returns all messages received so far.
  @discardableResult
  package func drain() -> [String] {
    var messages: [String] = []
    while let message = next(seconds: 0) { messages.append(message) }
    return messages
  }
}
