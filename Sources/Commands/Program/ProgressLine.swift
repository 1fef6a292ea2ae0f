import Glibc
import Platform

/// How far long work has come: one line on the terminal, drawn over as it goes on. Nothing where standard error is none.
final class ProgressLine {
  private let label: String
  private let isShown: Bool
  private var drawn: Int64 = 0
  private var isOnScreen = false

  /// Nanoseconds between two drawings, and before the first one: what is done at once needs no bar.
  private static let pause: Int64 = 200_000_000
  private static let width = 30

  init(_ label: String, _ environment: ProcessEnvironment) {
    self.label = label
    isShown = isatty(STDERR_FILENO) == 1 && (environment["TERM"] ?? "dumb") != "dumb"
    drawn = SystemClock.boot
  }

  /// - Parameter share: 0 to 1; nil where the end is not known.
  func update(_ share: Double?, detail: String = "") {
    guard isShown, SystemClock.boot - drawn >= Self.pause else { return }
    drawn = SystemClock.boot
    isOnScreen = true
    put("\r\u{1B}[K" + Self.line(label, share, detail))
  }

  /// Takes the line away again.
  func clear() {
    if isOnScreen { put("\r\u{1B}[K") }
    isOnScreen = false
  }

  /// `importing [########......] 27 %  detail`
  static func line(_ label: String, _ share: Double?, _ detail: String) -> String {
    guard let share else { return "\(label)  \(detail)" }
    let done = Int((min(max(share, 0), 1) * Double(width)).rounded(.down))
    let bar = String(repeating: "#", count: done) + String(repeating: ".", count: width - done)
    return "\(label) [\(bar)] \(Int(min(max(share, 0), 1) * 100)) %  \(detail)"
  }

  private func put(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
