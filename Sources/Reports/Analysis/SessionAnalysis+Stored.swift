import Formats
import HeartRate
import History

extension SessionAnalysis {
  /// The format of a stored session in the output.
  package static let storedFormat = "session"

  /// Analyzes stored sessions, or parts of them: one analysis per session.
  /// - Throws: ``ReportError`` if a part contains no beat or does not exist; `HistoryError`.
  package static func stored(
    _ source: ComparedSource, named name: String, in finder: SessionFinder, top: Top,
    selection: MetricsSelection?, methods: AnalysisMethods = AnalysisMethods(), comparesECG: Bool = false
  ) throws -> [SessionAnalysis] {
    try parts(source, named: name, in: finder).map { stored, part, suffix in
      let analysis = SessionAnalysis(
        events: part.events, file: stored.info.id.text + suffix, format: storedFormat,
        started: stored.info.started, top: top, selection: selection, methods: methods,
        within: part.start...max(part.start, part.end), comparesECG: comparesECG)
      guard analysis.beats > 0 else { throw ReportError(.noBeats, name) }
      return analysis
    }
  }

  private static func parts(
    _ source: ComparedSource, named name: String, in finder: SessionFinder
  ) throws -> [(StoredSession, SessionPart, String)] {
    switch source {
    case .named(let prefix, let span), .session(let prefix, let span):
      let stored = try finder.existingSession(beginningWith: prefix)
      let suffix = span == nil ? "" : name.lastIndex(of: "@").map { String(name[$0...]) } ?? ""
      return [(stored, try finder.part(stored).narrowed(to: span), suffix)]
    case .history(let times):
      return try finder.sessions(in: times, named: name).map {
        ($0, try finder.part($0, within: times), "")
      }
    }
  }
}

extension SessionAnalysis {
  /// Analyzes a part of the only session of a file.
  /// - Throws: ``ReportError`` if the part contains no beat or does not exist.
  package init(
    _ session: OpenedSession, span: SessionSpan?, named name: String, top: Top,
    selection: MetricsSelection?, methods: AnalysisMethods, comparesECG: Bool = false
  ) throws(ReportError) {
    let part = try SessionPart(events: Array(session.events)).narrowed(to: span)
    self.init(
      events: part.events, file: name, format: session.format.rawValue, started: session.started, top: top,
      selection: selection, methods: methods, skipped: session.skipped,
      within: part.start...max(part.start, part.end), comparesECG: comparesECG)
    guard beats > 0 else { throw ReportError(.noBeats, name) }
  }
}
