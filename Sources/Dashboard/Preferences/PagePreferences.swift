import Breathing

/// The appearance of the pages and the choices of the user: the settings of the dashboard, which do not affect measurements.
struct PagePreferences: Equatable, Sendable {
  enum Theme: String, Sendable, CaseIterable {
    /// Light or dark, as the browser prefers.
    case system
    case light
    case dark
    case highContrast = "high-contrast"
  }

  /// The hue of buttons and links.
  enum Accent: String, Sendable, CaseIterable {
    case calm
    case health
    case gentle
  }

  enum ReducedMotion: String, Sendable, CaseIterable {
    /// As the browser prefers.
    case system
    case on
  }

  enum PageLanguage: String, Sendable, CaseIterable {
    /// The first supported language that the browser prefers.
    case system
    case english = "en"
    case german = "de"
    case spanish = "es"
    case french = "fr"
  }

  /// A card of the page Now.
  enum Card: String, Sendable, CaseIterable {
    case heartRate = "heart-rate"
    case rmssd
    case sdnn
    case respiration
    case artefacts
    case beats
    case trend
    case connection
    case week
  }

  /// The text sizes in percent.
  static let textSizes = [80, 90, 100, 110, 120, 130, 140, 160, 180, 200, 230, 260]
  static let mostFavourites = 8

  var theme = Theme.system
  var accent = Accent.calm
  /// One of ``textSizes``.
  var textSize = 100
  var reducedMotion = ReducedMotion.system
  var language = PageLanguage.system
  /// All cards, each once.
  var cards = Card.allCases
  /// Favourite breathing patterns, each once.
  var favourites: [BreathingPattern] = []

  /// Exchanges a card with the one before or after it. Nothing changes at the ends.
  mutating func move(_ card: Card, earlier: Bool) {
    guard let from = cards.firstIndex(of: card) else { return }
    let to = earlier ? from - 1 : from + 1
    if cards.indices.contains(to) { cards.swapAt(from, to) }
  }

  /// Returns false if the pattern is a favourite already, or if there are ``mostFavourites``.
  mutating func addFavourite(_ pattern: BreathingPattern) -> Bool {
    guard favourites.count < Self.mostFavourites, !favourites.contains(pattern) else { return false }
    favourites.append(pattern)
    return true
  }
}
