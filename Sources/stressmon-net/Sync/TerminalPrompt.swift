import Glibc
import Synchronization

/// Asks questions on the terminal, also if the standard streams are redirected.
///
/// While a secret is typed, the terminal does not echo. A signal that would end or stop the process restores it first.
struct TerminalPrompt: ~Copyable {
  private let terminal: CInt

  /// The signal that arrived while the terminal does not echo; 0 without one.
  private static let received = Atomic<CInt>(0)
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

  /// Opens the terminal of the process. Fails if it has none.
  init?() {
    terminal = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    if terminal < 0 { return nil }
  }

  deinit { close(terminal) }

  /// Writes lines to the terminal.
  func show(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(terminal, $0.baseAddress, $0.count) }
  }

  /// Reads a line, without its line feed. Returns `nil` at the end of the input.
  func line(_ question: String) -> String? {
    show(question)
    return readLine { _ in }
  }

  /// A line that is not echoed.
  func secret(_ question: String) -> String? {
    show(question)
    var original = termios()
    guard unsafe tcgetattr(terminal, &original) == 0 else { return readLine { _ in } }
    let actions = Self.replaceActions()
    setEcho(false, original)
    let text = readLine { signal in
      setEcho(true, original)
      Self.restore(actions)
      Self.deliver(signal)
      // The process was stopped and continues.
      Self.replaceActions()
      setEcho(false, original)
      show("\n" + question)
    }
    setEcho(true, original)
    Self.restore(actions)
    return text
  }

  /// Ends or stops the process. The threads of the concurrency runtime block signals.
  private static func deliver(_ signal: CInt) {
    var (own, previous) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&own)
    unsafe sigaddset(&own, signal)
    unsafe pthread_sigmask(SIG_UNBLOCK, &own, &previous)
    raise(signal)
    unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
  }

  private func setEcho(_ isOn: Bool, _ original: termios) {
    var attributes = original
    if !isOn {
      attributes.c_lflag &= ~tcflag_t(ECHO)
      // The line feed of Enter.
      attributes.c_lflag |= tcflag_t(ECHONL)
    }
    unsafe tcsetattr(terminal, isOn ? TCSADRAIN : TCSAFLUSH, &attributes)
  }

  /// - Parameter interrupted: Called with a signal that arrived.
  private func readLine(interrupted: (CInt) -> Void) -> String? {
    while true {
      var request = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      // A signal may arrive just before `poll`, or on another thread.
      let isReady = unsafe poll(&request, 1, 100) > 0
      let signal = Self.received.exchange(0, ordering: .acquiringAndReleasing)
      if signal != 0 { interrupted(signal) }
      if isReady { return readReadyLine() }
    }
  }

  private func readReadyLine() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(terminal, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  @discardableResult
  private static func replaceActions() -> [sigaction] {
    received.store(0, ordering: .releasing)
    return signals.map { signal in
      var (action, previous) = (sigaction(), sigaction())
      unsafe action.__sigaction_handler.sa_handler = {
        TerminalPrompt.received.store($0, ordering: .releasing)
      }
      unsafe sigaction(signal, &action, &previous)
      return previous
    }
  }

  private static func restore(_ actions: [sigaction]) {
    for (signal, action) in zip(signals, actions) {
      var action = action
      unsafe sigaction(signal, &action, nil)
    }
  }
}
