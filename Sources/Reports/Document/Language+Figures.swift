package import HRV
package import Localization
package import Plot
import Stress

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
