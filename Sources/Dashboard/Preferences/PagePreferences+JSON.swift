import Breathing
import JSONLines

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
      line.put("cards", texts: cards.map(\.rawValue))
      line.put("favourites", texts: favourites.map(\.description))
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
      let cards = object.texts("cards"), let favourites = object.texts("favourites")
    else { return nil }
    (self.theme, self.accent, self.reducedMotion, self.language) = (theme, accent, reducedMotion, language)
    if let value = object["text_size_percent"] {
      guard let size = object.double(value).flatMap({ Int(exactly: $0) }), Self.textSizes.contains(size)
      else { return nil }
      textSize = size
    }
    self.cards = Self.completed(cards.compactMap(Card.init))
    for text in favourites {
      guard let pattern = try? BreathingPattern(text) else { return nil }
      _ = addFavourite(pattern)
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
