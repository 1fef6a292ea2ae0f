internal import GRDB
package import HeartRate

extension HistoryImport {
  /// Stores the events of a session one by one, with the measurements that follow from them, within
  /// ``HistoryImport/transaction(at:_:)``. Memory use does not depend on the length of the session.
  package struct SessionAppender {
    private let transaction: Transaction
    private let session: ImportedSession
    private let number: Int64
    private let events: EventTable.Writer
    private var measuring: SessionMeasuring
    private var last: SessionEvent?
    /// Number of events.
    package private(set) var count = 0

    /// - Parameter number: Number of the session, which has a row, but no events and no measurements.
    init(_ session: ImportedSession, number: Int64, _ transaction: Transaction) throws {
      (self.session, self.number, self.transaction) = (session, number, transaction)
      let database = transaction.database
      events = try EventTable.Writer(database, session: number)
      let profile = try ProfileTable.number(database, creating: session.info.profile)
      measuring = try SessionMeasuring(
        database, session.info, number: number, profile: profile, sampling: transaction.sampling,
        readings: session.readings)
    }

    /// Stores the next event.
    package mutating func append(_ event: SessionEvent) throws {
      let event = event.withLimitedTexts
      try events.write(event, sequence: count)
      try measuring.update(event)
      (last, count) = (event, count + 1)
    }

    /// Sets the end. A session without an end event was interrupted.
    /// - Parameter fingerprint: That of the events, if it was not known before. The default is that of the session.
    /// - Returns: The number of measurements.
    package mutating func finish(fingerprint: [UInt8]? = nil) throws -> Int {
      let database = transaction.database
      try measuring.finish()
      try measuring.motion.write(database, session: number)
      var session = session
      if let fingerprint { session.fingerprint = fingerprint }
      try ImportRecord(session, number: number, at: transaction.time).store(in: database)
      let at = last?.at ?? .zero
      let wall = session.ended ?? session.info.started.advanced(ticks: at.ticks)
      try SessionRecord.setEnd(
        database, number, SessionEnd(at: at, wall: wall), last?.kind == .end ? .finished : .interrupted)
      return measuring.count
    }
  }
}
