import Formats
import Glibc
import HeartRate
package import History
import Platform
import SessionData
import Stress

/// Finds and reads the sides of a comparison. The history is read and never written.
package struct ComparedSides {
  private let open: (String) throws -> SessionFile
  private let location: StoreLocation
  private let profile: String
  private let report: SessionFile.Report

  /// - Parameters:
  ///   - profile: the profile whose sessions are compared.
  ///   - open: opens a file.
  ///   - report: receives each problem that does not prevent the comparison.
  package init(
    location: StoreLocation, profile: String, open: @escaping (String) throws -> SessionFile,
    report: @escaping SessionFile.Report
  ) {
    (self.open, self.location, self.profile, self.report) = (open, location, profile, report)
  }

  package static func isFile(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// - Parameter name: the argument that names the side.
  package func side(_ source: ComparedSource, named name: String) throws -> ComparedSide {
    switch source {
    case .named(let path, let span):
      if ComparedSides.isFile(path) || path == "-" { return try file(path, span, name) }
      if let stored = try stored(path) { return try session(stored, span, name) }
      guard !path.contains(where: { "/.".contains($0) }) else { return try file(path, span, name) }
      throw ReportError(.noFileOrSession(profile: profile), path)
    case .session(let prefix, let span):
      guard let stored = try stored(prefix) else { throw ReportError(.noSession, prefix) }
      return try session(stored, span, name)
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
      sensor: ComparedSide.Sensor(strap: strap), parts: [part.narrowed(to: span)])
  }

  /// The first strap of a link event.
  private static func strap(_ events: [SessionEvent]) -> StrapIdentity? {
    for event in events {
      if case .link(let change) = event.kind, let strap = change.strap { return strap }
    }
    return nil
  }

  /// Nil if there is no history, or no session with this prefix.
  private func stored(_ prefix: String) throws -> StoredSession? {
    try HistoryReader(location)?.session(beginningWith: prefix, of: profile)
  }

  private func session(_ stored: StoredSession, _ span: SessionSpan?, _ name: String) throws -> ComparedSide {
    try ComparedSide(
      name: name, kind: .session, started: stored.info.started, profile: stored.info.profile,
      sensor: Self.sensor(stored), parts: [part(stored).narrowed(to: span)])
  }

  private func history(_ times: Range<WallTime>, _ name: String) throws -> ComparedSide {
    let stored = try HistoryReader(location)?.sessions(of: profile, in: times) ?? []
    guard let first = stored.first else { throw ReportError(.noSessionInRange(profile: profile), name) }
    let parts = try stored.map { session in
      var part = try part(session)
      part.start = SessionTime(ticks: times.lowerBound.ticks(since: session.info.started))
      part.end = SessionTime(ticks: times.upperBound.ticks(since: session.info.started))
      part.offset = session.info.started.ticks(since: first.info.started)
      return part
    }
    return try ComparedSide(
      name: name, kind: .history, started: first.info.started, profile: profile, sensor: Self.sensor(first),
      parts: parts)
  }

  private func part(_ stored: StoredSession) throws -> SessionPart {
    guard let events = try HistoryReader(location)?.events(of: stored.info.id) else {
      throw HistoryError(.replaced, path: location.path, .read)
    }
    let all = Array(events)
    if let failure = events.failure { throw failure }
    return SessionPart(events: all, settings: stored.info.settings, baseline: stored.info.baseline)
  }

  private static func sensor(_ stored: StoredSession) -> ComparedSide.Sensor {
    ComparedSide.Sensor(source: stored.info.source, strap: stored.strap)
  }
}

extension WallTime {
  /// Ticks of 1/80 microsecond from `other` to this time.
  fileprivate func ticks(since other: WallTime) -> Int64 { (microseconds - other.microseconds) * 80 }
}
