/// A block of lines on the terminal that is drawn over itself, at most ten times a second.
struct RedrawnLines: Sendable {
  private let output: NonblockingOutput
  private let clock = ContinuousClock()
  private var block = DrawnBlock()
  private var lastDrawn: ContinuousClock.Instant?

  init(to output: NonblockingOutput) { self.output = output }

  mutating func drawIfDue(_ lines: (TerminalSize) -> [String]) throws {
    let now = clock.now
    if let lastDrawn, lastDrawn.duration(to: now) < .milliseconds(100) { return }
    lastDrawn = now
    if try !output.isBehind() { try draw(lines) }
  }

  /// A frame that is as the one before it is not written.
  mutating func draw(_ lines: (TerminalSize) -> [String]) throws {
    let size = TerminalSize.current
    let frame = block.frame(lines(size), on: size)
    if !frame.isEmpty { try output.write(frame) }
  }
}
