import Glibc
import Platform

/// Standard output that never blocks its caller: a paused pager, Ctrl-S or a stalled connection does not delay a recording.
///
/// Output that the reader does not accept immediately is buffered in memory, in order, and retried in the background.
package final class NonblockingOutput: Sendable {
  /// Absent if writing blocks.
  private let descriptor: NonblockingDescriptor?
  private let backlog = Locked(OutputBacklog())

  /// Delay before the next attempt if the reader has accepted nothing.
  private static let retryDelay = Duration.milliseconds(100)

  /// - Parameter blocks: Whether writes wait for the reader, as in a replay; then nothing is buffered.
  package init(blocks: Bool) { descriptor = blocks ? nil : NonblockingDescriptor() }

  deinit { descriptor?.close() }

  /// Writes whole lines.
  ///
  /// - Throws: ``OutputError``.
  package func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try unsafe write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes whole lines.
  ///
  /// - Throws: ``OutputError``.
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard let descriptor else { return try unsafe StandardOutput().write(bytes) }
    let needsRetry = try backlog.withLock { try unsafe $0.write(bytes, to: descriptor) }
    if needsRetry { Task.detached { await self.retry(descriptor) } }
  }

  /// Writes the backlog as the reader accepts it. The next call of ``write(_:)-(String)`` reports a closed pipe.
  private func retry(_ descriptor: NonblockingDescriptor) async {
    var previous = 0
    while let pending = try? backlog.withLock({ try $0.retry(descriptor) }), pending > 0 {
      if pending == previous { try? await Task.sleep(for: Self.retryDelay) }
      previous = pending
    }
  }

  /// Writes `text` and a line feed.
  ///
  /// - Throws: ``OutputError``.
  package func line(_ text: String) throws { try write(text + "\n") }

  /// Whether output is still buffered after another attempt. Redrawn screens then skip a frame.
  ///
  /// - Throws: ``OutputError``.
  package func isBehind() throws -> Bool {
    guard let descriptor else { return false }
    return try backlog.withLock { !(try $0.flush(to: descriptor)) }
  }

  /// Writes the backlog; gives up after five seconds in which the reader accepts nothing.
  ///
  /// - Throws: ``OutputError``, also for output that was dropped.
  package func finish() throws {
    guard let descriptor else { return }
    try backlog.withLock { backlog in
      while !(try backlog.flush(to: descriptor)) {
        if !descriptor.waitUntilWritable() { break }
      }
      if backlog.lostBytes > 0 { throw OutputError.notReadInTime(bytes: backlog.lostBytes) }
    }
  }
}
