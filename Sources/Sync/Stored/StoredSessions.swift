package import HeartRate
package import History
internal import JSONLines
package import Localization
internal import Recording
internal import SessionArchive
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
      try SessionLines.write(stored.recordingHeader, stored.provenance(reader), to: &line)
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

  /// Stores a session unless its content is stored under another ID, and replaces one that has fewer events. Only one part is in
  /// memory.
  /// - Parameters:
  ///   - profile: The name of its profile. The default is that in its header.
  ///   - time: The time of the sync.
  ///   - part: Returns the lines of a part. Its errors are rethrown, and nothing is stored.
  /// - Throws: ``HistoryError``, ``SessionSyncError``, errors of `part`.
  package func store(
    _ session: Received.Session, profile: String? = nil, at time: WallTime,
    part: (Int) throws -> ArraySlice<UInt8>
  ) throws {
    let known = try HistoryReader(location)?.session(beginningWith: session.id.text)?.events
    do {
      try HistoryImport(location, sampling: sampling).transaction(at: time) { history in
        var storage = LocalSessionWriter(session, profile: profile, history)
        for number in 0..<session.localSession.parts { try storage.append(part(number)) }
        try storage.finish(replacing: session.restores ? nil : known)
      }
    } catch is LocalSessionWriter.NothingStored {}
  }

  /// Deletes sessions with their measurements and journal entries; the baselines are estimated again. The next ``HistoryWriter``
  /// overwrites what remains of them.
  package func erase(_ sessions: [SharedID], today: Int, at time: WallTime) throws(HistoryError) {
    let ids = sessions.compactMap { SessionID($0.text) }
    try HistoryEraser(location).deleteRows(of: ids, today: today, at: time)
  }
}

/// Stores a session from its lines within one transaction.
private struct LocalSessionWriter {
  /// Rolls the transaction back: the content is stored under another ID, or the stored session has as many events.
  struct NothingStored: Error {}

  private let session: Received.Session
  private let profile: String?
  private let history: HistoryImport.Transaction
  private var lines: SessionLineParser
  private var appender: HistoryImport.SessionAppender?
  /// Of a session whose fingerprint is not known.
  private var fingerprint: SessionFingerprint?

  /// - Parameter profile: The name of its profile. The default is that in its header.
  init(_ session: Received.Session, profile: String?, _ history: HistoryImport.Transaction) {
    (self.session, self.profile, self.history) = (session, profile, history)
    lines = SessionLineParser(path: "session \(session.id)")
  }

  /// Stores the lines of the next part.
  mutating func append(_ part: ArraySlice<UInt8>) throws {
    lines.append(part)
    while let line = try lines.next() {
      switch line {
      case .header(let header): try begin(header)
      case .event(let event):
        fingerprint?.add(event)
        try appender?.append(event)
      }
    }
  }

  private mutating func begin(_ header: FileSession) throws {
    guard var imported = ImportedSession(exported: header, fingerprint: session.fingerprint ?? []),
      SharedID(imported.info.id.text) == session.id
    else { throw SessionSyncError.malformed(session.id) }
    if session.fingerprint == nil { fingerprint = SessionFingerprint(start: header.start) }
    if let profile { imported.info.profile = profile }
    guard let appender = try history.appender(for: imported) else { throw NothingStored() }
    self.appender = appender
  }

  /// - Parameter known: The number of events that were stored before; nil to store the session in any case.
  mutating func finish(replacing known: Int?) throws {
    guard var appender else { throw SessionSyncError.malformed(session.id) }
    guard appender.count > known ?? -1 else { throw NothingStored() }
    _ = try appender.finish(fingerprint: fingerprint?.bytes)
  }
}

extension Received.Session {
  /// The fingerprint as `import` stores it. A session that was not imported has none, and its content is derived from its ID.
  fileprivate var fingerprint: [UInt8]? {
    guard let bits = localSession.content?.fingerprint, bits != id.bits else { return nil }
    return (0..<16).map { UInt8(truncatingIfNeeded: bits >> (8 * (15 - UInt128($0)))) }
  }
}

/// The reason why a session cannot be exchanged.
package enum SessionSyncError: Error, Equatable, Sendable, Translatable {
  case notStored(SharedID)
  case malformed(SharedID)

  /// The message in English.
  package var description: String { Language.english.text(message) }

  package var message: Phrase {
    switch self {
    case .notStored(let session): Phrase("session \(session) is not in the history")
    case .malformed(let session):
      Phrase(
        """
        the files of session \(session) do not contain a session that this version can read; update stressmon
        """)
    }
  }
}
