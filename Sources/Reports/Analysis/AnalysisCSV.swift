import HRV
import HeartRate

/// Analyses as comma-separated values (RFC 4180): a heading, then one row per session, or per window of it.
///
/// The columns are always the same: those of ``columns`` and every metric of a series. A value that is absent or not
/// selected is empty.
package enum AnalysisCSV {
  /// The columns before the metrics.
  package static let columns =
    [
      "file", "format", "time", "start_s", "duration_s", "series", "psd", "detrend", "correction", "beats",
      MetricDefinition.artefacts.key, "gaps", "gap_s", "rhythm_minutes", "irregular_minutes",
      "classifier", "ectopic_beats", "ectopic_percent", "metrics_valid", "segment", "epoch",
    ] + Provenance.columnNames

  /// The first line.
  package static let heading = line(columns + MetricCatalogue.series.map(\.key))

  /// The row of a whole session.
  package static func row(_ analysis: SessionAnalysis) -> String {
    let series = analysis.series[0]
    let fields =
      identity(analysis, start: .zero, duration: SessionTime(ticks: analysis.duration))
      + [
        .integer(Int64(series.metrics.beats)), .number(analysis.artefactFraction.map { $0 * 100 }),
        .integer(Int64(analysis.gaps)), .seconds(SessionTime(ticks: analysis.gapTicks)),
        .integer(analysis.rhythm.map { Int64($0.minutes) }),
        .integer(analysis.rhythm.map { Int64($0.irregularMinutes) }), classifier(analysis),
        .integer(analysis.ectopic.map { Int64($0.count) }), .number(analysis.ectopic?.percent),
        .truth(analysis.validity?.isValid), .text(nil), .integer(nil),
      ] + analysis.provenance.columns
    return line(fields.map(\.csv) + metrics(series.metrics))
  }

  /// One row per window. The columns of gaps, rhythm, ectopic beats and validity, which are determined for whole sessions,
  /// are empty.
  package static func rows(_ windows: AnalysisWindows) -> String {
    windows.windows.map { window in
      let duration = SessionTime(ticks: window.end.ticks - window.start.ticks)
      let fields =
        identity(windows.analysis, start: window.start, duration: duration)
        + [
          .integer(Int64(window.metrics.beats)), .number(window.artefactFraction.map { $0 * 100 }),
          .integer(nil), .number(nil), .integer(nil), .integer(nil), classifier(windows.analysis),
          .integer(nil), .number(nil), .truth(nil), .text(window.segment?.name),
          .integer(window.segment?.epoch.map(Int64.init)),
        ] + windows.analysis.provenance.columns
      return line(fields.map(\.csv) + metrics(window.metrics))
    }.joined()
  }

  /// The fields up to `correction`.
  private static func identity(
    _ analysis: SessionAnalysis, start: SessionTime, duration: SessionTime
  ) -> [FieldValue] {
    [
      .text(analysis.file), .text(analysis.format),
      .text(analysis.started?.advanced(ticks: start.ticks).rfc3339), .seconds(start), .seconds(duration),
      .text(analysis.series[0].name), .text(analysis.methods.spectrum.method.rawValue),
      .text(analysis.methods.spectrum.detrending.rawValue),
      .text(analysis.top == .raw ? "none" : analysis.methods.correctionName),
    ]
  }

  private static func classifier(_ analysis: SessionAnalysis) -> FieldValue {
    .text(analysis.top == .raw ? "none" : analysis.methods.classifierName)
  }

  private static func metrics(_ series: SeriesMetrics) -> [String] {
    let values = Dictionary(series.metrics.map { ($0.metric, $0.value) }) { first, _ in first }
    return MetricCatalogue.series.map { FieldValue.number(values[$0] ?? nil).csv }
  }

  private static func line(_ fields: [String]) -> String { fields.joined(separator: ",") + "\r\n" }
}
