import Glibc
import Platform
import Synchronization

/// The signal handlers that are installed while ``RawTerminalMode`` is entered.
///
/// | signal | handler |
/// |---|---|
/// | SIGTSTP | restores the terminal, stops the process, enables raw mode again |
/// | SIGCONT | enables raw mode and notifies ``changes`` |
/// | SIGWINCH | notifies ``changes`` |
/// | fatal signals | restore the terminal and repeat the signal with its previous action |
/// | SIGINT, after ``endOnInterrupt()`` | restores the terminal and ends the process |
///
/// Handlers call only async-signal-safe functions (signal-safety(7)). They use atomics and storage that ``install()``
/// initialises before it installs them.
package enum TerminalSignalHandlers {
  /// Receives a byte when the terminal changes its size or the process continues after a stop.
  static let changes = WakeUpPipe()

  private static let continuations = Atomic<Int>(0)

  // nonisolated(unsafe): an element is written before its bit in `replaced` is set, and read only while the bit is set.
  // Only the thread that enters or leaves raw mode writes.
  private nonisolated(unsafe) static let previousActions: UnsafeMutablePointer<sigaction> = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: UInt64.bitWidth)
    unsafe actions.initialize(repeating: sigaction(), count: UInt64.bitWidth)
    return unsafe actions
  }()

  /// The signals with a replaced action: bit n for signal n.
  private static let replaced = Atomic<UInt64>(0)

  /// The signals that end the process with a core dump by default.
  private static let fatalSignals = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGSYS, SIGTRAP]

  /// How often the process continued after a stop. Drawn text is then above the output of other programs.
  static var timesContinued: Int { continuations.load(ordering: .relaxed) }

  /// Installs the handlers. Returns false if ``changes`` could not be created.
  static func install() -> Bool {
    guard changes.isOpen else { return false }
    // Static properties are initialised on first use, which must not be in a handler.
    _ = timesContinued
    handle(SIGTSTP) { _ in TerminalSignalHandlers.suspend() }
    handle(SIGCONT) { _ in TerminalSignalHandlers.resume() }
    handle(SIGWINCH) { _ in TerminalSignalHandlers.changes.notify() }
    for signal in fatalSignals { handle(signal) { TerminalSignalHandlers.crash($0) } }
    return true
  }

  /// SIGINT from now on ends the process immediately, after restoring the terminal.
  package static func endOnInterrupt() { handle(SIGINT) { TerminalSignalHandlers.end($0) } }

  /// Restores the actions that the handlers replaced.
  static func restorePrevious() {
    for signal in 1..<CInt(UInt64.bitWidth) where isReplaced(signal) {
      unsafe sigaction(signal, &previousActions[Int(signal)], nil)
    }
    replaced.store(0, ordering: .releasing)
  }

  private static func handle(_ signal: CInt, _ handler: @escaping @convention(c) (CInt) -> Void) {
    if !isReplaced(signal) {
      unsafe sigaction(signal, nil, &previousActions[Int(signal)])
      replaced.bitwiseOr(1 << UInt64(signal), ordering: .acquiringAndReleasing)
    }
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = handler
    // SA_ONSTACK: uses the alternate stack if one exists, because the normal stack can be exhausted.
    action.sa_flags = SA_RESTART | SA_ONSTACK
    unsafe sigaction(signal, &action, nil)
  }

  private static func isReplaced(_ signal: CInt) -> Bool {
    replaced.load(ordering: .acquiring) & (1 << UInt64(signal)) != 0
  }

  // MARK: Called in signal handlers

  private static func suspend() {
    let saved = errno
    RawTerminalMode.restore()
    stopProcess()
    RawTerminalMode.enable()
    errno = saved
  }

  /// Stops the process as SIGTSTP does by default. Returns when the process continues.
  private static func stopProcess() {
    var handler = sigaction()
    unsafe sigaction(SIGTSTP, nil, &handler)
    signal(SIGTSTP, SIG_DFL)
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    unsafe sigaddset(&mask, SIGTSTP)
    raise(SIGTSTP)
    // The signal is blocked in its own handler, and therefore delivered here.
    unsafe pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    unsafe sigaction(SIGTSTP, &handler, nil)
  }

  private static func resume() {
    let saved = errno
    continuations.add(1, ordering: .relaxed)
    RawTerminalMode.enable()
    changes.notify()
    errno = saved
  }

  /// Repeats the signal with its previous action. The exit status is then that of a process without handlers.
  private static func crash(_ signal: CInt) {
    RawTerminalMode.restore()
    if isReplaced(signal) { unsafe sigaction(signal, &previousActions[Int(signal)], nil) }
    raise(signal)
  }

  private static func end(_ signal: CInt) {
    RawTerminalMode.restore()
    Glibc.signal(signal, SIG_DFL)
    raise(signal)
  }
}
