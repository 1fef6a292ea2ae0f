import JSONLines

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
  /// Whether the page Now shows one value, one sentence and one action. Without a choice, the setting `simple` applies.
  var isSimple: Bool?
  /// All cards, each once.
  var cards = Card.allCases
  /// The cards that the page does not show.
  var hidden = Self.forResearch
  /// Cards that explain a value rather than state it.
  private static let forResearch: Set<Card> = [.sdnn, .artefacts]
  /// Favourite exercises, each once.
  var favourites: [Exercise] = []

  /// Exchanges a card with the one before or after it. Nothing changes at the ends.
  mutating func move(_ card: Card, earlier: Bool) {
    guard let from = cards.firstIndex(of: card) else { return }
    let to = earlier ? from - 1 : from + 1
    if cards.indices.contains(to) { cards.swapAt(from, to) }
  }

  /// Does nothing if the exercise is a favourite already, or if there are ``mostFavourites``.
  mutating func addFavourite(_ exercise: Exercise) {
    guard favourites.count < Self.mostFavourites, !favourites.contains(exercise) else { return }
    favourites.append(exercise)
  }
}

extension PagePreferences {
  /// The version of the format of the file.
  static let version = 1

  /// One line.
  var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("version", Self.version)
      line.put("theme", theme.rawValue)
      line.put("accent", accent.rawValue)
      line.put("text_size_percent", textSize)
      line.put("reduced_motion", reducedMotion.rawValue)
      line.put("language", language.rawValue)
      if let isSimple { line.put("simple", isSimple) }
      line.put("cards", texts: cards.map(\.rawValue))
      line.put("hidden_cards", texts: cards.filter(hidden.contains).map(\.rawValue))
      line.put("favourites", texts: favourites.map(\.text))
    }
    return line.bytes
  }

  /// Members that are missing have their default value. Fails if the text is not JSON, has a later version, or contains
  /// invalid values.
  init?(json: [UInt8]) {
    guard let object = try? JSONObject(json),
      object["version"].flatMap(object.double) == Double(Self.version),
      let theme: Theme = object.word("theme", default: .system),
      let accent: Accent = object.word("accent", default: .calm),
      let reducedMotion: ReducedMotion = object.word("reduced_motion", default: .system),
      let language: PageLanguage = object.word("language", default: .system),
      let cards = object.texts("cards"),
      let favourites = object.texts("favourites")
    else { return nil }
    (self.theme, self.accent, self.reducedMotion, self.language) = (theme, accent, reducedMotion, language)
    if let value = object["text_size_percent"] {
      guard let size = object.double(value).flatMap({ Int(exactly: $0) }), Self.textSizes.contains(size)
      else { return nil }
      textSize = size
    }
    if let value = object["simple"] {
      guard let isSimple = object.boolean(value) else { return nil }
      self.isSimple = isSimple
    }
    self.cards = Self.completed(cards.compactMap(Card.init))
    if object["hidden_cards"] != nil {
      guard let hidden = object.texts("hidden_cards") else { return nil }
      self.hidden = Set(hidden.compactMap(Card.init))
    }
    for text in favourites {
      guard let exercise = Exercise(text) else { return nil }
      addFavourite(exercise)
    }
  }

  /// Adds the cards that are missing at the end, such as those of a later version of the program.
  private static func completed(_ cards: [Card]) -> [Card] {
    var ordered: [Card] = []
    for card in cards + Card.allCases where !ordered.contains(card) { ordered.append(card) }
    return ordered
  }
}

extension JSONObject {
  /// A word; `fallback` without the member, nil for any other value.
  fileprivate func word<Word: RawRepresentable>(_ key: String, default fallback: Word) -> Word?
  where Word.RawValue == String {
    guard let value = self[key] else { return fallback }
    return string(value).flatMap(Word.init)
  }

  /// An array of texts; empty without the member, nil for any other value.
  fileprivate func texts(_ key: String) -> [String]? {
    guard let value = self[key] else { return [] }
    guard let values = elements(value) else { return nil }
    let texts = values.compactMap(string)
    return texts.count == values.count ? texts : nil
  }
}
