@unsafe @preconcurrency import Dispatch
import Glibc
import Synchronization

/// The keys that are pressed on the terminal. Enters ``RawTerminalMode`` until ``close()``; only one instance can be open.
///
/// Input is read by a dispatch source: no thread waits, and nothing is polled in the foreground.
package final class TerminalKeys: Sendable {
  /// An element after each pressed key, after a change of the terminal size, and after the process continues. For a single
  /// consumer; changes that it has not received yet are merged into one.
  package let changes: AsyncStream<Void>

  private let change: AsyncStream<Void>.Continuation
  private let buffer = Mutex<[Character]>([])
  private let decoder = Mutex(KeyDecoder())
  private let sources: [any DispatchSourceRead]
  private static let queue = DispatchQueue(label: "stressmon.keys")
  /// Keys that are kept until ``pressed()``; older ones are dropped.
  private static let bufferLimit = 64

  /// Nil if standard input is not a terminal.
  package init?() {
    guard RawTerminalMode.enter() else { return nil }
    (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    sources = [STDIN_FILENO, TerminalSignalHandlers.changes.readEnd].map {
      DispatchSource.makeReadSource(fileDescriptor: $0, queue: Self.queue)
    }
    let (input, signals) = (sources[0], sources[1])
    input.setEventHandler { [weak self] in self?.readInput() }
    signals.setEventHandler { [weak self] in self?.readSignals() }
    for source in sources { source.activate() }
  }

  deinit { close() }

  /// Restores the terminal. A second call has no effect.
  package func close() {
    for source in sources { source.cancel() }
    RawTerminalMode.leave()
    change.finish()
  }

  /// Removes and returns the keys that were pressed since the previous call; does not wait.
  package func pressed() -> [Character] {
    buffer.withLock { keys in
      defer { keys = [] }
      return keys
    }
  }

  private func readInput() {
    // Reading in the background would stop the process (SIGTTIN).
    guard RawTerminalMode.isInForeground else { return retryLater() }
    RawTerminalMode.enable()
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return sources[0].cancel() }
    let keys = decoder.withLock { $0.keys(bytes[..<count]) }
    buffer.withLock { $0 = Array(($0 + keys).suffix(Self.bufferLimit)) }
    if !keys.isEmpty { change.yield() }
  }

  /// Input for other programs keeps the source ready: suspends it for a second.
  private func retryLater() {
    let input = sources[0]
    input.suspend()
    Self.queue.asyncAfter(deadline: .now() + .seconds(1)) { input.resume() }
  }

  private func readSignals() {
    TerminalSignalHandlers.changes.drain()
    change.yield()
  }
}
