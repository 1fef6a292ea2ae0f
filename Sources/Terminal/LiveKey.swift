package import Localization

/// What a key does on the live screen.
package enum LiveKey: CaseIterable, Sendable {
  // In the order in which they are told: where there is little room, of the first ones alone.
  case help
  case quit
  case pause
  case mark
  case window
  case breathe

  /// Those that make sense for several sessions at once: one person breathes, not all of them.
  package static let ofSeveral = allCases.filter { $0 != .breathe }
  /// Those of a session that is over: nothing can be put into it.
  package static let ofReplay = ofSeveral.filter { $0 != .mark }
  /// The keys that have an effect without a screen.
  package static let spoken: Set<LiveKey> = [.help, .quit, .mark]

  /// Nil for a key that does nothing. Small and capital letters are the same.
  package init?(_ key: Character) {
    switch key.lowercased() {
    case "h", "?": self = .help
    case "p", " ": self = .pause
    case "m": self = .mark
    case "w": self = .window
    case "b": self = .breathe
    // Ctrl-D, which ends input elsewhere.
    case "q", "\u{4}": self = .quit
    default: return nil
    }
  }

  /// The keys, as they are told.
  func names(_ style: TerminalStyle) -> String {
    switch self {
    case .help: "h ?"
    case .pause: style.localized("space p")
    case .mark: "m"
    case .window: "w"
    case .breathe: "b"
    case .quit: "q"
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
    }
  }

  var explanation: Phrase {
    switch self {
    case .help: Phrase("This page; any key leaves it")
    case .pause: Phrase("Hold what is shown, and go on; measuring and storing never stop")
    case .mark: Phrase("Mark this moment in the session and in the journal")
    case .window: Phrase("Trend of the last 5 minutes or 60 seconds; only what is shown changes")
    case .breathe: Phrase("Breathe now: rest, four breaths 4-7-8, rest; then back here")
    case .quit: Phrase("End the session; everything is kept")
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
    case .quit: Phrase("q ends the session; everything is kept.")
    }
  }

  /// As many of `keys` as fit in `width` columns, the first ones first.
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

/// What the keys do, where the live screen stands otherwise.
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
    // Ctrl-C is told last, and left out first.
    let last = style.localized("Ctrl-C ends it too, and Ctrl-Z stops it for a while.")
    let all = [style.bold(style.localized("Keys"))] + rows + ["", style.dim(last)]
    return all.prefix(max(1, height - 1)).map { $0.clipped(to: width, unicode: style.unicode) }
  }
}
