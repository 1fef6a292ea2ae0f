import Formats
package import HeartRate
package import History
import Platform
import SessionData
import Stress

/// Finds and reads the sides of a comparison. The history is read and never written.
package struct ComparedSides {
  private let open: (String) throws -> SessionFile
  private let finder: SessionFinder
  private let report: SessionFile.Report
  private let methods: AnalysisMethods
  private let top: SessionAnalysis.Top

  /// - Parameters:
  ///   - profile: the profile whose sessions are compared.
  ///   - open: opens a file.
  ///   - methods: the classification and the spectrum.
  ///   - top: the series that is compared.
  ///   - report: receives each problem that does not prevent the comparison.
  package init(
    location: StoreLocation, profile: String, methods: AnalysisMethods = AnalysisMethods(),
    top: SessionAnalysis.Top = .normal, open: @escaping (String) throws -> SessionFile,
    report: @escaping SessionFile.Report
  ) {
    (self.open, self.report, self.methods, self.top) = (open, report, methods, top)
    finder = SessionFinder(location: location, profile: profile)
  }

  /// - Parameter name: the argument that names the side.
  package func side(_ source: ComparedSource, named name: String) throws -> ComparedSide {
    switch source {
    case .named(let path, let span):
      guard let stored = try finder.session(named: path) else { return try file(path, span, name) }
      return try session(stored, span, name)
    case .session(let prefix, let span):
      return try session(finder.existingSession(beginningWith: prefix), span, name)
    case .history(let times):
      return try history(times, name)
    }
  }

  private func file(_ path: String, _ span: SessionSpan?, _ name: String) throws -> ComparedSide {
    let session = try open(path).onlySession(report: report)
    if session.format == .rr, session.skipped > 0 {
      report("\(path.withoutControlCharacters): bad lines skipped: \(session.skipped)")
    }
    let (events, header) = (Array(session.events), session.header)
    let part = SessionPart(
      events: events, settings: header?.settings ?? StressEngine.Settings(),
      baseline: header?.baseline ?? .populationDefault)
    let strap = session.strap ?? (session.format == .recording ? Self.strap(events) : nil)
    return try ComparedSide(
      name: name, kind: .file, started: session.started, profile: header?.profile,
      sensor: ComparedSide.Sensor(strap: strap), parts: [part.narrowed(to: span, named: name)],
      methods: methods, top: top)
  }

  /// The first strap of a link event.
  private static func strap(_ events: [SessionEvent]) -> StrapIdentity? {
    for event in events {
      if case .link(let change) = event.kind, let strap = change.strap { return strap }
    }
    return nil
  }

  private func session(_ stored: StoredSession, _ span: SessionSpan?, _ name: String) throws -> ComparedSide {
    try ComparedSide(
      name: name, kind: .session, started: stored.info.started, profile: stored.info.profile,
      sensor: Self.sensor(stored), parts: [finder.part(stored).narrowed(to: span, named: name)],
      methods: methods, top: top)
  }

  private func history(_ times: Range<WallTime>, _ name: String) throws -> ComparedSide {
    let stored = try finder.sessions(in: times, named: name)
    let first = stored[0]
    let parts = try stored.map { session in
      var part = try finder.part(session, within: times)
      part.offset = session.info.started.ticks(since: first.info.started)
      return part
    }
    return try ComparedSide(
      name: name, kind: .history, started: first.info.started, profile: finder.profile,
      sensor: Self.sensor(first),
      parts: parts, methods: methods, top: top)
  }

  private static func sensor(_ stored: StoredSession) -> ComparedSide.Sensor {
    ComparedSide.Sensor(source: stored.info.source, strap: stored.strap)
  }
}

/// The data of one side of a comparison, by name.
package enum ComparedSource: Equatable, Sendable {
  /// A file, or a stored session if there is no such file.
  case named(String, SessionSpan?)
  /// A stored session, by the prefix of its ID.
  case session(String, SessionSpan?)
  /// All sessions of the profile in a range of times.
  case history(Range<WallTime>)
}
