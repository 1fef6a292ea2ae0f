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
