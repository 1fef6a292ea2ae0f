import Glibc
import Synchronization

/// Raw mode of the terminal on standard input: keys arrive without Enter and without echo. Ctrl-C and Ctrl-Z still send
/// signals.
///
/// The kernel keeps the attributes of a terminal when a process ends. ``TerminalSignalHandlers`` therefore restores them
/// on Ctrl-Z and on a crash, and enables raw mode again when the process continues. In the background the attributes stay
/// unchanged, because `tcsetattr` would stop the process (SIGTTOU).
package enum RawTerminalMode {
  private enum Phase: UInt8, AtomicRepresentable {
    /// Not entered: no handlers are installed.
    case inactive
    /// Entered, with the original attributes.
    case original
    /// One thread or signal handler is changing the attributes. Other callers return immediately.
    case changing
    /// Entered, with raw attributes.
    case raw
  }

  private static let phase = Atomic<Phase>(.inactive)

  // nonisolated(unsafe): `phase` is the lock. Only the thread or handler that has set it to `changing` writes here.
  private nonisolated(unsafe) static let originalAttributes = UnsafeMutablePointer<termios>.allocate(
    capacity: 1)

  /// Enters raw mode and installs the signal handlers. Returns false if standard input is not a terminal, or if raw mode
  /// is already entered.
  package static func enter() -> Bool {
    guard replacePhase(.inactive, with: .changing) else { return false }
    guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, originalAttributes) == 0,
      TerminalSignalHandlers.install()
    else {
      phase.store(.inactive, ordering: .releasing)
      return false
    }
    phase.store(.original, ordering: .releasing)
    enable()
    return true
  }

  /// Restores the terminal and the previous signal handlers. A second call has no effect.
  package static func leave() {
    restore()
    guard phase.exchange(.inactive, ordering: .acquiringAndReleasing) != .inactive else { return }
    TerminalSignalHandlers.restorePrevious()
  }

  // MARK: Also called in signal handlers: only async-signal-safe functions, no allocation and no lock.

  /// Whether this process belongs to the foreground process group of the terminal.
  package static var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Sets the raw attributes. Has no effect if they are set, if the process is in the background, or before ``enter()``.
  static func enable() {
    guard isInForeground, replacePhase(.original, with: .changing) else { return }
    let isRaw = setRawAttributes()
    // After a concurrent `leave()`, the phase is `inactive`.
    if !replacePhase(.changing, with: isRaw ? .raw : .original), isRaw {
      unsafe tcsetattr(STDIN_FILENO, TCSANOW, originalAttributes)
    }
  }

  /// Sets the original attributes. Has no effect if they are set, or before ``enter()``.
  static func restore() {
    guard replacePhase(.raw, with: .changing) else { return }
    if isInForeground { unsafe tcsetattr(STDIN_FILENO, TCSANOW, originalAttributes) }
    _ = replacePhase(.changing, with: .original)
  }

  /// Reads the original attributes again, because other programs can change them while this one is stopped.
  private static func setRawAttributes() -> Bool {
    guard unsafe tcgetattr(STDIN_FILENO, originalAttributes) == 0 else { return false }
    var attributes = unsafe originalAttributes.pointee
    attributes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    return unsafe tcsetattr(STDIN_FILENO, TCSANOW, &attributes) == 0
  }

  private static func replacePhase(_ expected: Phase, with desired: Phase) -> Bool {
    phase.compareExchange(expected: expected, desired: desired, ordering: .acquiringAndReleasing).exchanged
  }
}
