import Localization
import Terminal

/// Shows the effects of keys: the live screen, or sentences for a screen reader.
protocol KeyDisplay: Sendable {
  /// The keys that have an effect.
  var keys: [LiveKey] { get }
  var style: TerminalStyle { get }

  /// Closes the page that covers the session. Returns false if no page is open.
  func closePage() -> Bool
  func showHelp() throws
  func show(_ message: LiveMessage) throws
  /// Draws the session again after keys were handled.
  func redraw() throws
}

extension Screen: KeyDisplay {
  func closePage() -> Bool {
    defer { show(nil as Page?) }
    return showsPage
  }

  func showHelp() { show(KeyHelp(keys, style: style).lines) }
  func redraw() throws { try draw(always: true) }
}

extension KeyHelp {
  fileprivate func lines(_ size: TerminalSize) -> [String] { lines(width: size.columns, height: size.rows) }
}

/// Prints the effects of keys as sentences.
struct SpokenKeys: KeyDisplay {
  let keys: [LiveKey]
  let style: TerminalStyle
  let output: NonblockingOutput

  func closePage() -> Bool { false }
  func showHelp() throws {
    for key in keys { try output.line(style.localized(key.sentence)) }
  }

  func show(_ message: LiveMessage) throws { try output.line(message.spoken(style)) }
  func redraw() {}

  /// Announces the keys at the start of a session.
  func announce() throws { try output.line(style.localized("Press h for the list of keys.")) }
}
