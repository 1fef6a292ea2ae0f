public import HeartRate

/// What a key came to, told for some seconds.
public enum LiveMessage: Equatable, Sendable {
  /// Where a mark went to besides the session.
  public enum Journal: Equatable, Sendable {
    /// The number of the entry.
    case entry(Int64)
    case nothingIsStored
    case failed(String)
  }

  case marked(number: Int, at: SessionTime, Journal)
  case markedInAllSessions(number: Int)
  case window(LiveView.Span)
  case brokenOff
  case notStored(String)

  /// Whether something was not done that was asked for.
  public var isFailure: Bool {
    switch self {
    case .marked(_, _, .failed), .notStored: true
    case .marked, .markedInAllSessions, .window, .brokenOff: false
    }
  }

  public var text: String {
    switch self {
    case .marked(let number, let time, .entry(let entry)):
      "Mark \(number) at \(clock(time)), journal entry \(entry). Say more: stressmon journal edit \(entry) --note TEXT"
    case .marked(let number, let time, .nothingIsStored):
      "Mark \(number) at \(clock(time)); in no journal, because nothing is stored."
    case .marked(let number, let time, .failed(let reason)):
      "Mark \(number) at \(clock(time)) is in the session, not in the journal: \(reason.printable)"
    case .markedInAllSessions(let number):
      "Mark \(number) is in every session, and where they are stored in the journal."
    case .window(let span): "The trend covers \(span.words). What is measured and kept stays as it is."
    case .brokenOff: "The exercise ended before its breathing began: there is nothing to compare."
    case .notStored(let reason): "The result of the exercise is not in the history: \(reason.printable)"
    }
  }

  private func clock(_ time: SessionTime) -> String { clockText(seconds: time.seconds) }
}
