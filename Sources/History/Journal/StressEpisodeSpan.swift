internal import GRDB
internal import HeartRate
internal import Stress

/// The time that a journal entry speaks of, or several whose times overlap.
struct StressEpisodeSpan {
  var start: WallTime
  var end: WallTime
  var triggers: Set<String>

  /// A quarter of an hour.
  private static let reach = 900 * RRInterval.ticksPerSecond
  private static let fewestMeasurements: Int64 = 3
  private static let leastConfidence = 0.5

  /// - Parameter session: the one that the entry is about.
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

  /// Those that overlap made one, in the order of time.
  static func merged(_ spans: [StressEpisodeSpan]) -> [StressEpisodeSpan] {
    spans.sorted { $0.start < $1.start }.reduce(into: []) { merged, span in
      guard let last = merged.last, span.start < last.end else { return merged.append(span) }
      merged[merged.count - 1].end = max(last.end, span.end)
      merged[merged.count - 1].triggers.formUnion(span.triggers)
    }
  }

  /// With the mean of what was measured in it; nil where that is too little.
  func measured(_ db: Database, of profile: String) throws -> StressEpisode? {
    let found = try Query(
      db,
      """
      SELECT count(*), avg(stress) FROM measurement
      WHERE profile = (SELECT number FROM profile WHERE name = ?) AND time_us >= ? AND time_us < ?
        AND is_usable AND confidence >= ?
      """
    ).first(
      .text(profile), .integer(start.microseconds), .integer(end.microseconds), .real(Self.leastConfidence)
    ) { (count: $0.integer(0), stress: $0.real(1)) }
    guard let found, found.count >= Self.fewestMeasurements else { return nil }
    return StressEpisode(stress: found.stress, triggers: triggers)
  }
}
