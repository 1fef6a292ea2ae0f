import Glibc
import LiveFeed
import LiveSession
import Platform
import TestSupport

/// A directory for the sockets of one test. The path is short, because the address of a socket has at most 107 bytes.
final class FeedFolder: Sendable {
  let folder: TemporaryFolder
  let directory: FeedDirectory

  init() throws {
    folder = try TemporaryFolder(prefix: "feed")
    directory = FeedDirectory(path: folder.file("live"))
  }

  func writer(_ session: String, profile: String = "me", database: String? = nil) throws -> FeedWriter {
    var hello = FeedHello(
      version: "0.1.0", session: session, profile: profile, started: "2026-11-21T07:30:00Z", isSimulated: true
    )
    hello.database = database
    return try FeedWriter(hello, in: directory)
  }

  func socket(of session: String) -> String { "\(directory.path)/\(session).sock" }
}

extension FeedWriter {
  /// Publishes `{"n":N}` for each number, as a session does: only while there are readers.
  /// - Parameter padding: number of spaces before the line feed.
  func publish(_ numbers: ClosedRange<Int>, padding: Int = 0) {
    let spaces = String(repeating: " ", count: padding)
    for number in numbers {
      publish { stream in
        stream.hello.lines = number
        guard stream.hasReaders else { return }
        let line = Array("{\"n\":\(number)}\(spaces)\n".utf8)
        unsafe line.withUnsafeBytes { unsafe stream.append($0) }
      }
    }
  }
}

extension FeedReader {
  /// The events until `isComplete`, for at most a minute.
  func events(until isComplete: ([FeedEvent]) -> Bool) -> [FeedEvent] {
    var found: [FeedEvent] = []
    let end = SystemClock.boot + 60_000_000_000
    while !isComplete(found), SystemClock.boot < end { found += wait(atMost: 100) }
    return found
  }

  /// Waits until the reader is connected to all of `sessions`.
  func connect(to sessions: Int) {
    let end = SystemClock.boot + 60_000_000_000
    while self.sessions.count < sessions, SystemClock.boot < end { _ = wait(atMost: 100) }
  }
}

extension [FeedEvent] {
  /// The numbers of the received lines of a session.
  func numbers(_ session: String) -> [Int] {
    compactMap { if case .line(let line) = $0, line.session == session { line.number } else { nil } }
  }

  var texts: [String] { compactMap { if case .line(let line) = $0 { line.text } else { nil } } }
  var ends: [FeedEvent.End] { compactMap { if case .ended(_, let end) = $0 { end } else { nil } } }
}

/// A plain connection to a socket, for readers that do not behave like ``FeedReader``.
struct RawConnection: Sendable {
  let descriptor: CInt

  init?(_ path: String) {
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    guard let address = SocketAddress(path) else { return nil }
    let descriptor = descriptor
    guard unsafe address.withPointer({ unsafe connect(descriptor, $0, $1) }) == 0 else { return nil }
  }

  func read(_ count: Int) -> String {
    var buffer = [UInt8](repeating: 0, count: count)
    let received = unsafe recv(descriptor, &buffer, count, 0)
    return String(decoding: buffer.prefix(max(0, received)), as: UTF8.self)
  }

  /// Sends what the other end accepts.
  func write(_ bytes: [UInt8]) {
    _ = unsafe send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
  }

  /// Everything until the other end closes the connection.
  func readAll() -> String {
    var text = ""
    while true {
      let more = read(1 << 16)
      if more.isEmpty { return text }
      text += more
    }
  }

  func end() { close(descriptor) }
}
