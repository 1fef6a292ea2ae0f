internal import GRDB
package import HeartRate

/// Stores the sessions of files. The sessions of one file are stored in one transaction: either all of them or none.
package struct HistoryImport: Sendable {
  private let connection: StoreConnection
  private let sampling: MeasurementSampling

  /// Opens the history; creates and migrates it if necessary.
  /// - Parameter sampling: The measurements to store.
  package init(_ location: StoreLocation, sampling: MeasurementSampling = .every(.seconds(10)))
    throws(HistoryError)
  {
    connection = try StoreConnection.writable(location, lockTimeout: .seconds(30))
    self.sampling = sampling
  }

  /// Runs `body`, which stores sessions through its argument. An error of `body` rolls all of them back.
  ///
  /// Other programs cannot write the history meanwhile; a live session buffers its events in memory.
  /// - Throws: ``HistoryError``, or the error of `body`.
  package func transaction<Result>(at time: WallTime, _ body: (Transaction) throws -> Result) throws -> Result
  {
    try connection.writeRethrowing { db in
      let result = try body(Transaction(database: db, sampling: sampling, time: time))
      try QuarterHourTable.refresh(db)
      return result
    }
  }

  /// Stores sessions within ``HistoryImport/transaction(at:_:)``.
  package struct Transaction {
    let database: Database
    let sampling: MeasurementSampling
    let time: WallTime

    /// Stores a session with the measurements computed from its events, unless it is a duplicate.
    package func store(_ session: ImportedSession) throws -> ImportedSession.Outcome {
      if let id = try ImportRecord.duplicate(database, of: session) { return .known(id) }
      var appender = try insert(session)
      for event in session.events { try appender.append(event) }
      return .stored(measurements: try appender.finish())
    }

    func insert(_ session: ImportedSession) throws -> SessionAppender {
      let profile = try ProfileTable.number(database, creating: session.info.profile)
      let number = try SessionRecord.insert(database, session.info, profile: profile)
      return try SessionAppender(session, number: number, self)
    }
  }
}
