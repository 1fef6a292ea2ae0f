/// A ``DrawnBlock`` on standard output, redrawn at most ten times a second.
package struct RedrawnLines: Sendable {
  private let output: NonblockingOutput
  private let clock = ContinuousClock()
  private var block = DrawnBlock()
  private var lastDrawn: ContinuousClock.Instant?

  private static let interval = Duration.milliseconds(100)

  package init(to output: NonblockingOutput) { self.output = output }

  /// Draws a frame unless the previous one is less than 100 ms old or not yet accepted by the terminal.
  ///
  /// - Throws: ``OutputError``.
  package mutating func drawIfDue(_ lines: (TerminalSize) -> [String]) throws {
    let now = clock.now
    if let lastDrawn, lastDrawn.duration(to: now) < Self.interval { return }
    lastDrawn = now
    if try !output.isBehind() { try draw(lines) }
  }

  /// Draws a frame. Writes nothing if it equals the previous one.
  ///
  /// - Throws: ``OutputError``.
  package mutating func draw(_ lines: (TerminalSize) -> [String]) throws {
    let size = TerminalSize.current
    let frame = block.frame(lines(size), on: size)
    if !frame.isEmpty { try output.write(frame) }
  }
}
