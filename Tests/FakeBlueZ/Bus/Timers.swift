import Glibc

/// Closures to be run at moments of CLOCK_MONOTONIC, confined to the thread of their daemon.
struct Timers {
  struct ID: Hashable { fileprivate let number: Int }

  private struct Timer {
    let id: ID
    let due: UInt64
    let isOfDaemon: Bool
    let body: () -> Void
  }

  private var waiting: [Timer] = []
  private var last = 0

  /// Nanoseconds of CLOCK_MONOTONIC.
  static var now: UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }

  @discardableResult
  mutating func after(seconds: Double, ofDaemon: Bool, _ body: @escaping () -> Void) -> ID {
    at(Self.now + UInt64(max(0, seconds) * 1e9), ofDaemon: ofDaemon, body)
  }

  @discardableResult
  mutating func at(_ due: UInt64, ofDaemon: Bool = false, _ body: @escaping () -> Void) -> ID {
    last += 1
    let timer = Timer(id: ID(number: last), due: due, isOfDaemon: ofDaemon, body: body)
    // Sorted, and equal moments in the order in which they were asked for.
    waiting.insert(timer, at: waiting.firstIndex { $0.due > due } ?? waiting.endIndex)
    return timer.id
  }

  mutating func cancel(_ id: ID?) { waiting.removeAll { $0.id == id } }

  /// Forgets what a daemon that ended had in mind.
  mutating func cancelThoseOfDaemon() { waiting.removeAll { $0.isOfDaemon } }

  /// The first that is due, taken out.
  mutating func takeDue() -> (() -> Void)? {
    guard let first = waiting.first, first.due <= Self.now else { return nil }
    return waiting.removeFirst().body
  }

  /// Nanoseconds until the next one; nil without any.
  var untilNext: UInt64? {
    guard let due = waiting.first?.due else { return nil }
    let now = Self.now
    return due > now ? due - now : 0
  }
}
