package import HeartRate
import Localization

/// The result of a key press, shown for some seconds.
package enum LiveMessage: Equatable, Sendable {
  /// The journal entry of a mark.
  package enum Journal: Equatable, Sendable {
    /// The number of the entry.
    case entry(Int64)
    case nothingIsStored
    case failed(String)
  }

  case marked(number: Int, at: SessionTime, Journal)
  case markedInAllSessions(number: Int)
  /// The mark of a session that another process runs, which adds it to the journal if it stores the session.
  case markedElsewhere(String)
  case notMarked(String)
  case window(LiveView.Span)
  case brokenOff
  case notStored(String)
  /// The session is ending, which may take until the strap has disconnected.
  case ending

  /// Whether the requested action failed.
  package var isFailure: Bool {
    switch self {
    case .marked(_, _, .failed), .notStored, .notMarked: true
    case .marked, .markedInAllSessions, .markedElsewhere, .window, .brokenOff, .ending: false
    }
  }

  /// The message in the language of `style`. The reason of a failure is not translated.
  package func text(_ style: TerminalStyle) -> String {
    switch self {
    case .marked(let number, let time, .entry(let entry)):
      let command = "stressmon journal edit \(entry) --note TEXT"
      return style.localized(
        "Mark \(number) at \(clock(time)), journal entry \(entry). Edit it with: \(command)")
    case .marked(let number, let time, .nothingIsStored):
      return style.localized(
        "Mark \(number) at \(clock(time)); not in the journal, because nothing is stored.")
    case .marked(let number, let time, .failed(let reason)):
      return style.localized(
        "Mark \(number) at \(clock(time)) is in the session, not in the journal: \(reason.printable)")
    case .markedInAllSessions(let number):
      return style.localized("Mark \(number) is in every session, and in the journal of each stored one.")
    case .markedElsewhere(let mark):
      return style.localized("Marked as: \(mark.printable)")
    case .notMarked(let reason):
      return style.localized("The moment was not marked: \(reason.printable)")
    case .window(let span):
      return style.localized("The trend covers \(span.words). Measuring and storing are not affected.")
    case .brokenOff:
      return style.localized("The exercise ended before the breathing started, so there is no comparison.")
    case .notStored(let reason):
      return style.localized("The result of the exercise was not stored: \(reason.printable)")
    case .ending: return style.localized("Ending the session... Press q again to stop without waiting.")
    }
  }

  /// The message as a sentence for a screen reader.
  package func spoken(_ style: TerminalStyle) -> String {
    switch self {
    case .marked(let number, _, .entry(let entry)):
      style.localized("Mark \(number) is in the session and in the journal, as entry \(entry).")
    case .marked(let number, _, .nothingIsStored):
      style.localized("Mark \(number) is in the session.")
    case .ending: style.localized("Ending the session.")
    case .marked(_, _, .failed), .markedInAllSessions, .markedElsewhere, .notMarked, .window, .brokenOff,
      .notStored:
      text(style)
    }
  }

  private func clock(_ time: SessionTime) -> String { clockText(seconds: time.seconds) }
}
