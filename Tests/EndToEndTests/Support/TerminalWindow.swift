import Glibc
import TestSupport

/// A terminal that runs a shell in tmux.
final class TerminalWindow {
  private let home: Home
  private let environment: [String: String?]

  /// Whether tmux is installed.
  static var isAvailable: Bool {
    let folders = getenv("PATH").map { String(cString: $0) } ?? ""
    return folders.split(separator: ":").contains { access("\($0)/tmux", X_OK) == 0 }
  }

  /// Uses a shell that does not restore the terminal mode after a program.
  init(_ home: Home, columns: Int = 80, rows: Int = 24) throws {
    self.home = home
    // Disables the interactive backtracer of Swift.
    environment = [
      "stressmon": Program.stressmon, "SWIFT_BACKTRACE": "enable=no", "TMUX": nil,
      "TERM": "xterm",
    ]
    try tmux("new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "cd; exec sh -i")
    try run("PS1='> '; clear; echo $((6 * 7)) is it")
    guard shows("42 is it") else { throw Failure(screen: text) }
  }

  deinit { _ = try? tmux("kill-server") }

  struct Failure: Error { let screen: String }

  @discardableResult
  private func tmux(_ arguments: String...) throws -> String {
    let own = ["-u", "-f", "/dev/null", "-S", home.file("tmux")]
    let outcome = try home.start("/usr/bin/env", ["tmux"] + own + arguments, with: environment).outcome()
    guard outcome.status == .exited(0) else { throw Failure(screen: outcome.errors) }
    return outcome.output
  }

  /// Types `text` literally.
  func type(_ text: String) throws { try tmux("send-keys", "-l", text) }

  /// Presses a key by its name, such as `Enter` and `C-c`.
  func press(_ key: String) throws { try tmux("send-keys", key) }

  /// Types a command and presses Enter.
  func run(_ command: String) throws {
    try type(command)
    try press("Enter")
  }

  func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// The lines on the terminal.
  var lines: [String] {
    ((try? tmux("capture-pane", "-p")) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  var text: String { lines.joined(separator: "\n") }

  /// Waits until `condition` is true for the lines.
  func waits(until condition: ([String]) -> Bool) -> Bool {
    holds {
      // Each poll starts a process.
      usleep(100_000)
      return condition(lines)
    }
  }

  func shows(_ words: String) -> Bool { waits { $0.contains { $0.contains(words) } } }

  /// Waits until the live screen shows a heart rate.
  func showsHeartRate() -> Bool { waits { $0.contains { $0.hasPrefix("HR ") && $0.contains(" bpm") } } }

  /// The terminal mode in the format of `stty -g`.
  func mode() throws -> String { try stty("-g") }

  /// Whether the terminal is in raw mode without echo.
  func isRaw() throws -> Bool { try stty("-a").contains("-icanon") && stty("-a").contains("-echo ") }

  private func stty(_ option: String) throws -> String {
    let terminal = try tmux("display-message", "-p", "#{pane_tty}").split(separator: "\n").first ?? ""
    return try home.start("/usr/bin/env", ["stty", "-F", String(terminal), option]).outcome().output
  }
}
