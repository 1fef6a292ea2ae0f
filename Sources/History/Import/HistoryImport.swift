internal import GRDB
package import HeartRate
internal import Stress

/// Stores sessions of files: all of one file in one transaction, so that a file is stored whole or not at all, whatever
/// happens to the program meanwhile.
package struct HistoryImport: Sendable {
  private let connection: StoreConnection
  private let sampling: MeasurementSampling

  /// Opens the history; makes it, and brings its tables up to date, where needed.
  /// - Parameter sampling: Which measurements are stored.
  package init(_ location: StoreLocation, sampling: MeasurementSampling = .every(.seconds(10)))
    throws(HistoryError)
  {
    connection = try StoreConnection.writable(location, patience: .seconds(30))
    self.sampling = sampling
  }

  /// Runs `body`, which stores sessions through what it is given. What it throws undoes all of them.
  ///
  /// Another program that writes the history waits meanwhile; a live session keeps what comes in memory.
  /// - Throws: ``HistoryError``, or what `body` throws.
  package func transaction<Result>(at time: WallTime, _ body: (Transaction) throws -> Result) throws -> Result
  {
    try connection.writePassingErrors { db in
      let result = try body(Transaction(database: db, sampling: sampling, time: time))
      try QuarterHourRow.refresh(db)
      return result
    }
  }

  /// The inside of ``transaction(at:_:)``.
  package struct Transaction {
    fileprivate let database: Database
    fileprivate let sampling: MeasurementSampling
    fileprivate let time: WallTime

    /// Stores a session with the measurements that its events give, unless the history holds it already.
    package func store(_ session: ImportedSession) throws -> ImportedSession.Outcome {
      if let twin = try ImportRow.twin(database, of: session) { return .known(twin) }
      let profile = try SessionRow.profile(database, session.info.profile)
      let number = try SessionRow.insert(database, session.info, profile: profile)
      try ImportRow.insert(database, session, number: number, at: time)
      let measurements = try write(session, number: number, profile: profile)
      try end(session, number: number)
      return .stored(measurements: measurements)
    }

    private func write(_ session: ImportedSession, number: Int64, profile: Int64) throws -> Int {
      let rows = try EventRow.Writer(database, session: number)
      var engine = StressEngine(settings: session.info.settings, baseline: session.info.baseline)
      var sampler = MeasurementSampler(sampling)
      var count = 0
      for (sequence, event) in session.events.enumerated() {
        try rows.write(event, sequence: sequence)
        sampler.update(event)
        try engine.update(event) { measurement in
          guard let sample = sampler.sample(measurement) else { return }
          count += 1
          try MeasurementRow.insert(
            database, sample, session: number, profile: profile, started: session.info.started)
        }
      }
      return count
    }

    /// As it ended: a session whose program was killed has no end.
    private func end(_ session: ImportedSession, number: Int64) throws {
      let at = session.events.last?.at ?? .zero
      let ended = session.ended ?? session.info.started.advanced(ticks: at.ticks)
      let outcome = session.events.last?.kind == .end ? "finished" : "interrupted"
      try Query(
        database, "UPDATE session SET ended_us = ?, ended_ticks = ?, outcome = ? WHERE number = ?"
      ).run(.integer(ended.microseconds), .integer(at.ticks), .text(outcome), .integer(number))
    }
  }
}

extension StoreConnection {
  /// Like `write`, and lets errors through that are not of the database.
  func writePassingErrors<T>(_ body: (Database) throws -> T) throws -> T {
    var own: (any Error)?
    do {
      return try write { db in
        do {
          return try body(db)
        } catch {
          if !(error is DatabaseError), !(error is MalformedRow) { own = error }
          throw error
        }
      }
    } catch {
      throw own ?? error
    }
  }
}
