package import HeartRate
package import History
internal import JSONLines
internal import Recording
internal import Reports
internal import SessionData

/// Reads the parts of sessions from the history, and stores sessions from parts.
///
/// The parts of a session are the lines of `stressmon export --format jsonl`, split at full hours of session time. Measurements
/// are computed again from the events with the settings and the baseline of the session, so they are equal on all devices.
package struct StoredSessions: Sendable {
  private let location: StoreLocation
  let sampling: MeasurementSampling

  private static let partTicks: Int64 = 3600 * 80_000_000

  /// - Parameter sampling: The measurements to store.
  package init(_ location: StoreLocation, sampling: MeasurementSampling = .every(.seconds(10))) {
    self.location = location
    self.sampling = sampling
  }

  /// The number of parts of a session whose last event is at `time`.
  package static func parts(upTo time: SessionTime) -> Int { part(at: time) + 1 }

  private static func part(at time: SessionTime) -> Int {
    Int(min(max(time.ticks, 0) / partTicks, Int64(VaultName.lastPart)))
  }

  /// The lines of one part. The first one begins with the header of the session.
  ///
  /// A part begins with the first event that reaches its hour, and ends before the first event that reaches a later one. Only its
  /// events are decoded.
  /// - Throws: ``HistoryError``, ``SessionSyncError``.
  package func events(of session: SharedID, part: Int) throws -> [UInt8] {
    guard let id = SessionID(session.text), let reader = try HistoryReader(location),
      try reader.info(of: id) != nil
    else { throw SessionSyncError.notStored(session) }
    var line = JSONLine()
    if part == 0, let stored = try reader.session(beginningWith: id.text) {
      SessionLines.write(stored.recordingHeader, stored.provenance, to: &line)
    }
    let events = reader.events(
      of: id, from: part == 0 ? nil : SessionTime(ticks: Int64(part) * Self.partTicks))
    for event in events {
      if Self.part(at: event.at) > part { break }
      SessionLines.write(event, to: &line)
    }
    if let failure = events.failure { throw failure }
    return line.bytes
  }

  /// Stores a session unless its ID or its content is stored, and replaces one with fewer parts.
  /// - Parameters:
  ///   - profile: The name of its profile; nil for that in its header.
  ///   - time: The time of the sync.
  /// - Returns: The name of its profile, whose baseline must be estimated again; nil if nothing was stored.
  /// - Throws: ``HistoryError``, ``SessionSyncError``.
  @discardableResult
  package func store(
    _ session: Received.Session, parts: [ArraySlice<UInt8>], profile: String? = nil, at time: WallTime
  ) throws -> String? {
    guard let lines = try SessionLines.session(in: parts, path: "session \(session.id)"),
      var imported = ImportedSession(exported: lines, fingerprint: session.fingerprint),
      SharedID(imported.info.id.text) == session.id
    else { throw SessionSyncError.malformed(session.id) }
    if let profile { imported.info.profile = profile }
    let isLonger = try isLonger(imported)
    let isChanged = try HistoryImport(location, sampling: sampling).transaction(at: time) { history in
      if isLonger { return try history.replace(imported) }
      if case .stored = try history.store(imported) { return true }
      return false
    }
    return isChanged ? imported.info.profile : nil
  }

  /// Whether the session is stored without its last events.
  private func isLonger(_ session: ImportedSession) throws(HistoryError) -> Bool {
    guard let stored = try HistoryReader(location)?.session(beginningWith: session.info.id.text) else {
      return false
    }
    return stored.events < session.events.count
  }

  /// Erases sessions with their measurements and journal entries, securely; the baselines are estimated again.
  package func erase(_ sessions: [SharedID], today: Int, at time: WallTime) throws(HistoryError) {
    for session in sessions {
      guard let id = SessionID(session.text) else { continue }
      _ = try HistoryEraser(location).delete(.session(id), today: today, at: time)
    }
  }
}

/// The reason why a session cannot be exchanged.
package enum SessionSyncError: Error, Equatable, Sendable, CustomStringConvertible {
  case notStored(SharedID)
  case malformed(SharedID)

  package var description: String {
    switch self {
    case .notStored(let session): "session \(session) is not in the history"
    case .malformed(let session):
      "the files of session \(session) do not contain a session that this version can read; update stressmon"
    }
  }
}

extension Received.Session {
  /// The fingerprint as `import` stores it; nil for a session that was not imported, whose content is derived from its ID.
  fileprivate var fingerprint: [UInt8]? {
    guard let bits = held.content?.fingerprint, bits != id.bits else { return nil }
    return (0..<16).map { UInt8(truncatingIfNeeded: bits >> (8 * (15 - UInt128($0)))) }
  }
}
