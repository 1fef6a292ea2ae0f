import Platform

/// One reader of a session, at the side of the session: its socket and the lines that it has not received yet.
struct FeedClient {
  /// Limit of the queue in bytes: about three minutes of a session, in addition to the buffer of the socket.
  static let queueLimit = 256 << 10
  /// Time in ns that a reader has to receive the reason of its disconnection.
  static let farewell: Int64 = 10_000_000_000

  let socket: LocalSocket
  /// Receives the requests of the reader, if the reader can send any.
  var input: FeedInput?
  private var queue: [UInt8] = []
  /// Number of bytes of the queue that were sent.
  private var sent = 0
  /// The time at which the connection is closed, once the reader receives no more lines.
  private var deadline: Int64?

  init(_ socket: LocalSocket) { self.socket = socket }

  func close() {
    input?.end()
    socket.close()
  }

  var hasPendingBytes: Bool { sent < queue.count }
  var isLeaving: Bool { deadline != nil }

  /// Adds whole lines. If the queue is full, the lines in it are replaced by the reason of the disconnection.
  mutating func append(_ lines: ArraySlice<UInt8>, now: Int64) {
    guard !isLeaving, !lines.isEmpty else { return }
    guard queue.count - sent + lines.count <= Self.queueLimit else { return disconnect(.behind, now: now) }
    queue += lines
  }

  /// Replaces the lines that are not sent by the reason. A line that is sent in part is completed.
  mutating func disconnect(_ reason: FeedDisconnection, now: Int64) {
    deadline = now + Self.farewell
    if sent > 0, queue[sent - 1] != lineFeed {
      let end = queue[sent...].firstIndex(of: lineFeed).map { $0 + 1 } ?? queue.count
      queue.removeSubrange(end...)
    } else {
      queue.removeSubrange(sent...)
    }
    queue += reason.line
  }

  /// Sends what the reader accepts. Returns false once the connection is to be closed.
  mutating func flush(now: Int64) -> Bool {
    while hasPendingBytes {
      switch socket.send(queue[sent...]) {
      case .bytes(let count): sent += count
      case .wouldBlock:
        compact()
        return deadline.map { now < $0 } ?? true
      case .closed: return false
      }
    }
    queue.removeAll(keepingCapacity: queue.capacity < 1 << 14)
    sent = 0
    return !isLeaving
  }

  /// Removes sent lines, except for the beginning of a line that is sent in part.
  private mutating func compact() {
    guard sent > Self.queueLimit / 4, let end = queue[..<sent].lastIndex(of: lineFeed) else { return }
    queue.removeSubrange(...end)
    sent -= end + 1
  }
}

let lineFeed = UInt8(ascii: "\n")
