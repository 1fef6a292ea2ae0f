import Glibc
import Platform

/// A TCP connection for one request. Operations block up to a timeout.
struct HTTPSocket {
  private let descriptor: CInt
  private let name: String

  /// - Parameter timeout: limit of each operation in s.
  init(host: String, port: Int, timeout: Int) throws(FileError) {
    name = "\(host):\(port)"
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "\(port)", &hints, &found) == 0, let first = unsafe found else {
      throw FileError(errno: EHOSTUNREACH, path: name)
    }
    defer { unsafe freeaddrinfo(first) }
    var last = ECONNREFUSED
    var next: UnsafeMutablePointer<addrinfo>? = unsafe first
    while let address = unsafe next {
      let descriptor = unsafe Self.connected(address.pointee, timeout)
      if descriptor >= 0 {
        self.descriptor = descriptor
        return
      }
      last = errno
      unsafe next = address.pointee.ai_next
    }
    throw FileError(errno: last, path: name)
  }

  /// The descriptor, or -1 and `errno`.
  private static func connected(_ address: addrinfo, _ timeout: Int) -> CInt {
    let descriptor = unsafe socket(address.ai_family, address.ai_socktype | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return -1 }
    var limit = timeval(tv_sec: timeout, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      unsafe setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    guard unsafe connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 else { return descriptor }
    let number = errno == EINPROGRESS ? ETIMEDOUT : errno
    _ = Glibc.close(descriptor)
    errno = number
    return -1
  }

  func close() { _ = Glibc.close(descriptor) }

  /// Sends a request, and returns the status line of the answer.
  func exchange(_ request: [UInt8]) throws(FileError) -> String {
    var rest = request[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw failure }
      rest = rest.dropFirst(count)
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1024)
    while !answer.contains(UInt8(ascii: "\n")), answer.count < 8192 {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw count == 0 ? FileError(errno: ECONNRESET, path: name) : failure }
      answer += buffer.prefix(count)
    }
    return String(
      decoding: answer.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  private var failure: FileError { FileError(errno: errno == EAGAIN ? ETIMEDOUT : errno, path: name) }
}
