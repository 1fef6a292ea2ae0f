internal import Dispatch
internal import Synchronization

/// Buffered data that a ``BackgroundCommitter`` makes durable.
package protocol BackgroundCommitted: AnyObject, Sendable {
  /// Makes the buffered data durable. Returns false on failure; the data then stay in the buffer.
  func commit() -> Bool
}

/// Commits buffered data on a serial background queue: some time after the first request, and every second while commits
/// fail.
///
/// Requests never wait for the disk. Dispatch blocks signals on its threads, so exceeding the file size limit makes a write
/// fail instead of ending the process with SIGXFSZ. Commits therefore never run on the thread of the caller.
package final class BackgroundCommitter: Sendable {
  private static let retryDelay = DispatchTimeInterval.seconds(1)

  private let queue: DispatchQueue
  private let delay: DispatchTimeInterval
  private let isScheduled = Atomic(false)

  /// - Parameter milliseconds: delay from the first request to the commit. The timer has a tolerance of a tenth.
  package init(label: String, delay milliseconds: Int) {
    queue = DispatchQueue(label: label)
    delay = .milliseconds(milliseconds)
  }

  /// Schedules a commit of `data` unless one is scheduled already.
  package func request(_ data: some BackgroundCommitted) { schedule(data, after: delay) }

  /// Runs `body` on the queue as soon as a running commit has ended.
  package func perform(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// Runs `body` on the queue and waits for its end. Must not be called on the queue.
  package func performAndWait(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    queue.async {
      body()
      done.signal()
    }
    done.wait()
  }

  private func schedule(_ data: some BackgroundCommitted, after delay: DispatchTimeInterval) {
    guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.asyncAfter(deadline: .now() + delay) { [self] in
      // Reset before the commit, so that data appended during the commit schedule the next one.
      isScheduled.store(false, ordering: .releasing)
      if !data.commit() { schedule(data, after: Self.retryDelay) }
    }
  }
}
