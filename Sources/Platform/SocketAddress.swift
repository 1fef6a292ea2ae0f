package import Glibc

/// The address of a local socket: a path, or a name in the abstract namespace after `@`.
package struct SocketAddress: Sendable {
  /// Bytes of `sun_path`. An abstract name begins with 0 and has no terminator.
  private let name: [UInt8]

  /// Fails if the path is relative or longer than `sun_path` (107 bytes).
  package init?(_ text: String) {
    var name = Array(text.utf8)
    let capacity = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
    guard let first = name.first, name.count < capacity else { return nil }
    switch first {
    case UInt8(ascii: "@"): name[0] = 0
    case UInt8(ascii: "/"): name.append(0)
    default: return nil
    }
    self.name = name
  }

  /// Sends a datagram without waiting. Returns false if the socket does not exist or does not accept it.
  package func send(_ datagram: [UInt8]) -> Bool {
    let socket = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return false }
    defer { close(socket) }
    return unsafe withPointer { address, length in
      unsafe sendto(
        socket, datagram, datagram.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT), address, length)
        == datagram.count
    }
  }

  package func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    return unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
    }
  }
}
