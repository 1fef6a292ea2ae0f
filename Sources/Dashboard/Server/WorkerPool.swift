import NIOPosix
import Platform

/// Threads that may wait for the disk or for a lock.
///
/// They are apart from the threads of Swift tasks and of the event loop, so a pool whose threads all wait delays only the
/// requests that need it.
final class WorkerPool: Sendable {
  private let pool: NIOThreadPool
  private let limit: Int
  private let calls = Locked(0)

  /// - Parameter limit: the maximum number of calls that run or wait.
  init(threads: Int, limit: Int) {
    pool = NIOThreadPool(numberOfThreads: threads)
    self.limit = limit
    pool.start()
  }

  deinit { pool.shutdownGracefully { _ in } }

  /// The number of calls that run or wait.
  var count: Int { calls.withLock(\.self) }

  /// Runs a function on one of the threads.
  /// - Throws: ``Problem`` 503 if the limit is reached; errors of `body`.
  func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    guard begins() else {
      throw Problem(
        503, "The server is busy", "Too many requests wait for the history. Try again in a few seconds.",
        retryAfter: 5)
    }
    defer { calls.withLock { $0 -= 1 } }
    return try await pool.runIfActive(body)
  }

  private func begins() -> Bool {
    calls.withLock { calls in
      guard calls < limit else { return false }
      calls += 1
      return true
    }
  }
}
