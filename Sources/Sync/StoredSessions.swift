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
  private let sampling: MeasurementSampling

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
  /// - Throws: ``HistoryError``, ``SessionSyncError``.
  package func events(of session: SharedID, part: Int) throws -> [UInt8] {
    guard let id = SessionID(session.text), let reader = try HistoryReader(location),
      let stored = try reader.session(beginningWith: id.text)
    else { throw SessionSyncError.notStored(session) }
    var line = JSONLine()
    if part == 0 { SessionLines.write(stored.recordingHeader, stored.provenance, to: &line) }
    let events = reader.events(of: id)
    for event in events {
      let found = Self.part(at: event.at)
      if found > part { break }
      if found == part { SessionLines.write(event, to: &line) }
    }
    if let failure = events.failure { throw failure }
    return line.bytes
  }

  /// Stores a session unless its ID or its content is stored, and replaces one with fewer parts.
  /// - Parameter time: The time of the sync.
  /// - Throws: ``HistoryError``, ``SessionSyncError``.
  package func store(
    _ session: Received.Session, parts: [ArraySlice<UInt8>], today: Int, at time: WallTime
  ) throws {
    guard let lines = try SessionLines.session(in: parts, path: "session \(session.id)"),
      let imported = ImportedSession(exported: lines, fingerprint: session.held.content?.fingerprintBytes),
      SharedID(imported.info.id.text) == session.id
    else { throw SessionSyncError.malformed(session.id) }
    if try shorterCopy(of: imported) { try erase([session.id], today: today, at: time) }
    let outcome = try HistoryImport(location, sampling: sampling).transaction(at: time) {
      try $0.store(imported)
    }
    if case .stored = outcome {
      try BaselineUpdater(location).learn(imported.info.profile, today: today, at: time)
    }
  }

  /// Whether the session is stored without its last events.
  private func shorterCopy(of session: ImportedSession) throws(HistoryError) -> Bool {
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

extension SessionContent {
  /// The fingerprint as `import` stores it.
  fileprivate var fingerprintBytes: [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: fingerprint >> (8 * (15 - UInt128($0)))) }
  }
}
