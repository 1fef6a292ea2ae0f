import LiveSession
import Terminal

/// Shows the notices of a session on standard output: a sentence, and the bell if it is a terminal.
struct NoticeDisplay: Sendable {
  let text: NoticeText
  var isOnTerminal = false

  init(_ text: NoticeText, isOnTerminal: Bool = false) {
    (self.text, self.isOnTerminal) = (text, isOnTerminal)
  }

  /// How long the screen shows a sentence.
  static let messageTime = Duration.seconds(60)
  private static let bell = "\u{7}"

  /// Prints a line.
  func print(_ notice: SessionNotice, to output: NonblockingOutput) throws {
    try ring(notice, output)
    if let sentence = text.sentence(notice) { try output.line(sentence) }
  }

  /// Shows a message on the live screen.
  func show(_ notice: SessionNotice, on screen: Screen) throws {
    try ring(notice, screen.output)
    guard let sentence = text.sentence(notice) else { return }
    screen.show(text: sentence, for: Self.messageTime)
    try screen.draw(always: true)
  }

  private func ring(_ notice: SessionNotice, _ output: NonblockingOutput) throws {
    if isOnTerminal, text.rings(notice) { try output.write(Self.bell) }
  }
}
