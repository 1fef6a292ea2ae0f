import HeartRate
import History
import Localization
import Platform
import Reports
import Terminal

/// Reads the inputs of an analysis: files, or stored sessions and parts of them. The history is opened for sessions only.
struct AnalysisInput {
  let files: FileOptions
  let store: StoreOptions
  let top: SessionAnalysis.Top
  /// Whether the beats are compared with the electrocardiogram, which an input must then contain.
  var comparesECG = false
  let methods: AnalysisMethods
  let selection: MetricsSelection?
  /// Whether the beats are required where the metrics alone do not need them.
  let keepsBeats: Bool
  /// Whether an input must be one session.
  let isSingle: Bool
  /// Whether the digest of each file is computed, for outputs that state it.
  var hasDigests = false

  /// Calls `body` with the analysis of each session of an input.
  func analyses(_ name: String, _ body: (SessionAnalysis) throws -> Void) throws {
    if SessionFinder.isFile(name) || name == "-" { return try file(name, body) }
    let source: ComparedSource
    do throws(SourceSyntaxError) {
      source = try ComparedSource(name, isFile: SessionFinder.isFile)
    } catch {
      throw CommandFailure(.usage, error.message)
    }
    if case .named(let path, let span) = source {
      if isPath(path) { return try part(of: path, span, named: name, body) }
      guard try finder().session(named: path) != nil else { return try file(path, body) }
    }
    let analyses = try SessionAnalysis.stored(
      source, named: name, in: finder(), top: top, selection: selection, methods: methods,
      comparesECG: comparesECG)
    if isSingle, analyses.count > 1 {
      throw CommandFailure(
        .usage,
        Phrase("\(name) contains \(analyses.count) sessions, and one is required: name it by its ID"))
    }
    for analysis in analyses { try body(checked(analysis)) }
  }

  /// The analysis, unless it lacks the requested electrocardiogram.
  private func checked(_ analysis: SessionAnalysis) throws -> SessionAnalysis {
    if comparesECG, analysis.ecg == nil { throw Self.withoutECG(analysis.file) }
    return analysis
  }

  private static func withoutECG(_ file: String) -> CommandFailure {
    CommandFailure(
      .badData,
      Phrase(
        """
        cannot compare \(file.printable) with an electrocardiogram: the file contains none with R peaks; record one with an \
        H10: stressmon record FILE --ecg
        """))
  }

  private func isPath(_ name: String) -> Bool { SessionFinder.isFile(name) || name == "-" }

  private func finder() throws -> SessionFinder {
    let stored = try ProfileHistory(store)
    return SessionFinder(location: stored.location, profile: stored.profile)
  }

  /// Analyzes each session of a file.
  private func file(_ path: String, _ body: (SessionAnalysis) throws -> Void) throws {
    let opened = try files.open(path)
    if case .rrText(let text) = opened {
      if comparesECG { throw Self.withoutECG(path) }
      var analysis = try SessionAnalysis(
        text: text, file: path, top: top, selection: selection, methods: methods, keepsBeats: keepsBeats)
      analysis.inputDigest = try digest(path)
      return try body(analysis)
    }
    var count = 0
    let digest = try digest(path)
    func analyze(_ session: OpenedSession) throws {
      count += 1
      let name = count > 1 ? "\(path)#\(count)" : path
      var analysis = SessionAnalysis(
        session, file: name, top: top, selection: selection, methods: methods, comparesECG: comparesECG)
      analysis.inputDigest = digest
      try body(checked(analysis))
    }
    if isSingle { return try analyze(opened.onlySession(report: reportProblem)) }
    try opened.forEachSession(report: reportProblem, analyze)
  }

  /// Analyzes a part of a file with one session.
  private func part(
    of path: String, _ span: SessionSpan?, named name: String, _ body: (SessionAnalysis) throws -> Void
  ) throws {
    let session = try files.open(path).onlySession(report: reportProblem)
    var analysis = try SessionAnalysis(
      session, span: span, named: name, top: top, selection: selection, methods: methods,
      comparesECG: comparesECG)
    analysis.inputDigest = try digest(path)
    try body(checked(analysis))
  }

  private func digest(_ path: String) throws -> String? {
    hasDigests ? try FileDigest.hex(ofFile: path) : nil
  }
}
