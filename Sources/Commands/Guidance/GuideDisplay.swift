import Breathing
import Glibc
import HeartRate
import Synchronization
import Terminal

/// Shows an exercise as it goes on, and hears the keys: a screen that is drawn over itself, or a line for each change.
final class GuideDisplay: Sendable {
  enum Form: Sendable {
    case screen(BreathingScreen)
    /// Sentences for a screen reader.
    case speech(BreathingSpeech)
    /// Lines to standard output, or beside the data.
    case lines(BreathingLines, toErrors: Bool)
    case silent
  }

  private struct State {
    var block = DrawnBlock()
    var shown: String?
    var speech: BreathingSpeech?
  }

  let guide: Guide
  let heart: GuidedHeart
  private let form: Form
  private let bell: Bool
  private let output: NonblockingOutput
  private let note = Mutex<String?>(nil)
  private let state: Mutex<State>

  init(_ guide: Guide, _ heart: GuidedHeart, form: Form, bell: Bool, to output: NonblockingOutput) {
    self.guide = guide
    self.heart = heart
    self.form = form
    self.bell = bell
    self.output = output
    let speech: BreathingSpeech? = if case .speech(let speech) = form { speech } else { nil }
    state = Mutex(State(speech: speech))
  }

  /// Something to tell below, such as that no strap answers.
  func tell(_ text: String) { note.withLock { $0 = text } }

  var isOnScreen: Bool { if case .screen = form { true } else { false } }

  /// Whether keys are read: on the screen, and while sentences are written to a terminal.
  var hasKeys: Bool {
    switch form {
    case .screen: true
    case .speech: StandardOutput().isTerminal
    case .lines, .silent: false
    }
  }

  /// Says which keys there are, where no footer shows them.
  func announceKeys() throws {
    guard case .speech(let speech) = form else { return }
    try output.line(speech.keys)
  }

  /// Shows and hears, ten times a second, until it is cancelled or no longer `goesOn`.
  func run(_ keys: TerminalKeys?, while goesOn: () -> Bool = { true }) async throws {
    while !Task.isCancelled, goesOn() {
      for key in keys?.pressed() ?? [] { hear(key) }
      try show()
      do { try await Task.sleep(for: .milliseconds(100)) } catch { break }
    }
    try show()
  }

  private func hear(_ key: Character) {
    switch key {
    case " ", "p", "P": guide.pauseOrResume()
    case "q", "Q", "\u{4}": guide.quit()
    default: break
    }
  }

  /// Takes the screen away again.
  func clear() throws {
    try state.withLock { try output.write($0.block.frame([], on: .current)) }
  }

  /// Waits for its reader, now that all is over.
  func finish() throws { try output.finish() }

  /// Shows what is now.
  func show() throws {
    let (stage, time) = guide.moment
    let view = BreathingView(
      stage: stage, time: time, live: heart.live, coherence: heart.coherence?.value,
      notice: note.withLock { $0 })
    try state.withLock { state in
      let isNew = state.shown != view.cue
      state.shown = view.cue
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
