import HeartRate
import LiveSession
import Localization
import Platform
import Reports
import Session
import Terminal

/// The quiet display of an overnight session: one dim line that changes once a minute, or on other outputs one line at the start.
/// The virtual console of Linux is asked to blank its screen.
final class NightDisplay: Sendable {
  private struct State {
    var lines: RedrawnLines
    var minute: Int64?
    var hasForecast = false
  }

  private let style: TerminalStyle
  private let isOnScreen: Bool
  private let blanks: Bool
  private let output: NonblockingOutput
  private let forecast: @Sendable (BatteryLevel) -> BatteryForecast
  private let state: Locked<State>
  private let quitting = AsyncStream<Void>.makeStream()

  /// - Parameters:
  ///   - blanks: whether the terminal is a virtual console.
  ///   - forecast: the forecast for the first level of the battery.
  init(
    style: TerminalStyle, isOnScreen: Bool, blanks: Bool, to output: NonblockingOutput,
    forecast: @escaping @Sendable (BatteryLevel) -> BatteryForecast
  ) {
    (self.style, self.isOnScreen, self.blanks) = (style, isOnScreen, blanks && isOnScreen)
    (self.output, self.forecast) = (output, forecast)
    state = Locked(State(lines: RedrawnLines(to: output)))
  }

  /// Waits until the quit key is pressed, or the task is cancelled.
  @Sendable func untilQuit() async {
    for await _ in quitting.stream { return }
  }

  /// Handles keys while `body` runs; then restores the terminal.
  func showing<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
    let keys = isOnScreen ? TerminalKeys() : nil
    defer { keys?.close() }
    if blanks { try output.write(Self.blankAfter(minutes: 1)) }
    let result = try await withBackgroundTask({ await self.handle(keys) }, body)
    if blanks { try output.write(Self.blankAfter(minutes: 10)) }
    try output.finish()
    return result
  }

  /// Sets the time after which the virtual console blanks its screen (console_codes(4)).
  private static func blankAfter(minutes: Int) -> String { "\u{1B}[9;\(minutes)]" }

  private func handle(_ keys: TerminalKeys?) async {
    guard let keys else { return }
    for await _ in keys.changes() {
      if keys.pressed().contains(where: { "qQ\u{4}".contains($0) }) { quitting.continuation.yield() }
    }
  }

  func update(_ values: NightProgress.Values, _ wall: WallTime) throws {
    try state.withLock { state in
      if let level = values.battery, !state.hasForecast {
        state.hasForecast = true
        if !isOnScreen { printDiagnostic(style.localized("Strap: \(forecast(level).phrase).")) }
      }
      let minute = values.now.ticks / (60 * RRInterval.ticksPerSecond)
      guard isOnScreen, minute != state.minute || !values.isConnected || values.now.seconds < 60 else {
        return
      }
      state.minute = minute
      let line = line(values, wall)
      try state.lines.drawIfDue { size in [self.style.dim(line.clipped(to: size.columns - 1))] }
    }
  }

  /// `23:12  recording, 58 bpm, battery 90 %, enough for the night; q ends`
  private func line(_ values: NightProgress.Values, _ wall: WallTime) -> String {
    let clock = String(LocalZone.text(wall).dropFirst(11).prefix(5))
    let state =
      values.isConnected ? style.localized("recording") : style.localized("waiting for the strap")
    let rate = values.isConnected ? values.heartRate.map { style.localized("\($0) bpm") } : nil
    let battery = values.battery.map { style.localized(forecast($0).phrase) }
    let parts = [state, rate, battery].compactMap(\.self).joined(separator: ", ")
    return "\(clock)  \(parts); " + style.localized("q ends")
  }
}

struct NightDisplaySink: SessionSink {
  let display: NightDisplay
  let progress: NightProgress
  let started: WallTime

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    guard case .event(let event) = update else { return .proceed }
    return .stopping(onErrorOf: {
      try display.update(progress.values, event.wall ?? started.advanced(ticks: event.at.ticks))
    })
  }
}
