import HRV
import HeartRate
import Stress
import Synchronization
import Terminal

/// The terminal, with a block for each session, one below the other.
final class Screen: Sendable {
  /// What a block shows beside the state of its session.
  struct Block: Sendable {
    let screen: LiveScreen
    let profile: String
    let notices: Notices
    fileprivate var state = LiveState()

    init(screen: LiveScreen, profile: String, notices: Notices) {
      self.screen = screen
      self.profile = profile
      self.notices = notices
    }
  }

  private struct State {
    var blocks: [Block?]
    var lines: RedrawnLines
  }

  private let state: Mutex<State>
  private let output: SessionOutput
  /// The last line, where it is common to all blocks.
  private let footer: String?

  /// - Parameter blocks: How many sessions there are. Each has its place, and leaves it empty until it shows itself.
  init(blocks: Int = 1, footer: String? = nil, to output: SessionOutput = SessionOutput(waits: true)) {
    self.output = output
    state = Mutex(State(blocks: Array(repeating: nil, count: blocks), lines: RedrawnLines(to: output)))
    self.footer = footer
  }

  /// The sink that shows a session in `place`, from 0.
  func presenter(_ block: Block, at place: Int = 0) -> ScreenPresenter {
    state.withLock { $0.blocks[place] = block }
    return ScreenPresenter(screen: self, place: place)
  }

  fileprivate func update(_ place: Int, _ change: (inout LiveState) -> Void) {
    state.withLock { state in
      guard var block = state.blocks[place] else { return }
      state.blocks[place] = nil  // or the state would be copied
      change(&block.state)
      state.blocks[place] = block
    }
  }

  fileprivate func draw(always: Bool) throws {
    try state.withLock { state in
      let blocks = state.blocks
      let lines = { (size: TerminalSize) in self.lines(blocks.compactMap { $0 }, size) }
      if always { try state.lines.draw(lines) } else { try state.lines.drawIfDue(lines) }
    }
  }

  fileprivate func finish() throws {
    try draw(always: true)
    try output.finish()
  }

  /// What stands on a terminal of that size now.
  func lines(_ size: TerminalSize) -> [String] {
    lines(state.withLock { $0.blocks.compactMap { $0 } }, size)
  }

  /// The blocks share the height; where there is room, an empty line is between them.
  private func lines(_ blocks: [Block], _ size: TerminalSize) -> [String] {
    let rows = (size.rows - 1 - (footer == nil ? 0 : 1)) / max(1, blocks.count)
    let isSpaced = blocks.count > 1 && rows > 6
    var lines: [String] = []
    for block in blocks {
      lines += block.screen.lines(
        block.state, profile: block.profile, notices: block.notices.current, width: size.columns,
        height: isSpaced ? rows : rows + 1)
      if isSpaced { lines.append("") }
    }
    if let footer { lines.append(footer.clipped(to: size.columns)) }
    return Array(lines.prefix(size.rows - 1))
  }
}

/// Shows a session in its block of the screen.
struct ScreenPresenter: SessionSink {
  fileprivate let screen: Screen
  fileprivate let place: Int

  mutating func take(_ event: SessionEvent) throws {
    screen.update(place) { $0.update(event) }
    try screen.draw(always: false)
  }

  mutating func take(_ part: BeatStream.Event) throws { screen.update(place) { $0.update(part) } }

  mutating func take(_ measurement: StressMeasurement) throws {
    screen.update(place) { $0.update(measurement) }
    try screen.draw(always: false)
  }

  mutating func take(_ found: SensorClass) throws { screen.update(place) { $0.update(found) } }

  mutating func finish() async throws { try screen.finish() }
}
