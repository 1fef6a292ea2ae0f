import Glibc

/// The next datagram of a socket; empty if the other end is closed, nil after one second.
func readDatagram(_ descriptor: CInt) -> [UInt8]? {
  var waiting = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
  guard poll(&waiting, 1, 1000) > 0 else { return nil }
  var buffer = [UInt8](repeating: 0, count: 512)
  let count = read(descriptor, &buffer, buffer.count)
  return count < 0 ? nil : Array(buffer.prefix(count))
}
