import Formats
import Glibc
package import HeartRate
package import History
package import Platform
package import SessionData

/// Finds stored sessions by the arguments of a command. The history is read and never written.
package struct SessionFinder {
  private let location: StoreLocation
  /// The profile whose sessions are found.
  package let profile: String

  package init(location: StoreLocation, profile: String) {
    (self.location, self.profile) = (location, profile)
  }

  /// Whether a file with this name exists.
  package static func isFile(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// The stored session that an argument without a prefix names. Returns `nil` if it names a file, which need not exist.
  /// - Throws: ``ReportError`` if `name` is neither a session nor a plausible path.
  package func session(named name: String) throws -> StoredSession? {
    if Self.isFile(name) || name == "-" { return nil }
    if let stored = try session(beginningWith: name) { return stored }
    guard !name.contains(where: { "/.".contains($0) }) else { return nil }
    throw ReportError(.noFileOrSession(profile: profile), name)
  }

  /// The session with this prefix, if there is a history that contains one.
  package func session(beginningWith prefix: String) throws -> StoredSession? {
    try HistoryReader(location)?.session(beginningWith: prefix, of: profile)
  }

  /// The session with this prefix.
  /// - Throws: ``ReportError`` if the session does not exist.
  package func existingSession(beginningWith prefix: String) throws -> StoredSession {
    guard let stored = try session(beginningWith: prefix) else { throw ReportError(.noSession, prefix) }
    return stored
  }

  /// The sessions of the profile that overlap `times`, by time.
  /// - Parameter name: the argument that names the times.
  /// - Throws: ``ReportError`` if the session does not exist.
  package func sessions(in times: Range<WallTime>, named name: String) throws -> [StoredSession] {
    let stored = try HistoryReader(location)?.sessions(of: profile, in: times) ?? []
    guard !stored.isEmpty else { throw ReportError(.noSessionInRange(profile: profile), name) }
    return stored
  }

  /// All events of a session.
  /// - Throws: `HistoryError` if they cannot be read completely.
  package func events(of stored: StoredSession) throws -> [SessionEvent] {
    guard let events = try HistoryReader(location)?.events(of: stored.info.id) else {
      throw HistoryError(.replaced, path: location.path, .read)
    }
    let all = Array(events)
    if let failure = events.failure { throw failure }
    return all
  }

  /// The part of a session, from the start of `times` to their end.
  func part(_ stored: StoredSession, within times: Range<WallTime>) throws -> SessionPart {
    var part = try part(stored)
    part.start = SessionTime(ticks: times.lowerBound.ticks(since: stored.info.started))
    part.end = SessionTime(ticks: times.upperBound.ticks(since: stored.info.started))
    return part
  }

  func part(_ stored: StoredSession) throws -> SessionPart {
    SessionPart(
      events: try events(of: stored), settings: stored.info.settings, baseline: stored.info.baseline)
  }
}

extension WallTime {
  /// Ticks of 1/80 microsecond from `other` to this time.
  func ticks(since other: WallTime) -> Int64 { (microseconds - other.microseconds) * 80 }
}

extension FileSession {
  /// Start time, and the time zone at that time, if the file states them.
  package var started: (time: WallTime, zone: LocalZone)? { start?.localized }
}

extension FileSession.Start {
  /// The time and the zone. A start without an offset from UTC is interpreted in the system's time zone.
  package var localized: (time: WallTime, zone: LocalZone) {
    switch self {
    case .absolute(let time, let utcOffset):
      return (time, utcOffset.map(LocalZone.init(utcOffset:)) ?? LocalZone(at: time))
    case .local(let reading):
      let time = LocalTime.time(when: reading)
      return (time, LocalZone(at: time))
    }
  }
}
