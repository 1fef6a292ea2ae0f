import Glibc
import HRV
import HeartRate
import Stress
import Terminal

/// Shows a session as a block of lines that is drawn over itself, at most ten times a second.
///
/// It hides nothing and switches no mode of the terminal, so there is nothing to put back after a crash.
struct ScreenPresenter: SessionSink {
  private let output = StandardOutput()
  private let screen: LiveScreen
  private let profile: String
  private let notices: Notices
  private let clock = ContinuousClock()
  private var state = LiveState()
  private var drawnLines = 0
  private var lastDrawn: ContinuousClock.Instant?

  init(style: TerminalStyle, profile: String, baseline: String, footer: String, notices: Notices) {
    screen = LiveScreen(style: style, baseline: baseline, footer: footer)
    self.profile = profile
    self.notices = notices
  }

  mutating func take(_ event: SessionEvent) throws {
    state.update(event)
    try drawIfDue()
  }

  mutating func take(_ part: BeatStream.Event) throws { state.update(part) }

  mutating func take(_ measurement: StressMeasurement) throws {
    state.update(measurement)
    try drawIfDue()
  }

  mutating func take(_ found: SensorClass) throws { state.update(found) }

  mutating func finish() async throws { try draw() }

  private mutating func drawIfDue() throws {
    let now = clock.now
    if let lastDrawn, lastDrawn.duration(to: now) < .milliseconds(100) { return }
    lastDrawn = now
    try draw()
  }

  private mutating func draw() throws {
    let size = Self.terminalSize()
    let lines = screen.lines(
      state, profile: profile, notices: notices.current, width: size.columns, height: size.rows)
    var frame = drawnLines > 0 ? "\u{1B}[\(min(drawnLines, size.rows - 1))A\r" : ""
    for line in lines { frame += "\u{1B}[2K\(line)\n" }
    if lines.count < drawnLines { frame += "\u{1B}[0J" }
    drawnLines = lines.count
    try output.write(frame)
  }

  private static func terminalSize() -> (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 1 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
