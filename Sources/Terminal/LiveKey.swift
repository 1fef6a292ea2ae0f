package import Localization

/// The action of a key on the live screen.
package enum LiveKey: CaseIterable, Sendable {
  // In the order in which they are listed; a narrow terminal shows only the first ones.
  case help
  case quit
  case pause
  case mark
  case window
  case breathe
  /// For sessions that another process runs.
  case next
  case leave

  /// Keys for one session of this process.
  package static let ofOne: [LiveKey] = [.help, .quit, .pause, .mark, .window, .breathe]
  /// Keys for several simultaneous sessions. A breathing exercise is for one person.
  package static let ofSeveral = ofOne.filter { $0 != .breathe }
  /// Keys for a replay, to which nothing can be added.
  package static let ofReplay = ofSeveral.filter { $0 != .mark }
  /// Keys for sessions that other processes run.
  package static let ofAttached: [LiveKey] = [.help, .leave, .next, .pause, .mark, .window]
  /// The keys that have an effect without a screen.
  package static let spoken: Set<LiveKey> = [.help, .quit, .mark]

  /// The action of `key` if it is one of `keys`. Upper and lower case are equivalent.
  package init?(_ key: Character, of keys: [LiveKey]) {
    guard let action = LiveKey(key) else { return nil }
    let known = action == .quit && keys.contains(.leave) ? .leave : action
    guard keys.contains(known) else { return nil }
    self = known
  }

  /// Nil for a key without an action.
  init?(_ key: Character) {
    switch key.lowercased() {
    case "h", "?": self = .help
    case "p", " ": self = .pause
    case "m": self = .mark
    case "w": self = .window
    case "b": self = .breathe
    case "n": self = .next
    // Ctrl-D, the end of input in other programs.
    case "q", "\u{4}": self = .quit
    default: return nil
    }
  }

  /// The name of the key.
  func names(_ style: TerminalStyle) -> String {
    switch self {
    case .help: "h ?"
    case .pause: style.localized("space p")
    case .mark: "m"
    case .window: "w"
    case .breathe: "b"
    case .next: "n"
    case .quit, .leave: "q"
    }
  }

  /// `space pause`
  var short: Phrase {
    switch self {
    case .help: Phrase("h help")
    case .pause: Phrase("space pause")
    case .mark: Phrase("m mark")
    case .window: Phrase("w window")
    case .breathe: Phrase("b breathe")
    case .quit: Phrase("q quit")
    case .next: Phrase("n next person")
    case .leave: Phrase("q leave")
    }
  }

  var explanation: Phrase {
    switch self {
    case .help: Phrase("Show this page; any key closes it")
    case .pause: Phrase("Pause or resume the display; measuring and storing continue")
    case .mark: Phrase("Mark this moment in the session and in the journal")
    case .window: Phrase("Switch the trend between the last 5 minutes and 60 seconds")
    case .breathe: Phrase("Start a breathing exercise: rest, four breaths 4-7-8, rest")
    case .quit: Phrase("End the session; its data are kept")
    case .next: Phrase("Show the next live session")
    case .leave: Phrase("Leave this screen; the session continues")
    }
  }

  /// The key and its effect, for a screen reader.
  package var sentence: Phrase {
    switch self {
    case .help: Phrase("h lists the keys.")
    case .pause: Phrase("Space pauses or resumes.")
    case .mark: Phrase("m marks this moment in the session and in the journal.")
    case .window: Phrase("w changes the period of the trend.")
    case .breathe: Phrase("b starts a breathing exercise.")
    case .quit: Phrase("q ends the session; its data are kept.")
    case .next: Phrase("n shows the next live session.")
    case .leave: Phrase("q leaves this screen; the session continues.")
    }
  }

  /// The first of `keys` that fit in `width` columns.
  package static func line(_ keys: [LiveKey], width: Int, _ style: TerminalStyle) -> String {
    var line = ""
    for key in keys {
      let short = style.localized(key.short)
      let longer = line.isEmpty ? short : "\(line)  \(short)"
      guard longer.columns <= width else { break }
      line = longer
    }
    return line
  }
}

/// The help page: the keys and their actions, in place of the live screen.
package struct KeyHelp: Sendable {
  private let style: TerminalStyle
  private let keys: [LiveKey]

  package init(_ keys: [LiveKey], style: TerminalStyle) { (self.keys, self.style) = (keys, style) }

  /// For a terminal of `width` columns and `height` rows; fewer lines than `height`, none wider than `width`.
  package func lines(width: Int, height: Int) -> [String] {
    let names = keys.map { $0.names(style).columns }.max() ?? 0
    let rows = keys.flatMap { key in
      let text = style.localized(key.explanation).wrapped(
        to: max(10, width - names - 2), unicode: style.unicode)
      return text.enumerated().map { ($0 == 0 ? key.names(style) : "").padded(to: names) + "  " + $1 }
    }
    // Ctrl-C is listed last and omitted first.
    let last =
      keys.contains(.leave)
      ? style.localized("Ctrl-C also leaves this screen; Ctrl-Z suspends the program.")
      : style.localized("Ctrl-C also ends the session; Ctrl-Z suspends the program.")
    let all = [style.bold(style.localized("Keys"))] + rows + ["", style.dim(last)]
    return all.prefix(max(1, height - 1)).map { $0.clipped(to: width, unicode: style.unicode) }
  }
}
