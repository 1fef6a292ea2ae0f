import Glibc
import TestSupport

/// A terminal with a shell in it, by tmux: what a person types and sees.
final class TerminalWindow {
  private let home: Home
  private let environment: [String: String?]

  /// Whether tmux is installed.
  static var isAvailable: Bool {
    let folders = getenv("PATH").map { String(cString: $0) } ?? ""
    return folders.split(separator: ":").contains { access("\($0)/tmux", X_OK) == 0 }
  }

  /// The shell is one that leaves the terminal's mode alone, whatever a program has done to it.
  init(_ home: Home, columns: Int = 80, rows: Int = 24) throws {
    self.home = home
    // A crash is the program's own: nobody is to look at it first.
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

  /// Types `text` as it is.
  func type(_ text: String) throws { try tmux("send-keys", "-l", text) }

  /// Presses a key by its name, such as `Enter` and `C-c`.
  func press(_ key: String) throws { try tmux("send-keys", key) }

  /// Types a command, and Enter.
  func run(_ command: String) throws {
    try type(command)
    try press("Enter")
  }

  func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// What stands on it now.
  var lines: [String] {
    ((try? tmux("capture-pane", "-p")) ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  var text: String { lines.joined(separator: "\n") }

  /// Waits until `condition` is true of what stands there.
  func waits(until condition: ([String]) -> Bool) -> Bool {
    holds {
      // Each look starts a program: a busy machine has others to run.
      usleep(100_000)
      return condition(lines)
    }
  }

  func shows(_ words: String) -> Bool { waits { $0.contains { $0.contains(words) } } }

  /// Waits for the live screen to show what a heart does.
  func showsHeartRate() -> Bool { waits { $0.contains { $0.hasPrefix("HR ") && $0.contains(" bpm") } } }

  /// The mode of the terminal, as stty tells it for programs.
  func mode() throws -> String { try stty("-g") }

  /// Whether keys are handed over as they are pressed, and not shown.
  func handsOverKeys() throws -> Bool { try stty("-a").contains("-icanon") && stty("-a").contains("-echo ") }

  private func stty(_ option: String) throws -> String {
    let terminal = try tmux("display-message", "-p", "#{pane_tty}").split(separator: "\n").first ?? ""
    return try home.start("/usr/bin/env", ["stty", "-F", String(terminal), option]).outcome().output
  }
}
