import HRV
import HeartRate
import Platform
import Session
import Stress
import Terminal

/// The live screen: one block per session, stacked vertically.
///
/// Thread-safe: the threads of the events and the thread of the keys draw under one lock.
final class Screen: Sendable {
  /// The display of one session.
  struct Block: Sendable {
    let screen: LiveScreen
    let profile: String
    let alerts: SessionAlerts
    fileprivate var state = LiveState()
    /// The state that is shown while the display is paused; nil otherwise.
    fileprivate var held: LiveState?

    init(screen: LiveScreen, profile: String, alerts: SessionAlerts) {
      self.screen = screen
      self.profile = profile
      self.alerts = alerts
    }

    fileprivate var shown: LiveState { held?.held(while: state) ?? state }
  }

  /// Lines that replace the blocks, for a given terminal size.
  typealias Page = @Sendable (TerminalSize) -> [String]

  /// The last line of the block with an index, or of all blocks.
  typealias Footer = @Sendable (Int) -> String

  private struct State {
    var footer: Footer?
    var blocks: [Block?]
    var lines: RedrawnLines
    var view: LiveView
    var page: Page?
    var message: (text: String, until: ContinuousClock.Instant)?
    /// Whether another view draws on the terminal.
    var isSuspended = false
  }

  let style: TerminalStyle
  private let state: Locked<State>
  let output: NonblockingOutput
  /// Whether all blocks have one footer, with the keys below it.
  private let hasCommonFooter: Bool

  private static let messageTime = Duration.seconds(8)

  /// - Parameters:
  ///   - blocks: the number of sessions. A block is empty until ``presenter(_:at:)`` is called for it.
  ///   - keys: the keys that have an effect.
  init(
    blocks: Int = 1, hasCommonFooter: Bool = false, keys: [LiveKey] = [], style: TerminalStyle = .plain,
    to output: NonblockingOutput = NonblockingOutput(blocks: true)
  ) {
    self.style = style
    self.output = output
    state = Locked(
      State(
        blocks: Array(repeating: nil, count: blocks), lines: RedrawnLines(to: output),
        view: LiveView(keys: keys)))
    self.hasCommonFooter = hasCommonFooter
  }

  /// Sets the last line of the blocks, which is computed for each frame.
  func setFooter(_ footer: @escaping Footer) { state.withLock { $0.footer = footer } }

  /// The sink that shows a session in the block with index `place`.
  func presenter(
    _ block: Block, at place: Int = 0, notices: NoticeDisplay = NoticeDisplay(NoticeText(style: .plain))
  ) -> ScreenPresenter {
    state.withLock { $0.blocks[place] = block }
    return ScreenPresenter(screen: self, place: place, notices: notices)
  }

  var keys: [LiveKey] { state.withLock { $0.view.keys } }

  /// The state of the first session.
  var firstState: LiveState { state.withLock { $0.blocks.first??.state ?? LiveState() } }

  // MARK: Actions of keys

  /// Pauses or resumes the display of all sessions.
  func pauseOrResume() {
    state.withLock { state in
      for place in state.blocks.indices {
        guard let block = state.blocks[place] else { continue }
        state.blocks[place]?.held = block.held == nil ? block.state : nil
      }
    }
  }

  /// Replaces the blocks by `page`; nil shows the blocks again.
  func show(_ page: Page?) { state.withLock { $0.page = page } }

  var showsPage: Bool { state.withLock { $0.page != nil } }

  /// Shows the trend over the next span, and returns that span.
  func switchSpan() -> LiveView.Span {
    state.withLock { state in
      state.view.span = state.view.span.other
      return state.view.span
    }
  }

  /// Shows a message for ``messageTime``.
  func show(_ message: LiveMessage) { show(text: message.text(style), for: Self.messageTime) }

  func show(text: String, for time: Duration) {
    state.withLock { $0.message = (text, .now + time) }
  }

  /// Removes the message from the last frame of a run.
  func endMessages() throws {
    guard state.withLock({ $0.message.take() }) != nil else { return }
    try draw(always: true)
  }

  /// Clears the screen and stops drawing, so that another view can use the terminal, until ``resume()``.
  func suspend() throws {
    try state.withLock { state in
      try state.lines.draw { _ in [] }
      state.isSuspended = true
      for place in state.blocks.indices { state.blocks[place]?.held = nil }
    }
  }

  func resume() { state.withLock { $0.isSuspended = false } }

  // MARK: Drawing

  func update(_ place: Int, _ change: (inout LiveState) -> Void) {
    state.withLock { state in
      guard var block = state.blocks[place] else { return }
      state.blocks[place] = nil  // avoids a copy of the state
      change(&block.state)
      state.blocks[place] = block
    }
  }

  /// Draws the final state of the session with index `place`.
  func finish(_ place: Int) throws {
    state.withLock { state in
      state.blocks[place]?.held = nil
      state.page = nil
    }
    try draw(always: true)
    try output.finish()
  }

  /// - Parameter always: draws even if the last frame is less than 0.1 s old.
  func draw(always: Bool) throws {
    try state.withLock { state in
      guard !state.isSuspended else { return }
      if let message = state.message, message.until < .now { state.message = nil }
      for place in state.blocks.indices { state.blocks[place]?.state.analyzeRecentBeats() }
      var drawn = state.lines
      let lines = { (size: TerminalSize) in self.lines(state, size) }
      if always { try drawn.draw(lines) } else { try drawn.drawIfDue(lines) }
      state.lines = drawn
    }
  }

  /// The current lines for a terminal of the given size.
  func lines(_ size: TerminalSize) -> [String] { state.withLock { lines($0, size) } }

  /// The blocks divide the height equally. Blocks of more than six lines are separated by an empty line.
  private func lines(_ state: borrowing State, _ size: TerminalSize) -> [String] {
    if let page = state.page { return page(size) }
    let blocks = state.blocks.compactMap { $0 }
    let footer = commonLines(state, size)
    let rows = (size.rows - 1 - footer.count) / max(1, blocks.count)
    let isSpaced = blocks.count > 1 && rows > 6
    var view = state.view
    if !footer.isEmpty { view.keys = [] }
    var lines: [String] = []
    for (place, block) in blocks.enumerated() {
      let message = place == 0 ? [state.message?.text].compactMap(\.self) : []
      var screen = block.screen
      if !hasCommonFooter, let footer = state.footer { screen.footer = footer(place) }
      lines += screen.lines(
        block.shown, profile: block.profile, notices: block.alerts.current + message, view: view,
        width: size.columns, height: isSpaced ? rows : rows + 1)
      if isSpaced { lines.append("") }
    }
    return Array((lines + footer).prefix(size.rows - 1))
  }

  private func commonLines(_ state: borrowing State, _ size: TerminalSize) -> [String] {
    guard hasCommonFooter else { return [] }
    let keys = LiveKey.line(state.view.keys, width: size.columns, style)
    let footer = state.footer?(0) ?? ""
    let lines = [footer.clipped(to: size.columns, unicode: style.unicode), keys]
    return keys.isEmpty || size.rows < 12 ? [lines[0]] : lines
  }
}
