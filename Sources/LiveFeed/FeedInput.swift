import Dispatch
import Glibc
import Platform

/// Receives the lines that one reader sends, on the queue of ``FeedWriter``.
///
/// Uses a second descriptor for the same connection. This allows a reader to close its sending direction and still receive
/// lines.
final class FeedInput: Sendable {
  private let source = Locked<(any DispatchSourceRead)?>(nil)

  /// - Parameter onLine: called with each line on `queue`. After a line that is too long, nothing more is received.
  /// - Returns: `nil` if no descriptor is available; the reader then cannot send requests.
  init?(_ socket: LocalSocket, queue: DispatchQueue, onLine: @escaping @Sendable (ArraySlice<UInt8>) -> Void)
  {
    let descriptor = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { return nil }
    let input = LocalSocket(descriptor: descriptor)
    let reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    // The bytes of a line that has not been received completely.
    let buffer = Locked<[UInt8]>([])
    reading.setEventHandler { [weak self] in
      if !Self.receive(from: input, buffer, onLine) { self?.end() }
    }
    reading.setCancelHandler { input.close() }
    source.withLock { $0 = reading }
    reading.activate()
  }

  deinit { end() }

  func end() {
    source.withLock { source in
      source?.cancel()
      source = nil
    }
  }

  /// Returns false once the other end has closed its direction, or sent a line that is too long.
  private static func receive(
    from socket: LocalSocket, _ buffer: Locked<[UInt8]>, _ onLine: (ArraySlice<UInt8>) -> Void
  ) -> Bool {
    var (lines, isOpen) = ([ArraySlice<UInt8>](), true)
    let isShort = buffer.withLock { bytes in
      if case .closed = socket.receive(into: &bytes, atMost: FeedRequest.longestLine) { isOpen = false }
      if let end = bytes.lastIndex(of: lineFeed) {
        lines = bytes[..<end].split(separator: lineFeed)
        bytes.removeSubrange(...end)
      }
      return bytes.count <= FeedRequest.longestLine
    }
    for line in lines { onLine(line) }
    return isOpen && isShort
  }
}
