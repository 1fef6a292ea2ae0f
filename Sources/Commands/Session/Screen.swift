import HRV
import HeartRate
import Session
import Stress
import Synchronization
import Terminal

/// The terminal, with a block for each session, one below the other.
///
/// Drawn from the threads of the events and from that of the keys, one at a time.
final class Screen: Sendable {
  /// What a block shows beside the state of its session.
  struct Block: Sendable {
    let screen: LiveScreen
    let profile: String
    let alerts: SessionAlerts
    fileprivate var state = LiveState()
    /// What stands there while the display is paused.
    fileprivate var held: LiveState?

    init(screen: LiveScreen, profile: String, alerts: SessionAlerts) {
      self.screen = screen
      self.profile = profile
      self.alerts = alerts
    }

    fileprivate var shown: LiveState { held?.held(while: state) ?? state }
  }

  /// Lines in the place of the blocks, for a terminal of that size.
  typealias Page = @Sendable (TerminalSize) -> [String]

  private struct State {
    var blocks: [Block?]
    var lines: RedrawnLines
    var view: LiveView
    var page: Page?
    var message: (text: String, until: ContinuousClock.Instant)?
    /// Whether something else has the terminal.
    var isAway = false
  }

  let style: TerminalStyle
  private let state: Mutex<State>
  let output: NonblockingOutput
  /// The last line, where it is common to all blocks; the keys then stand below it, and not in a block.
  private let footer: String?

  private static let messageTime = Duration.seconds(8)

  /// - Parameters:
  ///   - blocks: How many sessions there are. Each has its place, and leaves it empty until it shows itself.
  ///   - keys: The keys that do something.
  init(
    blocks: Int = 1, footer: String? = nil, keys: [LiveKey] = [], style: TerminalStyle = .plain,
    to output: NonblockingOutput = NonblockingOutput(blocks: true)
  ) {
    self.style = style
    self.output = output
    state = Mutex(
      State(
        blocks: Array(repeating: nil, count: blocks), lines: RedrawnLines(to: output),
        view: LiveView(keys: keys)))
    self.footer = footer
  }

  /// The sink that shows a session in `place`, from 0.
  func presenter(_ block: Block, at place: Int = 0) -> ScreenPresenter {
    state.withLock { $0.blocks[place] = block }
    return ScreenPresenter(screen: self, place: place)
  }

  var keys: [LiveKey] { state.withLock { $0.view.keys } }

  /// What is known of the session in the first place.
  var firstState: LiveState { state.withLock { $0.blocks.first??.state ?? LiveState() } }

  // MARK: What keys do

  /// Holds what is shown, or goes on; at once for all sessions.
  func pauseOrResume() {
    state.withLock { state in
      for place in state.blocks.indices {
        guard let block = state.blocks[place] else { continue }
        state.blocks[place]?.held = block.held == nil ? block.state : nil
      }
    }
  }

  /// Shows `page` in the place of the blocks; nil shows them again.
  func show(_ page: Page?) { state.withLock { $0.page = page } }

  var showsPage: Bool { state.withLock { $0.page != nil } }

  /// Shows the trend of another span, and says which.
  func switchSpan() -> LiveView.Span {
    state.withLock { state in
      state.view.span = state.view.span.other
      return state.view.span
    }
  }

  func tell(_ message: LiveMessage) {
    state.withLock { $0.message = (message.text(style), .now + Self.messageTime) }
  }

  /// Removes the message from the last picture of a run.
  func endMessages() throws {
    guard state.withLock({ $0.message.take() }) != nil else { return }
    try draw(always: true)
  }

  /// Leaves the terminal to something else that draws in its place, until ``comeBack()``.
  func goAway() throws {
    try state.withLock { state in
      try state.lines.draw { _ in [] }
      state.isAway = true
      for place in state.blocks.indices { state.blocks[place]?.held = nil }
    }
  }

  func comeBack() { state.withLock { $0.isAway = false } }

  // MARK: Drawing

  func update(_ place: Int, _ change: (inout LiveState) -> Void) {
    state.withLock { state in
      guard var block = state.blocks[place] else { return }
      state.blocks[place] = nil  // or the state would be copied
      change(&block.state)
      state.blocks[place] = block
    }
  }

  /// The session in `place` is over: what stands there now is the last of it.
  func finish(_ place: Int) throws {
    state.withLock { state in
      state.blocks[place]?.held = nil
      state.page = nil
    }
    try draw(always: true)
    try output.finish()
  }

  /// - Parameter always: Also when it was drawn less than a tenth of a second ago.
  func draw(always: Bool) throws {
    try state.withLock { state in
      guard !state.isAway else { return }
      if let message = state.message, message.until < .now { state.message = nil }
      for place in state.blocks.indices { state.blocks[place]?.state.lookForBreath() }
      var drawn = state.lines
      let lines = { (size: TerminalSize) in self.lines(state, size) }
      if always { try drawn.draw(lines) } else { try drawn.drawIfDue(lines) }
      state.lines = drawn
    }
  }

  /// What stands on a terminal of that size now.
  func lines(_ size: TerminalSize) -> [String] { state.withLock { lines($0, size) } }

  /// The blocks share the height; where there is room, an empty line is between them.
  private func lines(_ state: borrowing State, _ size: TerminalSize) -> [String] {
    if let page = state.page { return page(size) }
    let blocks = state.blocks.compactMap { $0 }
    let footer = commonLines(state.view, size)
    let rows = (size.rows - 1 - footer.count) / max(1, blocks.count)
    let isSpaced = blocks.count > 1 && rows > 6
    var view = state.view
    if !footer.isEmpty { view.keys = [] }
    var lines: [String] = []
    for (place, block) in blocks.enumerated() {
      let message = place == 0 ? [state.message?.text].compactMap(\.self) : []
      lines += block.screen.lines(
        block.shown, profile: block.profile, notices: block.alerts.current + message, view: view,
        width: size.columns, height: isSpaced ? rows : rows + 1)
      if isSpaced { lines.append("") }
    }
    return Array((lines + footer).prefix(size.rows - 1))
  }

  private func commonLines(_ view: LiveView, _ size: TerminalSize) -> [String] {
    guard let footer else { return [] }
    let keys = LiveKey.line(view.keys, width: size.columns, style)
    let lines = [footer.clipped(to: size.columns, unicode: style.unicode), keys]
    return keys.isEmpty || size.rows < 12 ? [lines[0]] : lines
  }
}
