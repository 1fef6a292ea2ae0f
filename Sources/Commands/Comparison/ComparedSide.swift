import Formats
import Glibc
import HRV
import HeartRate
import History
import Recording
import SessionData
import Stress
import Terminal

/// One side of a comparison, read and measured.
struct ComparedSide {
  /// As it was named.
  let name: String
  /// `file`, `session` or `history`.
  let kind: String
  /// When it began, by the wall clock.
  let time: WallTime?
  /// Whose it is, where that is known.
  let profile: String?
  /// What sent the intervals, where that is known.
  let sensor: Sensor
  let data: ComparedBeats
  let series: NNSeries

  struct Sensor {
    var source: SessionInfo.Source?
    var strap: StrapIdentity?

    /// For people; nil where nothing is known.
    var words: String? { source == .simulated ? "simulated" : strap.map { "\($0)" } }
  }

  init(
    name: String, kind: String, started: WallTime?, profile: String?, sensor: Sensor, parts: [SessionPart]
  ) throws(CommandFailure) {
    (self.name, self.kind, self.profile, self.sensor) = (name, kind, profile, sensor)
    data = ComparedBeats(parts)
    series = data.series
    guard let start = data.stretches.first?.start else {
      throw CommandFailure(
        .badData,
        "\(name.printable) holds no beat; choose another part, or see what there is with: stressmon analyze "
          + "FILE, stressmon history --sessions")
    }
    time = started?.advanced(ticks: start.ticks)
  }

  var change: RMSSDChange.Side { RMSSDChange.Side(sums: series.sums, trust: data.trust.value) }
}

/// Finds and reads what is compared. It reads the store, and never writes it.
struct ComparedSides {
  let files: FileOptions
  let location: StoreLocation
  /// Whose history and sessions are meant.
  let profile: String

  static func isFile(_ path: String) -> Bool { access(path, F_OK) == 0 }

  func side(_ source: ComparedSource, named name: String) throws -> ComparedSide {
    switch source {
    case .named(let path, let span):
      if ComparedSides.isFile(path) || path == "-" { return try file(path, span, name) }
      if let stored = try stored(path) { return try session(stored, span, name) }
      guard !path.contains(where: { "/.".contains($0) }) else { return try file(path, span, name) }
      throw CommandFailure(
        .failed,
        """
        there is no file '\(path.printable)', and no stored session of '\(profile.printable)' begins so. See them with: \
        stressmon history --sessions
        """)
    case .session(let prefix, let span):
      guard let stored = try stored(prefix) else {
        throw CommandFailure(
          .failed,
          "no stored session begins with '\(prefix.printable)'. See them with: stressmon history --sessions")
      }
      return try session(stored, span, name)
    case .history(let times):
      return try history(times, name)
    }
  }

  private func file(_ path: String, _ span: SessionSpan?, _ name: String) throws -> ComparedSide {
    switch try files.open(path) {
    case .rrText(let file):
      let text = try file.text()
      if text.skippedLines > 0 {
        printDiagnostic("stressmon: \(path.printable): bad lines skipped: \(text.skippedLines)")
      }
      return try ComparedSide(
        name: name, kind: "file", started: nil, profile: nil, sensor: ComparedSide.Sensor(),
        parts: [try SessionPart(events: Array(text.events)).narrowed(to: span)])
    case .recording(let reader):
      let header = reader.header
      let events = Array(reader.events(report: tellDamage))
      return try ComparedSide(
        name: name, kind: "file", started: header.started, profile: header.profile,
        sensor: ComparedSide.Sensor(strap: header.strap ?? Self.strap(events)),
        parts: [
          try SessionPart(events: events, settings: header.settings, baseline: header.baseline).narrowed(
            to: span)
        ])
    case .other(let formatted):
      let only = try formatted.onlySession(report: tellFlaw)
      return try ComparedSide(
        name: name, kind: "file", started: only.started?.time, profile: only.header?.profile,
        sensor: ComparedSide.Sensor(strap: only.strap),
        parts: [
          try SessionPart(
            events: only.events, settings: only.header?.settings ?? StressEngine.Settings(),
            baseline: only.header?.baseline ?? .populationDefault
          ).narrowed(to: span)
        ])
    }
  }

  /// The first strap that the link came to.
  private static func strap(_ events: [SessionEvent]) -> StrapIdentity? {
    for event in events {
      if case .link(let change) = event.kind, let strap = change.strap { return strap }
    }
    return nil
  }

  /// Nil where nothing is stored, or nothing that begins so.
  private func stored(_ prefix: String) throws -> StoredSession? {
    try HistoryReader(location)?.session(beginningWith: prefix, of: profile)
  }

  private func session(_ stored: StoredSession, _ span: SessionSpan?, _ name: String) throws -> ComparedSide {
    try ComparedSide(
      name: name, kind: "session", started: stored.info.started, profile: stored.info.profile,
      sensor: Self.sensor(stored), parts: [try part(stored, span)])
  }

  private func history(_ times: Range<WallTime>, _ name: String) throws -> ComparedSide {
    let stored = try HistoryReader(location)?.sessions(of: profile, in: times) ?? []
    guard let first = stored.first else {
      throw CommandFailure(
        .failed,
        "no session of '\(profile)' went on within \(name); see when there were some with: stressmon history --sessions"
      )
    }
    let parts = try stored.map { session in
      var part = try part(session, nil)
      func ticks(_ time: WallTime, since start: WallTime) -> Int64 {
        (time.microseconds - start.microseconds) * 80
      }
      part.start = SessionTime(ticks: ticks(times.lowerBound, since: session.info.started))
      part.end = SessionTime(ticks: ticks(times.upperBound, since: session.info.started))
      part.offset = ticks(session.info.started, since: first.info.started)
      return part
    }
    return try ComparedSide(
      name: name, kind: "history", started: first.info.started, profile: profile, sensor: Self.sensor(first),
      parts: parts)
  }

  private func part(_ stored: StoredSession, _ span: SessionSpan?) throws -> SessionPart {
    guard let events = try HistoryReader(location)?.events(of: stored.info.id) else {
      throw HistoryError(.replaced, path: location.path, .read)
    }
    let all = Array(events)
    if let failure = events.failure { throw failure }
    return try SessionPart(
      events: all, settings: stored.info.settings, baseline: stored.info.baseline
    ).narrowed(to: span)
  }

  private static func sensor(_ stored: StoredSession) -> ComparedSide.Sensor {
    ComparedSide.Sensor(source: stored.info.source, strap: stored.strap)
  }
}
