import Glibc
import Synchronization

/// The mode in which the terminal hands over keys as they are pressed, without Enter and without showing them.
///
/// Nobody else puts it back, so that it goes whenever the process does: with Ctrl-Z, and by a crash; it is taken up
/// again when the process goes on. In the background it is left alone, where a change would stop the process.
enum RawTerminalMode {
  private struct State {
    /// As it was before.
    var usual: termios
    var isTaken = false
  }

  private static let state = Mutex<State?>(nil)
  /// What the signals did before.
  private static let replaced = Mutex<[(signal: CInt, action: sigaction)]>([])
  private static let continuations = Atomic<Int>(0)
  /// Has a byte for each time that the process goes on after a stop, or the terminal gets another size.
  static let changes = Pipe()

  /// How often the process went on after a stop: what it had drawn is then somewhere above.
  static var timesContinued: Int { continuations.load(ordering: .relaxed) }

  /// Whether the terminal listens to this process now.
  static var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Takes the mode up. False where standard input is no terminal.
  static func enter() -> Bool {
    var mode = termios()
    guard changes.isOpen, isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &mode) == 0 else { return false }
    state.withLock { $0 = State(usual: mode) }
    react(to: [SIGTSTP]) { _ in RawTerminalMode.stop() }
    react(to: [SIGCONT]) { _ in RawTerminalMode.goOn() }
    react(to: [SIGWINCH]) { _ in RawTerminalMode.tellOfChange() }
    react(to: fatalSignals) { RawTerminalMode.crash($0) }
    take()
    return true
  }

  /// Puts the terminal back, and leaves the signals to themselves; once.
  static func leave() {
    giveBack()
    guard state.withLock({ $0.take() }) != nil else { return }
    replaced.withLock { replaced in
      for (signal, var action) in replaced { sigaction(signal, &action, nil) }
      replaced = []
    }
  }

  /// Takes the mode, unless it is taken or the terminal listens to others. Also called in a signal handler, as is what
  /// follows: nothing here allocates, and a lock that is held is not waited for.
  static func take() {
    _ = state.withLockIfAvailable { state in
      guard var now = state, !now.isTaken, isInForeground, tcgetattr(STDIN_FILENO, &now.usual) == 0 else {
        return
      }
      var mode = now.usual
      // Ctrl-C and Ctrl-Z stay signals.
      mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
      now.isTaken = tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0
      state = now
    }
  }

  private static func giveBack() {
    _ = state.withLockIfAvailable { state in
      guard var now = state, now.isTaken else { return }
      if isInForeground { tcsetattr(STDIN_FILENO, TCSANOW, &now.usual) }
      now.isTaken = false
      state = now
    }
  }

  // MARK: Signals

  /// From now on, SIGINT ends the process at once, with the terminal put back.
  static func endOnInterrupt() { react(to: [SIGINT]) { RawTerminalMode.endNow($0) } }

  private static func endNow(_ signal: CInt) {
    giveBack()
    Glibc.signal(signal, SIG_DFL)
    raise(signal)
  }

  /// By default they end the process without its doing anything more.
  private static let fatalSignals = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGSYS, SIGTRAP]

  private static func react(to signals: [CInt], _ handler: @escaping @convention(c) (CInt) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    // On the stack that is there for it, where the usual one is used up.
    action.sa_flags = SA_RESTART | SA_ONSTACK
    for signal in signals {
      var before = sigaction()
      sigaction(signal, &action, &before)
      replaced.withLock { $0.append((signal, before)) }
    }
  }

  private static func stop() {
    giveBack()
    suspendProcess()
    take()
  }

  /// Stops here, as Ctrl-Z would without a handler, and returns when the process goes on.
  private static func suspendProcess() {
    Glibc.signal(SIGTSTP, SIG_DFL)
    var own = sigset_t()
    sigemptyset(&own)
    sigaddset(&own, SIGTSTP)
    raise(SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &own, nil)
    Glibc.signal(SIGTSTP) { _ in RawTerminalMode.stop() }
  }

  private static func goOn() {
    continuations.add(1, ordering: .relaxed)
    take()
    tellOfChange()
  }

  private static func tellOfChange() {
    let before = errno
    changes.signal()
    errno = before
  }

  /// Ends as it would have without a handler, so that whoever started it sees why.
  private static func crash(_ signal: CInt) {
    giveBack()
    _ = replaced.withLockIfAvailable { replaced in
      for (other, var action) in replaced where other == signal { sigaction(signal, &action, nil) }
    }
    raise(signal)
  }
}

/// A pipe through which a signal handler says that something happened. Neither end waits.
struct Pipe {
  let readEnd: CInt
  private let writeEnd: CInt

  init() {
    var ends: [CInt] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  var isOpen: Bool { readEnd >= 0 }

  func signal() {
    var byte: UInt8 = 0
    _ = write(writeEnd, &byte, 1)
  }

  /// Takes what was signalled.
  func drain() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(readEnd, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
  }
}
