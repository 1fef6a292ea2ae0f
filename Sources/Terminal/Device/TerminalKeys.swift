@unsafe @preconcurrency import Dispatch
import Glibc
import Platform
import Synchronization

/// The keys that are pressed on the terminal. Enters ``RawTerminalMode`` until ``close()``; only one instance can be open.
///
/// Input is read by a dispatch source: no thread waits, and nothing is polled in the foreground.
package final class TerminalKeys: Sendable {
  private let changed = ChangeSignal()
  private let buffer = Locked<[Character]>([])
  private let decoder = Locked(KeyDecoder())
  private let sources: [any DispatchSourceRead]
  private let isClosed = Atomic(false)
  private static let queue = DispatchQueue(label: "stressmon.keys")
  /// Keys that are kept until ``pressed()``; older ones are dropped.
  private static let bufferLimit = 64

  /// Fails if standard input is not a terminal.
  package init?() {
    guard RawTerminalMode.enter() else { return nil }
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
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    for source in sources { source.cancel() }
    RawTerminalMode.leave()
    changed.finish()
  }

  /// Yields immediately, and after each pressed key, each change of the terminal size, and each time the process continues,
  /// until ``close()``. Changes that were not received yet are merged into one.
  package func changes() -> AsyncStream<Void> { changed.changes(yieldsImmediately: true) }

  /// Removes and returns the keys that were pressed since the previous call; does not wait.
  package func pressed() -> [Character] {
    buffer.withLock { keys in
      defer { keys = [] }
      return keys
    }
  }

  /// Adds a key as if it was pressed.
  package func press(_ key: Character) {
    buffer.withLock { $0 = Array(($0 + [key]).suffix(Self.bufferLimit)) }
    changed.notify()
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
    if !keys.isEmpty { changed.notify() }
  }

  /// Input for other programs keeps the source ready: suspends it for a second.
  private func retryLater() {
    let input = sources[0]
    input.suspend()
    Self.queue.asyncAfter(deadline: .now() + .seconds(1)) { input.resume() }
  }

  private func readSignals() {
    TerminalSignalHandlers.changes.drain()
    changed.notify()
  }
}

/// Decodes the bytes that a terminal sends into keys. Escape sequences, which arrow and function keys send, and non-ASCII
/// characters are ignored.
struct KeyDecoder {
  private enum State {
    case plain
    /// After ESC.
    case escape
    /// After ESC [ or ESC O, until the final byte.
    case sequence
  }

  private static let escape: Character = "\u{1B}"
  private var state = State.plain

  /// Decodes the result of one read. ESC as the last byte is the Escape key; other sequences may continue in the next read.
  mutating func keys(_ bytes: some Sequence<UInt8>) -> [Character] {
    var keys = bytes.compactMap { key($0) }
    if case .escape = state {
      keys.append(Self.escape)
      state = .plain
    }
    return keys
  }

  private mutating func key(_ byte: UInt8) -> Character? {
    switch state {
    case .plain where byte == 0x1B: state = .escape
    case .plain where byte < 0x80: return Character(Unicode.Scalar(byte))
    case .plain: break
    case .escape: state = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .plain
    case .sequence: if 0x40...0x7E ~= byte { state = .plain }
    }
    return nil
  }
}
