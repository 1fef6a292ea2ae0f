internal import GRDB
package import HeartRate
package import Stress

/// What a profile's baseline is, where it comes from, and how it is kept up to date from what is stored.
///
/// The resting windows of each session are found once, by replaying its events, and kept; the baseline follows from
/// the windows alone. Rebuilding it from stored beats therefore gives the same value as learning it day by day.
package struct BaselineUpdater: Sendable {
  private let connection: StoreConnection
  private let location: StoreLocation

  /// Opens the history; makes it, and brings its tables up to date, where needed.
  package init(_ location: StoreLocation) throws(HistoryError) {
    connection = try StoreConnection.writable(location, patience: .seconds(5))
    self.location = location
    SecureErase.finishIfDue(connection)
  }

  init(_ connection: StoreConnection, _ location: StoreLocation) {
    self.connection = connection
    self.location = location
  }

  /// Puts in force what follows from the windows that are left after a deletion.
  static func learnAgain(_ db: Database, _ profile: String, today: Int, at time: WallTime) throws {
    let evidence = try RestingWindowRow.learner(db, profile, today: today).evidence
    try putInForce(db, evidence?.blended, of: profile, at: time)
  }

  /// Looks through the ended sessions that are new, and puts the baseline that follows in force, unless one was set
  /// by hand. A session that runs keeps the baseline that it began with.
  ///
  /// - Parameters:
  ///   - today: The person's local day, in days since 1970-01-01; windows of later days do not count yet.
  ///   - time: When this happens.
  /// - Returns: What was learned by now; nil without a day of rest.
  /// - Throws: ``HistoryError``, also where a session could not be read: then after learning from all others.
  @discardableResult
  package func learn(_ profile: String, today: Int, at time: WallTime) throws(HistoryError)
    -> BaselineEvidence?
  {
    let failure = try findRest(profile)
    let evidence = try connection.write { db in
      let evidence = try RestingWindowRow.learner(db, profile, today: today).evidence
      try Self.putInForce(db, evidence?.blended, of: profile, at: time)
      return evidence
    }
    if let failure { throw failure }
    return evidence
  }

  /// Forgets what was set by hand, and what was found in sessions, and learns from all stored beats anew.
  @discardableResult
  package func recompute(_ profile: String, today: Int, at time: WallTime) throws(HistoryError)
    -> BaselineEvidence?
  {
    try connection.write { db in
      try RestingWindowRow.forget(db, profile)
      if try ProfileRow.baseline(db, profile)?.origin == .manual {
        try ProfileRow.removeBaseline(db, of: profile)
      }
    }
    return try learn(profile, today: today, at: time)
  }

  /// Back to the prior: sessions that began before `time` count no more, until ``recompute(_:today:at:)``.
  package func reset(_ profile: String, at time: WallTime) throws(HistoryError) {
    try connection.write { db in
      try ProfileRow.removeBaseline(db, of: profile)
      try RestingWindowRow.learn(db, profile, since: time)
    }
  }

  private static func putInForce(
    _ db: Database, _ learned: Baseline?, of profile: String, at time: WallTime
  ) throws {
    let current = try ProfileRow.baseline(db, profile)
    guard current?.origin != .manual, current != learned else { return }
    if let learned {
      try ProfileRow.set(db, learned, of: profile, at: time)
    } else {
      try ProfileRow.removeBaseline(db, of: profile)
    }
  }

  /// Each session by itself: one that cannot be read does not undo what was found in the others, and is left for the
  /// next time.
  /// - Returns: Why a session could not be read, if one could not.
  private func findRest(_ profile: String) throws(HistoryError) -> HistoryError? {
    let sessions = try connection.read { try RestingWindowRow.sessionsToLearnFrom($0, profile) }
    guard !sessions.isEmpty, let reader = try HistoryReader(location) else { return nil }
    var failure: HistoryError?
    for session in sessions {
      var observer = RestObserver()
      var windows: [RestingWindow] = []
      let events = reader.events(of: session.id)
      for event in events { observer.update(event) { windows.append($0) } }
      if let unread = events.failure {
        failure = unread
      } else {
        try connection.write { try RestingWindowRow.set($0, windows, of: session) }
      }
    }
    return failure
  }
}

extension HistoryReader {
  /// What the windows found so far teach about `profile` up to the local day `today`; nil without a day of rest.
  package func baselineEvidence(of profile: String, today: Int) throws(HistoryError) -> BaselineEvidence? {
    try read { try RestingWindowRow.learner($0, profile, today: today).evidence }
  }
}
