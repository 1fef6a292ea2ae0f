import Glibc
import Synchronization

/// Standard output of a session that waits for nobody who reads it.
///
/// A stopped pager, Ctrl-S or a dead connection must not keep beats from the disk. What nobody takes yet waits in memory,
/// in order, and is offered again until it is taken.
final class NonblockingOutput: Sendable {
  /// Nil where writing waits.
  private let outlet: Outlet?
  private let backlog = Mutex(OutputBacklog())

  /// - Parameter waits: For sessions that can wait, as a replay can: then nothing has to be kept.
  init(waits: Bool) { outlet = waits ? nil : Outlet() }

  deinit { outlet?.close() }

  /// Writes whole lines.
  ///
  /// - Throws: As ``StandardOutput/write(_:)-(String)`` does.
  func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard let outlet else { return try StandardOutput().write(bytes) }
    let isNewlyBehind = try backlog.withLock { try $0.write(bytes, to: outlet) }
    if isNewlyBehind { Task.detached { await self.offerAgain(to: outlet) } }
  }

  /// Hands over what waits when its reader goes on, also where nothing new comes. That there is no reader any more is for
  /// the next who writes.
  private func offerAgain(to outlet: Outlet) async {
    var before = 0
    while let left = try? backlog.withLock({ try $0.offerAgain(to: outlet) }), left > 0 {
      if left == before { try? await Task.sleep(for: .milliseconds(100)) }
      before = left
    }
  }

  func line(_ text: String) throws { try write(text + "\n") }

  /// Whether something waits for its reader even now: no time to draw another picture.
  func isBehind() throws -> Bool {
    guard let outlet else { return false }
    return try backlog.withLock { !(try $0.flush(to: outlet)) }
  }

  /// Hands over what waits, as long as somebody takes some of it every five seconds.
  ///
  /// - Throws: ``CommandFailure`` that says how much nobody wanted; ``ClosedPipe`` when nobody reads any more.
  func finish() throws {
    guard let outlet else { return }
    try backlog.withLock { backlog in
      while !(try backlog.flush(to: outlet)) {
        if !outlet.waits() { break }
      }
      if let loss = backlog.loss { throw CommandFailure(.failed, loss) }
    }
  }
}

/// What waits for the reader of a descriptor that does not wait.
private struct OutputBacklog: ~Copyable {
  /// Half a day of a session as lines of JSON.
  private static let limit = 32 << 20

  private var bytes: [UInt8] = []
  /// How many of them were taken.
  private var taken = 0
  private var leftOut = 0
  /// Whether somebody sees to it that what waits is offered again.
  private var isOfferedAgain = false

  private var waiting: Int { bytes.count - taken }

  /// What nobody has taken, in words.
  var loss: String? {
    guard waiting + leftOut > 0 else { return nil }
    return "nobody read the output in time: \(waiting + leftOut) bytes of it are left out"
  }

  /// Writes what is taken at once and keeps the rest; true when from now on somebody has to offer it again.
  mutating func write(_ new: UnsafeRawBufferPointer, to outlet: Outlet) throws -> Bool {
    let written = try flush(to: outlet) ? try outlet.offer(new) : 0
    let rest = new[written...]
    // Whole lines only: the rest of one that was begun has to follow.
    if written > 0 || waiting + rest.count <= Self.limit { bytes += rest } else { leftOut += rest.count }
    defer { isOfferedAgain = isOfferedAgain || waiting > 0 }
    return waiting > 0 && !isOfferedAgain
  }

  /// Offers what waits, and says how much is left of it.
  mutating func offerAgain(to outlet: Outlet) throws -> Int {
    isOfferedAgain = try !flush(to: outlet)
    return waiting
  }

  /// Offers what waits; true when all of it was taken.
  mutating func flush(to outlet: Outlet) throws -> Bool {
    guard waiting > 0 else { return true }
    taken += try bytes.withUnsafeBytes {
      try outlet.offer(UnsafeRawBufferPointer(rebasing: $0[taken...]))
    }
    guard waiting == 0 else {
      if taken > Self.limit / 2 {
        bytes.removeFirst(taken)
        taken = 0
      }
      return false
    }
    (bytes, taken) = ([], 0)
    return true
  }
}

/// Standard output as something that does not wait.
private struct Outlet {
  private let descriptor: CInt
  private let isSocket: Bool

  /// Nil for a file, which never waits, and for what cannot be opened again.
  ///
  /// A pipe or a terminal is opened once more: O_NONBLOCK on the descriptor that we were given would hold for every
  /// program that has it too. A file that is opened again would be written from its beginning.
  init?() {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0 else { return nil }
    let kind = status.st_mode & S_IFMT
    isSocket = kind == S_IFSOCK
    if isSocket {
      descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    } else if kind == S_IFIFO || (kind == S_IFCHR && isatty(STDOUT_FILENO) == 1) {
      descriptor = open("/proc/self/fd/\(STDOUT_FILENO)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    } else {
      return nil
    }
    if descriptor < 0 { return nil }
  }

  func close() { _ = Glibc.close(descriptor) }

  /// Writes as much as is taken at once, and says how much that was.
  func offer(_ bytes: UnsafeRawBufferPointer) throws -> Int {
    var offered = 0
    while offered < bytes.count {
      let written = write(UnsafeRawBufferPointer(rebasing: bytes[offered...]))
      if written >= 0 {
        offered += written
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        throw StandardOutput.failure(errno)
      }
    }
    return offered
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    isSocket
      ? send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
      : Glibc.write(descriptor, bytes.baseAddress, bytes.count)
  }

  /// Waits until more is taken; false when five seconds pass without.
  func waits() -> Bool {
    var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&writable, 1, 5000) != 0
  }
}
