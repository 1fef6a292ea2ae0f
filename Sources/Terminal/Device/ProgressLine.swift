import Glibc
package import Platform

/// A progress bar: one line on standard error that is redrawn in place. Prints nothing if standard error is not a terminal
/// or `TERM` is `dumb`.
package final class ProgressLine {
  private let label: String
  private let isShown: Bool
  private var lastDrawn: Int64
  private var isOnScreen = false

  /// Minimum interval in nanoseconds between two redraws, and delay before the first: short tasks show no bar.
  private static let interval: Int64 = 200_000_000
  /// Width of the bar in columns.
  private static let width = 30

  package init(_ label: String, _ environment: ProcessEnvironment) {
    self.label = label
    isShown = isatty(STDERR_FILENO) == 1 && (environment["TERM"] ?? "dumb") != "dumb"
    lastDrawn = SystemClock.boot
  }

  /// - Parameter fraction: 0 to 1, if the total is known.
  package func update(_ fraction: Double?, detail: String = "") {
    guard isShown, SystemClock.boot - lastDrawn >= Self.interval else { return }
    lastDrawn = SystemClock.boot
    isOnScreen = true
    writeDiagnostic("\r\u{1B}[K" + Self.line(label, fraction, detail))
  }

  /// Erases the line.
  package func clear() {
    if isOnScreen { writeDiagnostic("\r\u{1B}[K") }
    isOnScreen = false
  }

  /// `importing [########......] 27 %  detail`
  static func line(_ label: String, _ fraction: Double?, _ detail: String) -> String {
    guard let fraction = fraction.map({ min(max($0, 0), 1) }) else { return "\(label)  \(detail)" }
    let done = Int((fraction * Double(width)).rounded(.down))
    let bar = String(repeating: "#", count: done) + String(repeating: ".", count: width - done)
    return "\(label) [\(bar)] \(Int(fraction * 100)) %  \(detail)"
  }
}
