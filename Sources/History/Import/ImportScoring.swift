internal import Foundation
internal import GRDB
internal import HeartRate
internal import Stress

/// Computes the stress of imported sessions again, because the result must not depend on the order of the imports.
///
/// Each session is scored with the baseline that the resting windows up to its own local day give, or with the population
/// default without such windows. Sessions of files that state their baseline (recordings and JSON Lines) are not changed.
/// The measurements are replaced, and get new numbers.
struct ImportScoring {
  private let connection: StoreConnection
  private let location: StoreLocation
  private let sampling: MeasurementSampling

  init(_ connection: StoreConnection, _ location: StoreLocation, sampling: MeasurementSampling) {
    (self.connection, self.location, self.sampling) = (connection, location, sampling)
  }

  /// Scores all imported sessions of `profile`, each in its own transaction.
  /// - Returns: The number of sessions.
  /// - Throws: ``HistoryError`` if a session cannot be read; the sessions before it keep their new scores.
  func run(_ profile: String) throws(HistoryError) -> Int {
    let sessions = try connection.read { try ScoredSession.all($0, profile) }
    guard !sessions.isEmpty, let reader = try HistoryReader(location) else { return 0 }
    for session in sessions {
      guard var info = try reader.info(of: SessionID(stored: session.id)) else { continue }
      let stored = reader.events(of: info.id)
      let events = Array(stored)
      if let failure = stored.failure { throw failure }
      let day = Int(info.started.localDay(utcOffset: info.utcOffset))
      try connection.write { db in
        let evidence = try RestingWindowTable.estimator(db, profile, today: day).evidence
        info.baseline = evidence?.blended ?? .populationDefault
        try session.replace(db, info, events, sampling)
      }
    }
    try connection.write { try QuarterHourTable.refresh($0) }
    return sessions.count
  }
}

/// An imported session whose file does not state a baseline.
private struct ScoredSession: Decodable, FetchableRecord {
  var number: Int64
  var profile: Int64
  var id: String

  static func all(_ db: Database, _ profile: String) throws -> [ScoredSession] {
    try fetchAll(
      db.statement(
        """
        SELECT s.number, s.profile, s.id FROM session s JOIN import i ON i.session = s.number
          JOIN profile p ON p.number = s.profile
        WHERE p.name = :profile AND i.format NOT IN ('recording', 'jsonl') ORDER BY s.started_us, s.number
        """, ["profile": profile]))
  }

  func replace(
    _ db: Database, _ info: SessionInfo, _ events: [SessionEvent], _ sampling: MeasurementSampling
  ) throws {
    try db.run("DELETE FROM measurement WHERE session = :number", ["number": number])
    try db.run(
      """
      UPDATE session SET baseline_rmssd_ms = :rmssd, baseline_sdnn_ms = :sdnn, baseline_resting_hr_bpm = :rate,
        baseline_days = :days, baseline_origin = :origin, baseline_weight = :weight, engine = :engine
      WHERE number = :number
      """,
      [
        "rmssd": info.baseline.rmssd, "sdnn": info.baseline.sdnn, "rate": info.baseline.restingHeartRate,
        "days": info.baseline.days, "origin": info.baseline.origin.rawValue, "weight": info.baseline.weight,
        "engine": StressEngine.version, "number": number,
      ])
    var measuring = try SessionMeasuring(db, info, number: number, profile: profile, sampling: sampling)
    for event in events { try measuring.update(event) }
  }
}
