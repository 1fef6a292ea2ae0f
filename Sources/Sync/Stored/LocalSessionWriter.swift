internal import HeartRate
internal import History
internal import Recording
internal import SessionArchive
internal import SessionData

/// Stores a session from its lines within one transaction.
struct LocalSessionWriter {
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
