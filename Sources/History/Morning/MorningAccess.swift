package import Stress

extension HistoryWriter {
  /// Stores the parts of a morning reading. Does nothing if its session is not stored, or if its parts are stored already.
  package func add(_ parts: [StoredMorning]) throws(HistoryError) {
    try connection.write { db in
      for part in parts {
        guard let session = try SessionRecord.number(db, of: part.session) else { continue }
        try MorningRecord(part, session: session).store(in: db, "ON CONFLICT (session, part) DO NOTHING")
      }
    }
  }
}

extension HistoryReader {
  /// The newest morning readings of `profile` that match `filter`, newest first. The times of the filter apply to the start
  /// of a reading, its other properties to the session (``sessions(of:matching:limit:)``).
  package func mornings(
    of profile: String, matching filter: HistoryFilter = HistoryFilter(), limit: Int = .max
  ) throws(HistoryError) -> [StoredMorning] {
    try readings(MorningRecord.self, of: profile, matching: filter, limit: limit)
  }

  /// The readings of `profile` that count, in `days` (since 1970-01-01), by day.
  package func countedMornings(of profile: String, in days: Range<Int>) throws(HistoryError)
    -> [StoredMorning]
  {
    try countedReadings(MorningRecord.self, of: profile, in: days)
  }

  /// The parts of the morning reading of a session; empty for other sessions.
  package func mornings(in session: SessionID) throws(HistoryError) -> [StoredMorning] {
    try readings(MorningRecord.self, in: session)
  }
}

extension MorningSeries {
  /// The counted readings in `posture`.
  package init(_ readings: [StoredMorning], posture: MorningPosture) {
    self.init(
      readings.compactMap { reading in
        guard reading.counts, reading.posture == posture, let rmssd = reading.rmssd,
          let heartRate = reading.heartRate
        else { return nil }
        return Morning(day: reading.day, rmssd: rmssd, heartRate: heartRate)
      })
  }
}
