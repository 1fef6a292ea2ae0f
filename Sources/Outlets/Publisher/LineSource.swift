import Glibc
package import LiveFeed
import LiveSession

/// Reads the lines of `live --json` from a descriptor, such as standard input.
package final class LineSource: FeedSource {
  /// Limit of a line in bytes, far above the longest line of a session.
  private static let longestLine = 1 << 20
  private static let chunk = 1 << 16

  private let descriptor: CInt
  private var buffer: [UInt8] = []
  private var numbers: [String: Int] = [:]
  package private(set) var isAtEnd = false
  /// Number of lines that are not lines of a session.
  package private(set) var invalidLines = 0
  package private(set) var validLines = 0

  package init(descriptor: CInt) { self.descriptor = descriptor }

  package func wait(atMost milliseconds: CInt, watching stop: CInt?) -> [FeedEvent] {
    var states = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    if let stop { states.append(pollfd(fd: stop, events: 0, revents: 0)) }
    guard !isAtEnd, unsafe poll(&states, nfds_t(states.count), milliseconds) > 0, states[0].revents != 0
    else { return [] }
    receive()
    return takeLines()
  }

  private func receive() {
    let received = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunk) { chunk, filled in
      let count = unsafe read(descriptor, chunk.baseAddress, chunk.count)
      filled = max(0, count)
      isAtEnd = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)
    }
    buffer += received
    if isAtEnd, !buffer.isEmpty { buffer.append(UInt8(ascii: "\n")) }
  }

  private func takeLines() -> [FeedEvent] {
    var events: [FeedEvent] = []
    var start = buffer.startIndex
    while let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
      events += self.events(of: Array(buffer[start..<end]))
      start = end + 1
    }
    buffer.removeSubrange(..<start)
    if buffer.count > Self.longestLine { buffer = [] }
    return events
  }

  /// The event of a line, after the beginning of its session.
  private func events(of line: [UInt8]) -> [FeedEvent] {
    guard !line.isEmpty else { return [] }
    guard let content = SessionLine(line) else {
      invalidLines += 1
      return []
    }
    validLines += 1
    let session = content.session ?? ""
    let number = (numbers[session] ?? 0) + 1
    numbers[session] = number
    let event = FeedEvent.line(FeedLine(content, number: number, bytes: line))
    guard number == 1 else { return [event] }
    let hello = FeedHello(
      version: "", session: session, profile: content.profile ?? "", started: content.time ?? "",
      isSimulated: false)
    return [.began(hello), event]
  }
}
