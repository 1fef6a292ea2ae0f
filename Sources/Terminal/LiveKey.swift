/// What a key does on the live screen.
public enum LiveKey: CaseIterable, Sendable {
  // In the order in which they are told: where there is little room, of the first ones alone.
  case help
  case quit
  case pause
  case mark
  case window
  case breathe

  /// Those that make sense for several sessions at once: one person breathes, not all of them.
  public static let ofSeveral = allCases.filter { $0 != .breathe }
  /// Those of a session that is over: nothing can be put into it.
  public static let ofReplay = ofSeveral.filter { $0 != .mark }

  /// Nil for a key that does nothing. Small and capital letters are the same.
  public init?(_ key: Character) {
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
  var names: String {
    switch self {
    case .help: "h ?"
    case .pause: "space p"
    case .mark: "m"
    case .window: "w"
    case .breathe: "b"
    case .quit: "q"
    }
  }

  /// `space pause`
  var short: String {
    switch self {
    case .help: "h help"
    case .pause: "space pause"
    case .mark: "m mark"
    case .window: "w window"
    case .breathe: "b breathe"
    case .quit: "q quit"
    }
  }

  var explanation: String {
    switch self {
    case .help: "This page; any key leaves it"
    case .pause: "Hold what is shown, and go on; measuring and storing never stop"
    case .mark: "Mark this moment in the session and in the journal"
    case .window: "Trend of the last 5 minutes or 60 seconds; only what is shown changes"
    case .breathe: "Breathe now: rest, four breaths 4-7-8, rest; then back here"
    case .quit: "End the session; everything is kept"
    }
  }

  /// As many of `keys` as fit in `width` columns, the first ones first.
  public static func line(_ keys: [LiveKey], width: Int) -> String {
    var line = ""
    for key in keys {
      let longer = line.isEmpty ? key.short : "\(line)  \(key.short)"
      guard longer.columns <= width else { break }
      line = longer
    }
    return line
  }
}

/// What the keys do, where the live screen stands otherwise.
public struct KeyHelp: Sendable {
  private let style: TerminalStyle
  private let keys: [LiveKey]

  public init(_ keys: [LiveKey], style: TerminalStyle) { (self.keys, self.style) = (keys, style) }

  /// For a terminal of `width` columns and `height` rows; fewer lines than `height`, none wider than `width`.
  public func lines(width: Int, height: Int) -> [String] {
    let names = keys.map(\.names.columns).max() ?? 0
    let rows = keys.flatMap { key in
      let text = key.explanation.wrapped(to: max(10, width - names - 2))
      return text.enumerated().map { ($0 == 0 ? key.names : "").padded(to: names) + "  " + $1 }
    }
    // Ctrl-C is told last, and left out first.
    let all =
      [style.bold("Keys")] + rows + ["", style.dim("Ctrl-C ends it too, and Ctrl-Z stops it for a while.")]
    return all.prefix(max(1, height - 1)).map { $0.clipped(to: width, unicode: style.unicode) }
  }
}
