import Glibc
import Localization

/// Sends each message as one UDP datagram.
package final class DatagramTransport: OutletTransport {
  private let host: String
  private let port: Int
  private var descriptor: CInt = -1

  package init(host: String, port: Int) { (self.host, self.port) = (host, port) }

  deinit { close() }

  package func open() throws(OutletError) -> Bool {
    close()
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = CInt(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let result = unsafe getaddrinfo(host, "\(port)", &hints, &found)
    guard result == 0, let address = unsafe found?.pointee else {
      let reason = unsafe String(cString: gai_strerror(result))
      throw OutletError(Phrase("cannot look up the host \(host): \(reason); check its name"))
    }
    defer { unsafe freeaddrinfo(found) }
    let type = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    descriptor = unsafe socket(address.ai_family, type, 0)
    guard descriptor >= 0, unsafe connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
      throw failure(errno)
    }
    return true
  }

  package func send(_ message: [UInt8]) throws(OutletError) -> Delivery {
    let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
    guard unsafe Glibc.send(descriptor, message, message.count, flags) < 0 else { return .delivered }
    let error = errno
    // The answer to an earlier datagram: no program listens at the port at the moment. The buffer may also be full.
    let isTemporary = error == ECONNREFUSED || error == EAGAIN || error == ENOBUFS
    guard isTemporary else { throw failure(error) }
    return .dropped(failure(error))
  }

  package func close() {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    descriptor = -1
  }

  private func failure(_ number: CInt) -> OutletError {
    let reason = unsafe String(cString: strerror(number))
    let failure = Phrase("cannot send to \(host) port \(port): \(reason)")
    guard number == ECONNREFUSED else { return OutletError(failure) }
    return OutletError(Phrase("\(failure); start the program that receives OSC, and enable OSC in it"))
  }
}
