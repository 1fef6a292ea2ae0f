import HeartRate
import Localization
import Reports
import Terminal

/// Prints analyses, one after the other, on standard output.
final class AnalysisPrinter {
  enum Format: Equatable {
    case text, json, csv, alphaText, alphaJSON
  }

  private let format: Format
  private let window: Duration?
  private let step: Duration?
  private let segments: [Segment]
  private let output = StandardOutput()
  private var isFirst = true

  /// - Parameters:
  ///   - window: the length of windows, unless the whole session is one.
  ///   - step: the time from one window to the next, if it differs from `window`.
  ///   - segments: the parts of each session, if they are reported instead of the whole session or windows.
  init(format: Format, window: Duration?, step: Duration?, segments: [Segment] = []) {
    (self.format, self.window, self.step, self.segments) = (format, window, step, segments)
  }

  func print(_ analysis: SessionAnalysis) throws {
    let text = try rendered(analysis)
    if isFirst, format == .csv { try output.write(AnalysisCSV.heading) }
    if !isFirst, format == .text || format == .alphaText { try output.write("\n") }
    isFirst = false
    try output.write(text)
  }

  private func rendered(_ analysis: SessionAnalysis) throws -> [UInt8] {
    switch (format, try windows(analysis)) {
    case (.alphaText, _): Array(AlphaReportText(try alpha(analysis)).text.utf8)
    case (.alphaJSON, _): try alpha(analysis).json
    case (.text, nil): Array(AnalysisText(analysis: analysis).text.utf8)
    case (.json, nil): analysis.json
    case (.csv, nil): Array(AnalysisCSV.row(analysis).utf8)
    case (.text, let windows?): Array(AnalysisWindowsText(windows).text.utf8)
    case (.json, let windows?): windows.json
    case (.csv, let windows?): Array(AnalysisCSV.rows(windows).utf8)
    }
  }

  /// The windows or the segments, if they are reported instead of the whole session.
  private func windows(_ analysis: SessionAnalysis) throws -> AnalysisWindows? {
    if !segments.isEmpty { return try AnalysisWindows(analysis, segments: segments) }
    guard let window, format != .alphaText, format != .alphaJSON else { return nil }
    return try windows(analysis, window, step ?? window)
  }

  private func alpha(_ analysis: SessionAnalysis) throws -> AlphaReport {
    AlphaReport(try windows(analysis, window ?? AlphaReport.window, step ?? AlphaReport.step))
  }

  private func windows(
    _ analysis: SessionAnalysis, _ window: Duration, _ step: Duration
  ) throws -> AnalysisWindows {
    guard let windows = AnalysisWindows(analysis, length: window, step: step) else {
      throw Self.tooShort(analysis, for: window)
    }
    return windows
  }

  private static func tooShort(_ analysis: SessionAnalysis, for window: Duration) -> CommandFailure {
    let seconds = SessionTime(ticks: analysis.duration).seconds
    return CommandFailure(
      .badData,
      Phrase(
        """
        \(analysis.file.printable) lasts \(seconds.fixed(1)) s, too short for a window of \(window.shortText); choose a \
        shorter one, such as --window \(Int(max(1, seconds / 2)))
        """))
  }
}
