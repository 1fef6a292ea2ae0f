internal import GRDB
package import HeartRate
package import Stress

/// Updates the baseline of a profile from its stored sessions.
///
/// The resting windows of each session are found once, by replaying its events, and stored. The baseline depends only on the
/// windows, so estimating it again from all stored beats gives the same value as updating it day by day.
package struct BaselineUpdater: Sendable {
  private let connection: StoreConnection
  private let location: StoreLocation

  /// Opens the history; creates and migrates it if necessary.
  package init(_ location: StoreLocation) throws(HistoryError) {
    connection = try StoreConnection.writable(location, lockTimeout: .seconds(5))
    self.location = location
    SecureErase.finishIfDue(connection)
  }

  init(_ connection: StoreConnection, _ location: StoreLocation) {
    self.connection = connection
    self.location = location
  }

  /// Updates the baseline from the windows that remain after a deletion.
  static func update(_ db: Database, _ profile: String, today: Int, at time: WallTime) throws {
    let evidence = try RestingWindowTable.estimator(db, profile, today: today).evidence
    try replace(db, with: evidence?.blended, of: profile, at: time)
  }

  /// Searches new ended sessions for resting windows and for nights, and updates the baseline, unless it was set manually. A running session
  /// keeps the baseline with which it started.
  ///
  /// - Parameters:
  ///   - today: The local day, in days since 1970-01-01; windows of later days do not count yet.
  ///   - time: The time of the update.
  /// - Returns: The evidence, or `nil` if there is no day of rest.
  /// - Throws: ``HistoryError``, also if a session could not be read; the baseline is then updated from all others.
  @discardableResult
  package func learn(_ profile: String, today: Int, at time: WallTime) throws(HistoryError)
    -> BaselineEvidence?
  {
    let nights = try NightSearch(connection: connection, location: location).run(profile)
    let failure = try findRest(profile) ?? nights
    let evidence = try connection.write { db in
      let evidence = try RestingWindowTable.estimator(db, profile, today: today).evidence
      try Self.replace(db, with: evidence?.blended, of: profile, at: time)
      return evidence
    }
    if let failure { throw failure }
    return evidence
  }

  /// Removes a manually set baseline and all resting windows, and estimates the baseline from all stored beats.
  @discardableResult
  package func recompute(_ profile: String, today: Int, at time: WallTime) throws(HistoryError)
    -> BaselineEvidence?
  {
    try connection.write { db in
      try RestingWindowRecord.removeAll(db, of: profile)
      if try BaselineRecord.baseline(db, of: profile)?.origin == .manual {
        try BaselineRecord.remove(db, of: profile)
      }
    }
    return try learn(profile, today: today, at: time)
  }

  /// Computes the stress of the imported sessions of `profile` again, each with the baseline of the day of the session: the result
  /// does not depend on the order of the imports. Sessions of files that state their baseline are not changed.
  /// - Parameter sampling: The measurements to store.
  /// - Returns: The number of these sessions.
  package func scoreImports(
    of profile: String, sampling: MeasurementSampling = .every(.seconds(10))
  ) throws(HistoryError) -> Int {
    try ImportScoring(connection, location, sampling: sampling).run(profile)
  }

  /// Restores the population default. Sessions that started before `time` do not count until
  /// ``recompute(_:today:at:)``.
  package func reset(_ profile: String, at time: WallTime) throws(HistoryError) {
    try connection.write { db in
      try BaselineRecord.remove(db, of: profile)
      try RestingWindowRecord.setStart(db, profile, time)
    }
  }

  /// Stores a learned baseline; nil removes it. Does nothing if the current one is equal or was set manually.
  private static func replace(
    _ db: Database, with learned: Baseline?, of profile: String, at time: WallTime
  ) throws {
    let current = try BaselineRecord.baseline(db, of: profile)
    guard current?.origin != .manual, current != learned else { return }
    if let learned {
      try BaselineRecord.set(db, learned, of: profile, at: time)
    } else {
      try BaselineRecord.remove(db, of: profile)
    }
  }

  /// Searches each new session in its own transaction. A session that cannot be read does not affect the others and is
  /// searched again next time.
  /// - Returns: The error of a session that could not be read.
  private func findRest(_ profile: String) throws(HistoryError) -> HistoryError? {
    let sessions = try connection.read { try UnsearchedSession.all($0, profile) }
    guard !sessions.isEmpty, let reader = try HistoryReader(location) else { return nil }
    var failure: HistoryError?
    for session in sessions {
      var observer = RestObserver()
      var windows: [RestingWindow] = []
      let events = reader.events(of: session.sessionID)
      for event in events { observer.update(event) { windows.append($0) } }
      if let error = events.failure {
        failure = error
      } else {
        try connection.write { try RestingWindowRecord.replace($0, with: windows, of: session) }
      }
    }
    return failure
  }
}

extension HistoryReader {
  /// The evidence for the baseline of `profile` up to the local day `today`, if there is a day of rest.
  package func baselineEvidence(of profile: String, today: Int) throws(HistoryError) -> BaselineEvidence? {
    try read { try RestingWindowTable.estimator($0, profile, today: today).evidence }
  }
}
