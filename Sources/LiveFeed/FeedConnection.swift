import Glibc
import JSONLines
import LiveSession

/// One connection of a reader to a session: splits the received bytes into lines.
struct FeedConnection {
  /// Limit of a line in bytes, far above the longest line of a session.
  static let longestLine = 1 << 20
  private static let chunk = 1 << 16

  let socket: LocalSocket
  let session: String
  private(set) var hello: FeedHello?
  /// Number of lines of the session up to the latest received one.
  private var number = 0
  private var buffer: [UInt8] = []
  private var hasEndLine = false
  private var disconnection: FeedDisconnection?

  init(_ socket: LocalSocket, session: String) { (self.socket, self.session) = (socket, session) }

  /// Receives what has arrived. Returns false once the connection has ended; the last event is then its end.
  mutating func receive(_ events: inout [FeedEvent]) -> Bool {
    var isOpen = true
    switch socket.receive(into: &buffer, atMost: Self.chunk) {
    case .bytes, .wouldBlock: break
    case .closed: isOpen = false
    }
    let isValid = takeLines(&events)
    if isOpen, isValid, buffer.count <= Self.longestLine { return true }
    events.append(.ended(session: session, reason))
    return false
  }

  private var reason: FeedEvent.End {
    if let disconnection { return .disconnected(disconnection) }
    return hasEndLine ? .finished : .lost
  }

  /// Returns false if the other end does not send a feed.
  private mutating func takeLines(_ events: inout [FeedEvent]) -> Bool {
    var start = buffer.startIndex
    defer { buffer.removeSubrange(..<start) }
    while let end = buffer[start...].firstIndex(of: lineFeed) {
      let line = Array(buffer[start..<end])
      start = end + 1
      guard take(line, &events) else { return false }
    }
    return true
  }

  private mutating func take(_ line: [UInt8], _ events: inout [FeedEvent]) -> Bool {
    if hello == nil || line.starts(with: Self.disconnectPrefix) {
      guard let object = try? JSONObject(line) else { return false }
      if let disconnection = FeedDisconnection(object) {
        self.disconnection = disconnection
        return true
      }
      guard hello == nil, let hello = FeedHello(object), hello.session == session else { return false }
      (self.hello, number) = (hello, hello.lines)
      events.append(.began(hello))
      return true
    }
    number += 1
    hasEndLine = line.starts(with: SessionLine.endPrefix)
    events.append(.line(FeedLine(session: session, number: number, bytes: line)))
    return true
  }

  private static let disconnectPrefix = Array("{\"type\":\"\(FeedDisconnection.type)\"".utf8)
}
