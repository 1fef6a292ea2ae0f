import Localization
import Stress
import Testing

@testable import Reports

@Suite struct MetricCatalogueTests {
  /// A row of a table in Markdown, by its headings.
  private struct Row {
    let keys: [String]
    let cells: [String: String]
  }

  /// The rows of all tables whose first heading is `key`.
  private static func rows(_ page: String) -> [Row] {
    var (headings, rows) = ([String](), [Row]())
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        headings = []
        continue
      }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
        String($0).trimmingPrefix { $0 == " " }.description
      }
      guard !headings.isEmpty else {
        headings = cells.map { $0.replacing(" ", with: "") }
        continue
      }
      guard headings[0] == "key", let first = cells.first, first.contains("`") else { continue }
      rows.append(
        Row(
          keys: first.matches(of: /`([^`]+)`/).map { String($0.1) },
          cells: Dictionary(zip(headings, cells)) { first, _ in first }))
    }
    return rows
  }

  @Test func keysAreUniqueAndContainTheUnit() {
    let keys = MetricCatalogue.all.map(\.key)
    #expect(Set(keys).count == keys.count)
    let suffixes = [
      "ms": "_ms", "bpm": "_bpm", "ms^2": "_ms2", "1/min": "_brpm", "%": "_percent", "%/s^2": "_si",
    ]
    for metric in MetricCatalogue.all where !metric.unit.isEmpty {
      let suffix = suffixes[metric.unit] ?? "none"
      #expect(metric.key.hasSuffix(suffix) || metric.key.hasSuffix("_nu"), "\(metric.key)")
    }
    #expect(MetricCatalogue.all.allSatisfy { !$0.summary.isEmpty && !$0.name.isEmpty && $0.decimals <= 3 })
  }

  @Test(arguments: [
    ("rmssd_ms", "mean", "rmssd_mean_ms"), ("stress", "sd", "stress_sd"), ("hr_bpm", "max", "hr_max_bpm"),
    ("unpaced_sdnn_ms", "min", "unpaced_sdnn_min_ms"), ("resonance_brpm", "low", "resonance_low_brpm"),
    ("rmssd_ratio", "high", "rmssd_ratio_high"), ("hrv_ms", "low", "hrv_low_ms"),
  ])
  func keyOfAStatisticEndsWithTheUnit(key: String, statistic: String, expected: String) throws {
    let metric = try #require(MetricCatalogue.all.first { $0.key == key })
    #expect(metric.key(of: statistic) == expected)
  }

  @Test func everyMetricOfASeriesHasARowInTheDocumentationOfMetrics() throws {
    let page = Documentation.page("metrics.md")
    let rows = Self.rows(page)
    #expect(rows.count > 15)
    let documented = Set(rows.flatMap(\.keys))
    for metric in MetricCatalogue.series {
      #expect(documented.contains(metric.key) || page.contains("`\(metric.key)`") || metric.isQualifier)
    }
    #expect(documented.subtracting(MetricCatalogue.series.map(\.key)) == [])
  }

  @Test func unitsAndSourcesEqualTheDocumentationOfMetrics() throws {
    for row in Self.rows(Documentation.page("metrics.md")) {
      for key in row.keys {
        let metric = try #require(MetricCatalogue.series.first { $0.key == key })
        if let unit = row.cells["unit"]?.replacing(" ", with: "") {
          #expect(unit.replacing("percent", with: "%") == metric.unit, "\(key)")
        }
        if let source = row.cells["source"] {
          #expect(source.contains(metric.source ?? "") && (metric.source == nil) == source.isBlank, "\(key)")
        }
      }
    }
  }

  @Test func everyMetricIsInTheDocumentationOfJSON() {
    let page = Documentation.page("json.md")
    for metric in MetricCatalogue.all {
      #expect(
        page.contains("`\(metric.key)`") || page.contains("`\(metric.key(of: "mean"))`"), "\(metric.key)")
    }
  }

  @Test func documentedKeysWithAUnitAreInTheCatalogue() {
    let statistics = ["mean", "min", "max", "sd", "low", "high", "steps"]
    let metrics = MetricCatalogue.all.flatMap { metric in
      [metric.key] + statistics.map { metric.key(of: $0) }
    }
    let prefixed = metrics.flatMap { ["normal_\($0)", "learned_\($0)", "simulated_\($0)", "final_\($0)"] }
    let categories = StressCategory.allCases.map { "\($0.rawValue)_percent" }
    let parts = metrics.flatMap { ["before_\($0)", "morning_\($0)"] }
    // Received values, which are not metrics, features of acceleration, results of regressions and of a comparison with
    // an electrocardiogram, the amplitudes of the steps of an exercise, and the fraction of ectopic beats.
    let received = [
      "rr_ms", "battery_percent", "resonance_steps_ms", "resonance_steps_error_ms", "still_percent",
      "respiration_brpm", "threshold_hr_bpm", "slope_per_bpm", "mean_error_ms", "mean_absolute_error_ms",
      "ectopic_percent",
    ]
    let cosinor = ["mesor", "amplitude"].flatMap { ["\($0)_bpm", "\($0)_low_bpm", "\($0)_high_bpm"] }
    let known = Set(metrics + prefixed + categories + parts + received + cosinor)
    for match in Documentation.page("json.md").matches(of: /`([a-z0-9_]+_(?:ms2?|bpm|brpm|percent|nu))`/) {
      #expect(known.contains(String(match.1)), "\(match.1)")
    }
  }

  @Test func seriesHaveTheMetricsOfTheCatalogueInItsOrder() {
    let metrics = SeriesMetrics(Intervals.beats(Intervals.alternating(800, count: 20)), .all)
    #expect(metrics.metrics.map(\.metric) == MetricCatalogue.series)
  }
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy { $0 == " " } }
}
