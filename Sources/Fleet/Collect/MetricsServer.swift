internal import Dispatch
internal import Glibc
internal import Localization

/// Answers HTTP requests on 127.0.0.1 with a text. One connection at a time; a client has one second to send its request.
package final class MetricsServer: Sendable {
  package let port: Int
  private let descriptor: CInt

  /// - Parameter port: 0 selects a free one.
  package init(port: Int, _ text: @escaping @Sendable () -> String) throws(FleetError) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var yes: CInt = 1
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard descriptor >= 0, status else {
      let reason = unsafe String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      throw FleetError(
        .local, Phrase("cannot serve metrics on 127.0.0.1:\(port): \(reason); choose another --metrics PORT"))
    }
    (self.descriptor, self.port) = (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    DispatchQueue(label: "stressmon.metrics").async { Self.serve(descriptor, text) }
  }

  deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

  private static func serve(_ descriptor: CInt, _ text: @Sendable () -> String) {
    while true {
      let client = accept(descriptor, nil, nil)
      if client < 0, errno != EINTR, errno != ECONNABORTED { return }
      if client >= 0 { answer(client, text) }
    }
  }

  private static func answer(_ client: CInt, _ text: () -> String) {
    defer { close(client) }
    var limit = timeval(tv_sec: 1, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      unsafe setsockopt(client, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    var request = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(client, &request, request.count, 0)
    guard count > 0 else { return }
    let isGet = request.starts(with: "GET /metrics".utf8)
    let body = isGet ? text() : "GET /metrics\n"
    let head = """
      HTTP/1.1 \(isGet ? "200 OK" : "404 Not Found")\r
      Content-Type: text/plain; version=0.0.4\r
      Content-Length: \(body.utf8.count)\r
      Connection: close\r
      \r

      """
    let bytes = Array((head + body).utf8)
    _ = unsafe send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}
