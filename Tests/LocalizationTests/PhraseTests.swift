import Localization
import Testing

@Suite struct PhraseTests {
  /// A synthetic language with a different word order and three plural forms.
  private let backwards = Language("xx") { key, plural in
    let texts = [
      "Cycle {1} of {2}": "de {2} le {1}", "Hold": "H\u{E4}lt \u{2026}", "{1} beat": "{1} ɐ",
      "nothing {9}": "{9}{",
    ]
    return (texts[key] ?? key) + (plural.map { " \($0.key) \($0.count)" } ?? "")
  }

  @Test func valuesReplaceTheirPlaceholders() {
    let phrase = Phrase("Cycle \(3) of \("{1} \u{1F600}")")
    #expect(Language.english.text(phrase) == "Cycle 3 of {1} \u{1F600}")
    #expect(backwards.text(phrase) == "de {1} \u{1F600} le 3")
    #expect(Language.english.text(Phrase("plain")) == "plain")
    #expect(Language.english.text(Phrase(known: "50 {1} %")) == "50 {1} %")
  }

  @Test func phrasesWithinAPhraseAreTranslated() {
    let phrase = Phrase("Cycle \(Phrase("Hold")) of \([Phrase("Hold"), Phrase("plain")], separator: "; ")")
    #expect(Language.english.text(phrase) == "Cycle Hold of Hold; plain")
    #expect(backwards.text(phrase) == "de H\u{E4}lt \u{2026}; plain le H\u{E4}lt \u{2026}")
    #expect(backwards.text(phrase, ascii: true) == "de Haelt ...; plain le Haelt ...")
  }

  @Test(arguments: [(0, "0 beats"), (1, "1 beat"), (2, "2 beats"), (-1, "-1 beats")])
  func pluralFormDependsOnTheCount(count: Int, text: String) {
    let phrase = Phrase("\(count) beat", "\(count) beats", count: count)
    #expect(Language.english.text(phrase) == text)
    #expect(backwards.text(phrase) == "\(count) ɐ \(count) beats \(count)")
  }

  @Test func asciiTransliterationKeepsValues() {
    #expect(backwards.text(Phrase("Hold"), ascii: true) == "Haelt ...")
    #expect(backwards.text(Phrase("Cycle \(1) of \("é")"), ascii: true) == "de é le 1")
    #expect("Größe, año, Élan « là »…".inASCII == "Groesse, ano, Elan \" la \"...")
    #expect("心".inASCII == "?" && "plain".inASCII == "plain")
  }

  /// A comma in German, Spanish and French, in numbers but not in other texts and not in what was typed.
  @Test(arguments: [
    ("4.5", "4,5"), ("-2.0 ms", "-2,0 ms"), ("2.5-3.5", "2,5-3,5"), ("127.0.0.1", "127.0.0.1"), ("4", "4"),
    ("rest.2", "rest.2"), ("1.2.3", "1.2.3"), ("--hrv 4.5", "--hrv 4.5"), ("4.5.", "4.5."), ("", ""),
  ])
  func numbersHaveTheDecimalSignOfTheLanguage(value: String, text: String) {
    let languages = ["de_AT:de", "es", "fr"].map { name in Language(name) { key, _ in key } }
    for language in languages {
      #expect(language.text(Phrase("RMSSD \(value)")) == "RMSSD \(text)")
      #expect(language.text(Phrase("'\(value)' is not valid")) == "'\(value)' is not valid")
      #expect(language.number("12.50") == "12,50")
    }
    #expect(Language.english.text(Phrase("RMSSD \(value)")) == "RMSSD \(value)")
  }

  /// Faulty translations.
  @Test(arguments: ["{", "}", "{}", "{0}", "{7}", "{x}", "{1", "a{1}}b"])
  func faultyTranslationDoesNotTrap(text: String) {
    let language = Language("xx") { _, _ in text }
    let filled = language.text(Phrase("Cycle \(1)"))
    #expect(!filled.contains("{7}") && !filled.contains("{1}"))
  }
}
