import Breathing
import Glibc
import HeartRate
import History
import LiveSession
import Platform
import Reports
import Session
import Terminal

/// Displays a guided exercise and handles its keys: a screen that is redrawn, or a line for each change.
final class GuideDisplay: Sendable {
  enum Form: Sendable {
    case screen(BreathingScreen)
    /// Sentences for a screen reader.
    case speech(BreathingSpeech)
    /// Lines on standard output, or on standard error beside JSON.
    case lines(BreathingLines, toErrors: Bool)
    case silent
  }

  private struct State {
    var block = DrawnBlock()
    var cue: String?
    var speech: BreathingSpeech?
    var live = LiveState()
    /// A line below the exercise, such as that no strap responds.
    var notice: String?
  }

  private let guide: ExerciseGuide
  private let recorder: ExerciseRecorder
  private let form: Form
  private let bell: Bool
  private let output: NonblockingOutput
  /// The live values of a session that has its own display. Other guides display those of ``update(_:)``.
  private let live: (@Sendable () -> LiveState)?
  private let state: Locked<State>

  /// Interval between frames of the animation.
  private static let frame = Duration.milliseconds(100)

  init(
    _ guide: ExerciseGuide, _ recorder: ExerciseRecorder, form: Form, bell: Bool,
    to output: NonblockingOutput,
    live: (@Sendable () -> LiveState)? = nil
  ) {
    (self.guide, self.recorder, self.form, self.bell) = (guide, recorder, form, bell)
    (self.output, self.live) = (output, live)
    let speech: BreathingSpeech? = if case .speech(let speech) = form { speech } else { nil }
    state = Locked(State(speech: speech))
  }

  var isOnScreen: Bool { if case .screen = form { true } else { false } }

  func setNotice(_ text: String) { state.withLock { $0.notice = text } }

  /// Updates the live values.
  func update(_ update: SessionUpdate) { state.withLock { $0.live.update(update) } }

  // MARK: Running

  /// Displays the exercise while `body` runs; then restores the terminal.
  func showing<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
    let keys = hasKeys ? TerminalKeys() : nil
    if keys != nil { try announceKeys() }
    defer { keys?.close() }
    let result = try await withBackgroundTask({ try await self.run(keys) }, body)
    try output.finish()
    return result
  }

  /// Draws frames and handles keys until the task is cancelled or `isRunning` returns false.
  func run(_ keys: TerminalKeys?, while isRunning: @Sendable () -> Bool = { true }) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      if let keys { group.addTask { for await _ in keys.changes() { try self.handle(keys.pressed()) } } }
      while !Task.isCancelled, isRunning() {
        try draw()
        do { try await Task.sleep(for: Self.frame) } catch { break }
      }
      group.cancelAll()
      try await group.waitForAll()
    }
    try draw()
  }

  /// Whether keys are handled: on the screen, and for sentences on a terminal.
  private var hasKeys: Bool {
    switch form {
    case .screen: true
    case .speech: StandardOutput().isTerminal
    case .lines, .silent: false
    }
  }

  /// Prints the keys, unless the screen shows them.
  private func announceKeys() throws {
    guard case .speech(let speech) = form else { return }
    try output.line(speech.keys)
  }

  private func handle(_ keys: [Character]) throws {
    for key in keys {
      switch key {
      case " ", "p", "P": guide.pauseOrResume()
      case "q", "Q", "\u{4}": guide.quit()
      default: break
      }
    }
    try draw()
  }

  // MARK: Drawing

  /// Clears the screen.
  func clear() throws {
    try state.withLock { try output.write($0.block.frame([], on: .current)) }
  }

  /// Displays the current state.
  func draw() throws {
    let (stage, time) = guide.moment
    let coherence = recorder.coherence?.value
    let external = live?()
    try state.withLock { state in
      let view = BreathingView(
        stage: stage, time: time, live: external ?? state.live, coherence: coherence, notice: state.notice)
      let isNew = state.cue != view.cue
      state.cue = view.cue
      let ring = isNew && bell && view.isLed && StandardOutput().isTerminal ? "\u{7}" : ""
      switch form {
      case .screen(let screen):
        guard try !output.isBehind() else { return }
        let size = TerminalSize.current
        let lines = screen.lines(view, width: size.columns, height: size.rows)
        try output.write(state.block.frame(lines, on: size) + ring)
      case .speech:
        for sentence in state.speech?.sentences(view) ?? [] { try output.line(sentence + ring) }
      case .lines(let lines, let toErrors):
        guard isNew, let line = lines.line(view) else { return }
        if toErrors { printDiagnostic(line + ring) } else { try output.line(line + ring) }
      case .silent: break
      }
    }
  }
}

/// Displays the exercise of a session.
struct GuideSink: SessionSink {
  let display: GuideDisplay

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    display.update(update)
    guard case .event = update else { return .proceed }
    return .stopping(onErrorOf: { try display.draw() })
  }
}

extension GuidedExercise {
  /// How an exercise ended. Without a result if it ended before the breathing began.
  struct Outcome: Sendable {
    let result: BreathingResult?
    let end: RunEnd
    let storage: StorageOutcome
    /// The error of the session, such as that of storing it or its result.
    let error: (any Error)?
  }

  /// Guides a person, real or simulated, through the exercise.
  func guide(
    _ setup: SessionSetup, form: GuideDisplay.Form, bell: Bool, output: NonblockingOutput
  ) async throws -> Outcome {
    let guide = ExerciseGuide(course, speed: setup.source.speed)
    let recorder = ExerciseRecorder()
    let display = GuideDisplay(guide, recorder, form: form, bell: bell, to: output)
    let group = try SessionGroup(
      session(setup, guide, recorder), alerts: SessionAlerts(onScreen: display.isOnScreen)
    ) { _ in GuideSink(display: display) }
    let outcome = try await display.showing { try await group.run(until: guide.untilQuit) }
    let member = group.members[0]
    return Outcome(
      result: member.exercise, end: outcome.end, storage: member.storage, error: outcome.failures.first?.error
    )
  }
}
