internal import GRDB
package import HeartRate
package import Stress

extension HistoryReader {
  /// The measured episodes of the journal of `profile` within `times`, with their triggers.
  ///
  /// An episode is the session to which an entry refers, else the time from a quarter hour before the entry to a quarter hour
  /// after it. Overlapping episodes are merged: no minute counts twice. The stress of an episode is the mean of its stored
  /// measurements with a confidence of at least 0.5; episodes with fewer than three are omitted.
  package func stressEpisodes(
    of profile: String, in times: Range<WallTime> = HistoryFilter.always
  ) throws(HistoryError) -> [StressEpisode] {
    var spans: [StressEpisodeSpan] = []
    for entry in try journal(of: profile, in: times) {
      var session: StoredSession?
      if let id = entry.session { session = try self.session(beginningWith: id.text, of: profile) }
      spans.append(StressEpisodeSpan(entry, session: session))
    }
    let merged = StressEpisodeSpan.merged(spans)
    return try read { db in try merged.compactMap { try $0.measured(db, of: profile) } }
  }
}

/// The time of one journal entry, or of several whose times overlap.
private struct StressEpisodeSpan {
  var start: WallTime
  var end: WallTime
  var triggers: Set<String>

  /// A quarter hour in ticks.
  private static let reach = 900 * RRInterval.ticksPerSecond
  private static let fewestMeasurements = 3
  private static let leastConfidence = 0.5

  /// - Parameter session: The session to which the entry refers.
  init(_ entry: JournalEntry, session: StoredSession?) {
    triggers = Set(entry.triggers)
    if let session {
      start = session.info.started
      end = start.advanced(ticks: session.length.ticks)
    } else {
      start = entry.time.advanced(ticks: -Self.reach)
      end = entry.time.advanced(ticks: Self.reach)
    }
  }

  /// The spans by time, with overlapping ones merged.
  static func merged(_ spans: [StressEpisodeSpan]) -> [StressEpisodeSpan] {
    spans.sorted { $0.start < $1.start }.reduce(into: []) { merged, span in
      guard let last = merged.last, span.start < last.end else { return merged.append(span) }
      merged[merged.count - 1].end = max(last.end, span.end)
      merged[merged.count - 1].triggers.formUnion(span.triggers)
    }
  }

  /// The episode with the mean stress of its measurements, or `nil` if there are too few.
  func measured(_ db: Database, of profile: String) throws -> StressEpisode? {
    let statement = try db.statement(
      """
      SELECT count(*) AS count, avg(stress) AS stress FROM measurement
      WHERE profile = \(ProfileTable.number) AND time_us >= :from AND time_us < :until
        AND is_usable AND confidence >= :confidence
      """,
      [
        "profile": profile, "from": start.microseconds, "until": end.microseconds,
        "confidence": Self.leastConfidence,
      ])
    guard let mean = try MeanRecord.fetchOne(statement), let stress = mean.stress,
      mean.count >= Self.fewestMeasurements
    else { return nil }
    return StressEpisode(stress: stress, triggers: triggers)
  }

  /// Number and mean of measurements; the mean is NULL without measurements.
  private struct MeanRecord: Decodable, FetchableRecord {
    var count: Int
    var stress: Double?
  }
}
