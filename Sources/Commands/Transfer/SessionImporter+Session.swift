import Formats
import FoundationEssentials
import HeartRate
import History
import Localization
import Platform
import Reports
import SessionData
import Simulator
import Stress
import Terminal

extension SessionImporter {
  /// Converts a session of a file to one of the history.
  func imported(
    _ session: FileSession, from file: String, _ format: FileFormat, _ baselines: Baselines
  ) throws -> ImportedSession {
    let header = session.header
    let (started, here) = try beginning(of: session, file)
    let zone = header?.zone.flatMap { LocalZone(named: $0, at: started) } ?? here
    let profile = profile ?? header?.profile.asProfileName ?? usualProfile
    var generator = SystemRandomNumberGenerator()
    // A table of beats contains the profile, but not the settings and the baseline.
    let conditions = format == .csv ? nil : header
    let strap = header?.strap ?? session.strap
    let isSimulated =
      session.provenance?.source == "simulated" || session.straps.contains(SimulatedStrap.identity.address)
    let info = SessionInfo(
      id: header.flatMap { SessionID($0.session) } ?? SessionID(started: started, using: &generator),
      profile: profile,
      source: session.provenance?.source.flatMap(SessionInfo.Source.init)
        ?? (isSimulated ? .simulated : .imported),
      strap: strap, started: started, zone: header?.zone ?? zone.name,
      utcOffset: session.provenance?.utcOffset ?? zone.utcOffset,
      monotonicNanoseconds: session.provenance?.monotonicNanoseconds ?? 0,
      settings: conditions?.settings ?? StressEngine.Settings(),
      baseline: try conditions?.baseline ?? baselines.baseline(of: profile),
      programVersion: header?.program ?? programVersion,
      engine: conditions.map(\.engine) ?? StressEngine.version)
    return ImportedSession(
      info: info, fingerprint: session.fingerprint, format: format.rawValue, file: Self.name(of: file),
      events: session.events,
      ended: session.provenance?.ended, readings: session.provenance?.readings)
  }

  /// The name without its folder. Standard input has none.
  private static func name(of file: String) -> String? {
    file == "-" ? nil : file.split(separator: "/").last.map(String.init)
  }

  /// The start of the session: that of the file, else that of `--at`, else that of the file name.
  private func beginning(of session: FileSession, _ file: String) throws -> (WallTime, LocalZone) {
    if let started = session.started {
      guard Self.validTimes.contains(started.time) else {
        throw CommandFailure(
          .badData, Phrase("\(file.printable) has an invalid start time: \(started.time.rfc3339)"))
      }
      return started
    }
    let length = session.events.last?.at.ticks ?? 0
    let time: WallTime
    switch at {
    case .time(let given): time = given
    case .file: time = try Self.modified(file).advanced(ticks: -length)
    case nil:
      guard let named = FileNameTime.time(in: file) else {
        throw CommandFailure(
          .badData,
          Phrase(
            """
            \(file.printable) contains no start time; add it, such as --at 2026-11-20T07:30, or --at file if the session \
            ended when the file was written
            """))
      }
      time = named
    }
    return (time, LocalZone(at: time))
  }

  /// 1970 to 2199. Times outside of this range come from unset clocks or damaged bytes.
  private static let validTimes =
    WallTime(microseconds: 0)..<WallTime(microseconds: 7_258_118_400_000_000)

  private static func modified(_ file: String) throws -> WallTime {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    guard let time = attributes?[.modificationDate] as? Date else {
      throw CommandFailure(
        .failed,
        Phrase("\(file.printable) has no modification time; add the start, such as --at 2026-11-20T07:30"))
    }
    // Some file systems store times outside of the range of Int64 microseconds.
    return WallTime(microseconds: Int64(min(max(time.timeIntervalSince1970, 0), 1e11)) * 1_000_000)
  }
}

extension FileSession {
  /// The addresses of all straps in the session.
  fileprivate var straps: Set<String> {
    var addresses = Set([header?.strap, strap].compactMap { $0?.address })
    for event in events {
      if case .link(let change) = event.kind, let strap = change.strap { addresses.insert(strap.address) }
    }
    return addresses
  }
}
