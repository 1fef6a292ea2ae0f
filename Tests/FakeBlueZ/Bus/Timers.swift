import Glibc

/// Closures that run at times of CLOCK_MONOTONIC, confined to the thread of their daemon.
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
    // Sorted by time; equal times in the order of their creation.
    waiting.insert(timer, at: waiting.firstIndex { $0.due > due } ?? waiting.endIndex)
    return timer.id
  }

  mutating func cancel(_ id: ID?) { waiting.removeAll { $0.id == id } }

  /// Removes the timers of a daemon that has ended.
  mutating func cancelThoseOfDaemon() { waiting.removeAll { $0.isOfDaemon } }

  /// Removes and returns the first timer that is due.
  mutating func takeDue() -> (() -> Void)? {
    guard let first = waiting.first, first.due <= Self.now else { return nil }
    return waiting.removeFirst().body
  }

  /// Nanoseconds until the next timer; nil without a timer.
  var untilNext: UInt64? {
    guard let due = waiting.first?.due else { return nil }
    let now = Self.now
    return due > now ? due - now : 0
  }
}
