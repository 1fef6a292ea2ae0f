import Dispatch
import Glibc
package import LiveSession
package import Platform

/// Publishes the lines of a live session to up to 64 readers on a local socket.
///
/// A reader can send requests, whose answers only it receives.
///
/// ``publish(_:)`` appends to a buffer and never waits for a reader: a background queue accepts connections and sends. A
/// reader whose queue is full receives the reason and is disconnected.
package final class FeedWriter: Sendable {
  package static let maximumReaders = 64
  /// Time between attempts to send to a reader that accepts nothing, in ms.
  private static let retryDelay = 50
  /// Time for which ``finish()`` waits for readers, in ns.
  private static let lingering: Int64 = 500_000_000

  /// The part that the thread of the session and the queue share.
  package struct Stream {
    /// The state that the next reader receives.
    package var hello: FeedHello
    fileprivate var readers = 0
    fileprivate var pending: [UInt8] = []
    fileprivate var isScheduled = false

    /// Whether lines have to be encoded.
    package var hasReaders: Bool { readers > 0 }

    /// Adds whole lines for the connected readers.
    package mutating func append(_ lines: UnsafeRawBufferPointer) { unsafe pending += lines }
  }

  private let stream: Locked<Stream>
  /// Accessed on the queue only.
  private let clients = Locked<[FeedClient]>([])
  /// Whether another attempt to send is scheduled. Accessed on the queue only.
  private let isRetrying = Locked(false)
  private let queue = DispatchQueue(label: "stressmon.feed")
  private let listener: LocalSocket
  private let directory: FeedDirectory
  private let session: String
  private let source: Locked<(any DispatchSourceRead)?>
  /// Answers the requests of readers, if the session accepts requests.
  private let answer: (@Sendable (FeedRequest) -> FeedReply)?

  /// Listens for readers of the session that `hello` describes.
  /// - Parameter answer: answers a request of a reader; called on the queue, so it must be short.
  /// - Throws: `FileError` if the socket cannot be created. A session then runs without a feed.
  package init(
    _ hello: FeedHello, in directory: FeedDirectory,
    answer: (@Sendable (FeedRequest) -> FeedReply)? = nil
  ) throws(FileError) {
    try directory.prepare()
    listener = try LocalSocket.listening(at: directory.socket(of: hello.session), backlog: 64)
    stream = Locked(Stream(hello: hello))
    (self.directory, session, self.answer) = (directory, hello.session, answer)
    let accepting = DispatchSource.makeReadSource(fileDescriptor: listener.descriptor, queue: queue)
    source = Locked(accepting)
    accepting.setEventHandler { [weak self] in self?.accept() }
    accepting.activate()
  }

  /// Calls `body` to add the lines of an update and to update the state for the next reader. Without readers, the lines need
  /// not be encoded. Never waits for a reader.
  package func publish(_ body: (inout Stream) -> Void) {
    let needsSending = stream.withLock { stream in
      body(&stream)
      guard !stream.pending.isEmpty, !stream.isScheduled else { return false }
      stream.isScheduled = true
      return true
    }
    if needsSending { queue.async { [self] in send() } }
  }

  /// Sends the last lines, for up to half a second, and removes the socket.
  package func finish() {
    queue.sync {
      source.withLock { source in
        source?.cancel()
        source = nil
      }
      directory.remove(session)
      let end = SystemClock.boot + Self.lingering
      deliver()
      while clients.withLock({ $0.contains(where: \.hasPendingBytes) }), SystemClock.boot < end {
        usleep(5000)
        deliver()
      }
      clients.withLock { clients in
        for client in clients { client.close() }
        clients = []
      }
      listener.close()
    }
  }
}

// MARK: Background queue

extension FeedWriter {
  /// Connects the waiting readers. A reader of another user is disconnected without a line.
  private func accept() {
    while let socket = listener.accept() {
      guard socket.peer == geteuid() else {
        socket.close()
        continue
      }
      connect(FeedClient(socket))
    }
  }

  /// Adds a reader between two lines: those before are counted by its hello, those after are sent to it.
  private func connect(_ client: FeedClient) {
    removeClosed()
    var client = client
    let isFull = clients.withLock { $0.count >= Self.maximumReaders }
    let (earlier, hello) = stream.withLock { stream in
      if !isFull { stream.readers += 1 }
      defer { stream.pending.removeAll(keepingCapacity: true) }
      return (stream.pending, stream.hello)
    }
    distribute(earlier)
    client.append(hello.line[...], now: SystemClock.boot)
    if isFull { client.disconnect(.tooManyReaders, now: SystemClock.boot) }
    if client.flush(now: SystemClock.boot), !isFull {
      client.input = input(of: client)
      clients.withLock { $0.append(client) }
    } else {
      client.socket.close()
      if !isFull { stream.withLock { $0.readers -= 1 } }
    }
    retryIfPending()
  }

  private func input(of client: FeedClient) -> FeedInput? {
    let descriptor = client.socket.descriptor
    return FeedInput(client.socket, queue: queue) { [weak self] line in
      guard let self, let request = FeedRequest(line) else { return }
      reply(answer?(request) ?? .refused("the session answers no requests"), to: descriptor)
    }
  }

  private func reply(_ reply: FeedReply, to descriptor: CInt) {
    clients.withLock { clients in
      guard let index = clients.firstIndex(where: { $0.socket.descriptor == descriptor }) else { return }
      clients[index].append(reply.line[...], now: SystemClock.boot)
    }
    send()
  }

  private func send() {
    deliver()
    retryIfPending()
  }

  private func deliver() {
    let lines = stream.withLock { stream in
      stream.isScheduled = false
      defer { stream.pending.removeAll(keepingCapacity: stream.pending.capacity < 1 << 16) }
      return stream.pending
    }
    distribute(lines)
  }

  /// Sends lines to every reader, and removes the readers that are gone.
  private func distribute(_ lines: [UInt8]) {
    let now = SystemClock.boot
    remove { client in
      client.append(lines[...], now: now)
      return !client.flush(now: now)
    }
  }

  /// Removes readers that closed their connection while the session produced no lines.
  private func removeClosed() { remove { $0.socket.isHungUp } }

  private func remove(_ isGone: (inout FeedClient) -> Bool) {
    let gone = clients.withLock { clients in
      let before = clients.count
      for index in clients.indices.reversed() where isGone(&clients[index]) {
        clients.remove(at: index).close()
      }
      return before - clients.count
    }
    if gone > 0 { stream.withLock { $0.readers -= gone } }
  }

  /// Sends again later to readers that do not accept all lines.
  private func retryIfPending() {
    guard clients.withLock({ $0.contains(where: \.hasPendingBytes) }),
      isRetrying.withLock({ isRetrying in
        defer { isRetrying = true }
        return !isRetrying
      })
    else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.retryDelay)) { [weak self] in
      self?.isRetrying.withLock { $0 = false }
      self?.send()
    }
  }
}
