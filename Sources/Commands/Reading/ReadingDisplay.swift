import HeartRate
import LiveSession
import Localization
import Platform
import Session
import Stress
import Terminal

/// Displays a guided reading: a screen that is redrawn, or a line for each instruction.
final class ReadingDisplay: Sendable {
  enum Form: Sendable {
    case screen(ReadingScreen)
    /// Lines on standard output, or on standard error beside JSON.
    case lines(ReadingLines, toErrors: Bool)
  }

  private struct State {
    var lines: RedrawnLines
    var live = LiveState()
    var instruction: Phrase?
  }

  private let form: Form
  private let bell: Bool
  private let output: NonblockingOutput
  private let state: Locked<State>
  private let quitting = AsyncStream<Void>.makeStream()

  init(_ form: Form, bell: Bool, to output: NonblockingOutput) {
    (self.form, self.bell, self.output) = (form, bell, output)
    state = Locked(State(lines: RedrawnLines(to: output)))
  }

  var isOnScreen: Bool { if case .screen = form { true } else { false } }

  /// Waits until the quit key is pressed, or the task is cancelled.
  @Sendable func untilQuit() async {
    for await _ in quitting.stream { return }
  }

  /// Handles keys while `body` runs; then restores the terminal.
  func showing<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
    let keys = isOnScreen ? TerminalKeys() : nil
    defer { keys?.close() }
    let result = try await withBackgroundTask({ await self.handle(keys) }, body)
    try output.finish()
    return result
  }

  private func handle(_ keys: TerminalKeys?) async {
    guard let keys else { return }
    for await _ in keys.changes() {
      if keys.pressed().contains(where: { "qQ\u{4}".contains($0) }) { quitting.continuation.yield() }
    }
  }

  /// Updates the live values, and draws after each event.
  func update(_ update: SessionUpdate, _ stage: ReadingStage) throws {
    try state.withLock { state in
      state.live.update(update)
      guard case .event = update else { return }
      let view = ReadingView(stage, live: state.live)
      let isNew = state.instruction != stage.instruction
      state.instruction = stage.instruction
      try draw(view, isNew: isNew, &state.lines)
    }
  }

  private func draw(_ view: ReadingView, isNew: Bool, _ drawn: inout RedrawnLines) throws {
    let ring = isNew && bell && StandardOutput().isTerminal ? "\u{7}" : ""
    switch form {
    case .screen(let screen):
      let lines = { (size: TerminalSize) in screen.lines(view, width: size.columns, height: size.rows) }
      if isNew { try drawn.draw(lines) } else { try drawn.drawIfDue(lines) }
      if !ring.isEmpty { try output.write(ring) }
    case .lines(let lines, let toErrors):
      guard isNew else { return }
      if toErrors {
        printDiagnostic(lines.line(view) + ring)
      } else {
        try output.line(lines.line(view) + ring)
      }
    }
  }
}

/// Displays the updates of a session with the stage of its reading.
struct ReadingDisplaySink: SessionSink {
  let display: ReadingDisplay
  let stage: @Sendable () -> ReadingStage

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    .stopping(onErrorOf: { try display.update(update, stage()) })
  }
}
