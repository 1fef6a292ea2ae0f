internal import GRDB
package import HeartRate
internal import Motion

/// The seconds of each class of movement in one minute of a session, or in a longer time.
package struct MotionSeconds: Equatable, Sendable {
  package var still = 0
  package var fidget = 0
  package var walk = 0
  package var run = 0

  package var all: Int { still + fidget + walk + run }

  package init() {}

  package static func += (sum: inout MotionSeconds, other: MotionSeconds) {
    sum.still += other.still
    sum.fidget += other.fidget
    sum.walk += other.walk
    sum.run += other.run
  }

  mutating func add(_ motion: MotionClass) {
    switch motion {
    case .still: still += 1
    case .fidget: fidget += 1
    case .walk: walk += 1
    case .run: run += 1
    }
  }
}

/// The seconds of movement of the minutes that are not stored yet, and of the current minute.
///
/// Rows contain totals, so a commit that is repeated does not count seconds twice.
struct PendingMotion: Sendable {
  private(set) var minutes: [Int64: MotionSeconds] = [:]

  mutating func add(_ second: MotionSecond) {
    // The time is the end of the second.
    let minute = (second.time.ticks - 1) / (60 * RRInterval.ticksPerSecond)
    minutes[minute, default: MotionSeconds()].add(second.motion)
  }

  mutating func add(_ other: PendingMotion) {
    for (minute, seconds) in other.minutes {
      minutes[minute, default: MotionSeconds()] += seconds
    }
  }

  /// Forgets the complete minutes, once they are stored.
  mutating func dropComplete() {
    guard let current = minutes.keys.max() else { return }
    minutes = minutes.filter { $0.key == current }
  }

  /// Writes the totals to the table `motion_minute`.
  func write(_ db: Database, session: Int64) throws {
    for (minute, seconds) in minutes.sorted(by: { $0.key < $1.key }) {
      try db.run(
        """
        INSERT INTO motion_minute (session, minute, still_s, fidget_s, walk_s, run_s)
        VALUES (:session, :minute, :still, :fidget, :walk, :run)
        ON CONFLICT DO UPDATE SET still_s = excluded.still_s, fidget_s = excluded.fidget_s,
          walk_s = excluded.walk_s, run_s = excluded.run_s
        """,
        [
          "session": session, "minute": minute, "still": seconds.still, "fidget": seconds.fidget,
          "walk": seconds.walk, "run": seconds.run,
        ])
    }
  }
}

/// The movement in one minute.
package struct MotionMinute: Equatable, Sendable {
  /// Start of the minute.
  package var start: WallTime
  package var seconds: MotionSeconds

  package init(start: WallTime, seconds: MotionSeconds) { (self.start, self.seconds) = (start, seconds) }
}

extension HistoryReader {
  /// The minutes of `profile` with acceleration that begin in `times`, by time; only of simulated sessions, or only of
  /// others.
  package func motion(
    of profile: String, in times: Range<WallTime>, simulated: Bool
  ) throws(HistoryError) -> [MotionMinute] {
    try read { try MotionTable.minutes($0, of: profile, in: times, simulated: simulated) }
  }
}

extension HistoryReader {
  /// The minutes of `profile` in `times` whose heart rate is that of clear exertion, by time; only of simulated sessions, or only of
  /// others.
  package func exertion(
    of profile: String, in times: Range<WallTime>, simulated: Bool
  ) throws(HistoryError) -> [WallTime] {
    try read { db in
      let sql = """
        SELECT DISTINCT m.time_us / 60000000 * 60000000 AS minute FROM measurement m JOIN session s ON s.number = m.session
        WHERE m.profile = \(ProfileTable.number) AND m.time_us >= :from AND m.time_us < :to
          AND m.confidence_exertion < 0.5 AND (s.source = 'simulated') = :simulated ORDER BY minute
        """
      let rows = try RawStatement(
        db, sql,
        [
          "profile": profile, "from": times.lowerBound.microseconds, "to": times.upperBound.microseconds,
          "simulated": simulated,
        ])
      return try rows.all { WallTime(microseconds: $0.integer(ExertionColumn.minute)) }
    }
  }

  private enum ExertionColumn: CInt { case minute }
}

/// Reads the table `motion_minute`.
private enum MotionTable {
  private enum Column: CInt {
    case start, still, fidget, walk, run
  }

  private static let select = """
    SELECT s.started_us + m.minute * 60000000 AS start_us, m.still_s, m.fidget_s, m.walk_s, m.run_s
    FROM motion_minute m JOIN session s ON s.number = m.session JOIN profile p ON p.number = s.profile
    WHERE p.name = :profile AND start_us >= :from AND start_us < :to AND (s.source = 'simulated') = :simulated
    ORDER BY start_us
    """

  static func minutes(
    _ db: Database, of profile: String, in times: Range<WallTime>, simulated: Bool
  ) throws -> [MotionMinute] {
    try RawStatement(
      db, select,
      [
        "profile": profile, "from": times.lowerBound.microseconds, "to": times.upperBound.microseconds,
        "simulated": simulated,
      ]
    ).all { row in
      var seconds = MotionSeconds()
      seconds.still = Int(row.integer(Column.still))
      seconds.fidget = Int(row.integer(Column.fidget))
      seconds.walk = Int(row.integer(Column.walk))
      seconds.run = Int(row.integer(Column.run))
      return MotionMinute(start: WallTime(microseconds: row.integer(Column.start)), seconds: seconds)
    }
  }
}
