package import JSONLines
package import Localization

/// A metric as every output names it: JSON, CSV, tables and the documentation.
package struct MetricDefinition: Hashable, Sendable {
  /// Key in JSON and CSV. It contains the unit.
  package let key: String
  package let name: String
  /// Unit in tables; empty for a number without a unit.
  package let unit: String
  /// Digits after the decimal point in tables.
  package let decimals: Int
  package let summary: String
  /// Authors and year of the definition. Elementary quantities and definitions of this program have none.
  package let source: String?
  /// Whether the metric qualifies the one before it. Tables indent its name.
  package let isQualifier: Bool

  init(
    _ key: String, _ name: String, unit: String = "", decimals: Int, _ summary: String, source: String? = nil,
    isQualifier: Bool = false
  ) {
    (self.key, self.name, self.unit, self.decimals) = (key, name, unit, decimals)
    (self.summary, self.source, self.isQualifier) = (summary, source, isQualifier)
  }

  package static func == (a: MetricDefinition, b: MetricDefinition) -> Bool { a.key == b.key }
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// ``name`` in the language of the reader. Abbreviations are the same in every language.
  package var title: Phrase { Phrase(known: name) }

  /// Name in the first column of a table.
  package var label: String { isQualifier ? "  " + name : name }

  /// Name with unit, as the heading of a column: `RMSSD ms`.
  package var heading: String { unit.isEmpty ? name : "\(name) \(unit)" }

  /// Key of a statistic of the metric, with the unit at its end: `rmssd_mean_ms` for `mean`, `stress_mean` without a unit.
  package func key(of statistic: String) -> String {
    guard !unit.isEmpty, let end = key.lastIndex(of: "_") else { return "\(key)_\(statistic)" }
    return "\(key[..<end])_\(statistic)\(key[end...])"
  }
}

extension JSONLine {
  /// Adds the value of a metric under its key.
  package mutating func put(_ metric: MetricDefinition, _ value: Double?) { put(metric.key, value) }
}
