import Glibc
import Synchronization

/// Keys as they are pressed, without Enter and without showing them; the terminal is as before when it is closed.
final class TerminalKeys: Sendable {
  private let before: Mutex<termios?>

  /// Nil where standard input is no terminal.
  init?() {
    var mode = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
    before = Mutex(mode)
    // Ctrl-C and Ctrl-Z stay signals.
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
  }

  deinit { close() }

  /// Puts the terminal back; once.
  func close() {
    before.withLock { before in
      guard var mode = before else { return }
      before = nil
      tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }
  }

  /// What was pressed since it was last asked; does not wait.
  func pressed() -> [Character] {
    var keys: [Character] = []
    var byte: UInt8 = 0
    var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while keys.count < 64, poll(&waiting, 1, 0) == 1, waiting.revents & Int16(POLLIN) != 0,
      read(STDIN_FILENO, &byte, 1) == 1
    {
      keys.append(Character(Unicode.Scalar(byte)))
    }
    return keys
  }
}
