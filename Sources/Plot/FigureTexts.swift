package import HRV
package import Stress

/// The texts inside figures: names of axes, legends, and the reasons why a plot is empty. The caller translates them.
package struct FigureTexts: Sendable {
  /// The verdicts in the legend of a tachogram.
  package var verdicts: [Verdict: String]
  /// The categories in the legend of stress values.
  package var categories: [StressCategory: String]
  /// Why a metric has no value.
  package var absence: @Sendable (Absence) -> String

  // Names of axes.
  package var minutes = "time (min:s)"
  package var hours = "time (h:min:s)"
  package var rrInterval = "RR interval (ms)"
  package var nnInterval = "NN interval (ms)"
  package var nextNNInterval = "next NN interval (ms)"
  package var frequency = "frequency (Hz)"
  package var density = "density (ms²/Hz)"
  package var densityInThousands = "density (1000 ms²/Hz)"

  // Empty plots.
  package var noBeats = "no beats"
  package var noPairs = "no two normal beats in a row"
  package var noPower = "no power"
  package var nothingMeasured = "nothing was measured"

  package init(
    verdicts: [Verdict: String], categories: [StressCategory: String],
    absence: @escaping @Sendable (Absence) -> String
  ) {
    (self.verdicts, self.categories, self.absence) = (verdicts, categories, absence)
  }

  package static let english = FigureTexts(
    verdicts: Dictionary(uniqueKeysWithValues: Verdict.allCases.map { ($0, $0.rawValue) }),
    categories: Dictionary(uniqueKeysWithValues: StressCategory.allCases.map { ($0, $0.rawValue) }),
    absence: { "\($0)" })

  func name(_ verdict: Verdict) -> String { verdicts[verdict] ?? verdict.rawValue }
  func name(_ category: StressCategory) -> String { categories[category] ?? category.rawValue }
}
