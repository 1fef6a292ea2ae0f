import Design
package import HRV
import LiveSession
package import Localization
package import Plot
package import Stress

/// The texts of documents and pages, which are UTF-8 in every locale.
extension Language {
  /// The text in this language.
  package func localized(_ text: Phrase.Template) -> String { self.text(Phrase(text)) }

  /// The text in this language, in the plural form for `count`.
  package func localized(_ one: Phrase.Template, _ many: Phrase.Template, count: Int) -> String {
    text(Phrase(one, many, count: count))
  }

  package func localized(_ phrase: Phrase) -> String { text(phrase) }

  /// The name of the category, capitalised: `Relaxed`.
  package func word(_ category: StressCategory) -> String { text(Phrase(known: category.token.word)) }

  /// The name of the category for the middle of a sentence and for table cells: `relaxed`.
  package func lowercasedWord(_ category: StressCategory) -> String { text(category.lowercasedName) }
}

extension Language {
  /// The texts inside figures.
  package var figureTexts: FigureTexts {
    var texts = FigureTexts(
      verdicts: Dictionary(uniqueKeysWithValues: Verdict.allCases.map { ($0, text($0.name)) }),
      categories: Dictionary(uniqueKeysWithValues: StressCategory.allCases.map { ($0, lowercasedWord($0)) }),
      absence: { [self] in text($0.phrase) })
    texts.minutes = localized("time (min:s)")
    texts.hours = localized("time (h:min:s)")
    texts.rrInterval = localized("RR interval (ms)")
    texts.nnInterval = localized("NN interval (ms)")
    texts.nextNNInterval = localized("next NN interval (ms)")
    texts.frequency = localized("frequency (Hz)")
    texts.density = localized("density (ms²/Hz)")
    texts.densityInThousands = localized("density (1000 ms²/Hz)")
    texts.noBeats = localized("no beats")
    texts.noPairs = localized("no two normal beats in a row")
    texts.noPower = localized("no power")
    texts.nothingMeasured = localized("nothing was measured")
    return texts
  }
}

extension Verdict {
  /// The verdict in tables and legends.
  package var name: Phrase { Phrase(known: rawValue) }
}

extension Language {
  /// A date or the label of a chart in words: `Mon 16 Nov 2026`, `Nov 2026`, `Nov`.
  package func date(_ text: String) -> String { self.text(.date(text)) }

  /// `5 Nov`
  /// - Parameter day: in days since 1970-01-01.
  package func dayOfMonth(_ day: Int64) -> String {
    let date = TrendPeriod.date(day).split(separator: "-").map(String.init)
    return text(Phrase("\(Phrase.number(date[2])) \(Phrase.month(date[1]))"))
  }
}

extension Phrase {
  /// The texts of `TrendPeriod` and `LocalCalendar` in words: an ISO 8601 date or month, the abbreviation of a weekday or
  /// month, or several of them with a time of day after them, such as `Mon 2026-11-16` and `2026-11-16 07:30`.
  package static func date(_ text: String) -> Phrase {
    Phrase(joining: text.split(separator: space).map { part($0) }, separator: space)
  }

  private static func part(_ text: Substring) -> Phrase {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, parts[0].utf8.count == 4, parts.allSatisfy({ UInt($0) != nil }) else {
      return names[String(text)] ?? Phrase(untranslated: String(text))
    }
    let (month, year) = (month(parts[1]), parts[0])
    if parts.count == 2 { return Phrase(joining: [month, Phrase(untranslated: year)], separator: space) }
    return Phrase("\(number(parts[2])) \(month) \(year)")
  }

  /// A number without leading zero.
  fileprivate static func number(_ text: String) -> String { String(text.drop { $0 == "0" }) }

  /// - Parameter number: `01` to `12`.
  fileprivate static func month(_ number: String) -> Phrase {
    guard let place = Int(number), months.indices.contains(place - 1) else {
      return Phrase(untranslated: number)
    }
    return months[place - 1]
  }

  private static let space = " "

  private static let months = [
    Phrase("Jan"), Phrase("Feb"), Phrase("Mar"), Phrase("Apr"), Phrase("May"), Phrase("Jun"), Phrase("Jul"),
    Phrase("Aug"), Phrase("Sep"), Phrase("Oct"), Phrase("Nov"), Phrase("Dec"),
  ]

  private static let weekdays = [
    Phrase("Mon"), Phrase("Tue"), Phrase("Wed"), Phrase("Thu"), Phrase("Fri"), Phrase("Sat"), Phrase("Sun"),
  ]

  /// The phrases of the abbreviations by their English text.
  private static let names = Dictionary(
    uniqueKeysWithValues: (weekdays + months).map { (Language.english.text($0), $0) })
}
