@preconcurrency import Dispatch
import Glibc
import Synchronization

/// Keys as they are pressed; the terminal is as before when it is closed. One at a time.
///
/// It waits for them without a thread of its own and without looking again and again.
final class TerminalKeys: Sendable {
  /// Says that a key was pressed, or that what is shown must be drawn anew: the terminal has another size, or the process
  /// goes on after a stop. For one reader; changes that come close together are one.
  let changes: AsyncStream<Void>

  private let change: AsyncStream<Void>.Continuation
  private let waiting = Mutex<[Character]>([])
  private let decoder = Mutex(KeyDecoder())
  private let sources: [any DispatchSourceRead]
  private static let queue = DispatchQueue(label: "stressmon.keys")

  /// Nil where standard input is no terminal.
  init?() {
    guard RawTerminalMode.enter() else { return nil }
    (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    sources = [STDIN_FILENO, RawTerminalMode.changes.readEnd].map {
      DispatchSource.makeReadSource(fileDescriptor: $0, queue: Self.queue)
    }
    let (input, signals) = (sources[0], sources[1])
    input.setEventHandler { [weak self] in self?.readInput() }
    signals.setEventHandler { [weak self] in self?.readSignals() }
    for source in sources { source.activate() }
  }

  deinit { close() }

  /// Puts the terminal back; once.
  func close() {
    for source in sources { source.cancel() }
    RawTerminalMode.leave()
    change.finish()
  }

  /// What was pressed since it was last asked; does not wait.
  func pressed() -> [Character] {
    waiting.withLock { keys in
      defer { keys = [] }
      return keys
    }
  }

  private func readInput() {
    // In the background, reading would stop the process; and what is typed is for others.
    guard RawTerminalMode.isInForeground else { return lookAgainLater() }
    RawTerminalMode.take()
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return sources[0].cancel() }
    let keys = decoder.withLock { $0.keys(bytes[..<count]) }
    // Nobody types that fast: who does not listen for a while is not overrun.
    waiting.withLock { $0 = Array(($0 + keys).suffix(64)) }
    if !keys.isEmpty { change.yield() }
  }

  private func lookAgainLater() {
    let input = sources[0]
    input.suspend()
    Self.queue.asyncAfter(deadline: .now() + .seconds(1)) { input.resume() }
  }

  private func readSignals() {
    RawTerminalMode.changes.drain()
    change.yield()
  }
}

/// Makes keys of the bytes that a terminal sends: what it sends for arrows and the like is none.
struct KeyDecoder {
  static let escape: Character = "\u{1B}"

  private enum State {
    case plain
    /// After an escape, and within the sequence that it began.
    case escaped, sequence
  }

  private var state = State.plain

  /// The keys in what one read gave. An escape at its end is the key of that name.
  mutating func keys(_ bytes: some Sequence<UInt8>) -> [Character] {
    var keys = bytes.compactMap { key($0) }
    if case .escaped = state {
      keys.append(Self.escape)
      state = .plain
    }
    return keys
  }

  private mutating func key(_ byte: UInt8) -> Character? {
    switch state {
    case .plain where byte == 0x1B: state = .escaped
    case .plain where byte < 0x80: return Character(Unicode.Scalar(byte))
    case .plain: break
    case .escaped: state = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .plain
    case .sequence: if 0x40...0x7E ~= byte { state = .plain }
    }
    return nil
  }
}
