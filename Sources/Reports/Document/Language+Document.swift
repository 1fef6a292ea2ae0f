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

  /// A date or the label of a chart with its weekday or month: `Mon 2026-11-16`, `Nov`.
  package func date(_ text: String) -> String { self.text(.date(text)) }

  /// `5 Nov`
  /// - Parameter day: in days since 1970-01-01.
  package func dayOfMonth(_ day: Int64) -> String {
    let month = TrendPeriod.month(of: day).prefix { $0 != " " }
    let number = TrendPeriod.date(day).suffix(2)
    return "\(number.hasPrefix("0") ? number.dropFirst() : number) \(date(String(month)))"
  }

  /// The name of the category, capitalised: `Relaxed`.
  package func word(_ category: StressCategory) -> String { text(Phrase(known: category.token.word)) }

  /// The name of the category for the middle of a sentence and for table cells: `relaxed`.
  package func lowercasedWord(_ category: StressCategory) -> String { text(category.lowercasedName) }
}

extension Phrase {
  /// A date or the label of a chart that begins with the abbreviation of a weekday or month of `TrendPeriod` or
  /// `LocalCalendar`.
  package static func date(_ text: String) -> Phrase {
    let name = String(text.prefix(while: \.isLetter))
    guard let phrase = dateNames[name] else { return Phrase(untranslated: text) }
    let rest = String(text.dropFirst(name.count))
    return rest.isEmpty ? phrase : Phrase(joining: [phrase, Phrase(untranslated: rest)])
  }

  private static let dateNames: [String: Phrase] = [
    "Mon": Phrase("Mon"), "Tue": Phrase("Tue"), "Wed": Phrase("Wed"), "Thu": Phrase("Thu"),
    "Fri": Phrase("Fri"),
    "Sat": Phrase("Sat"), "Sun": Phrase("Sun"),
    "Jan": Phrase("Jan"), "Feb": Phrase("Feb"), "Mar": Phrase("Mar"), "Apr": Phrase("Apr"),
    "May": Phrase("May"),
    "Jun": Phrase("Jun"), "Jul": Phrase("Jul"), "Aug": Phrase("Aug"), "Sep": Phrase("Sep"),
    "Oct": Phrase("Oct"),
    "Nov": Phrase("Nov"), "Dec": Phrase("Dec"),
  ]
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
