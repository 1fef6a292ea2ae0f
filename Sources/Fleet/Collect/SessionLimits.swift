internal import HeartRate
internal import History

/// Which sessions a study accepts. The partition of a session is the day in its ID, which its receiver chooses: without
/// limits, one receiver can create three tables for each day since 1970.
struct SessionLimits: Equatable {
  /// The first day, in days since 1970-01-01; by default 30 days before the study was created.
  var firstDay: Int64
  /// Days without partitions that a receiver can use per hour, apart from yesterday, today and tomorrow.
  var newDaysPerHour: Int64

  static func read(study: Int64, _ connection: PostgreSQLConnection) throws(PostgreSQLError) -> SessionLimits
  {
    let result = try connection.run(
      "SELECT accepts_since - date '1970-01-01', new_days_per_hour FROM study WHERE number = $1",
      [.integer(study)])
    return SessionLimits(firstDay: result.integer(0, 0), newDaysPerHour: result.integer(0, 1))
  }

  /// Changes the limits of a study. Wider ones let the collectors read the stream again when they take over a partition,
  /// because it contains the messages that were rejected.
  static func change(
    _ changes: SessionLimitChanges, study: Int64, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    let current = try read(study: study, connection)
    let new = changes.applied(to: current)
    guard new != current else { return }
    try connection.transaction { () throws(PostgreSQLError) in
      try connection.run(
        "UPDATE study SET accepts_since = date '1970-01-01' + $2::int, new_days_per_hour = $3::int WHERE number = $1",
        [.integer(study), .integer(new.firstDay), .integer(new.newDaysPerHour)])
      guard new.firstDay < current.firstDay || new.newDaysPerHour > current.newDaysPerHour else { return }
      try connection.run(
        "UPDATE partition_lease SET replay_from = '-infinity' WHERE study = $1", [.integer(study)])
    }
  }
}

/// The limits that the user sets. Those that are omitted remain as in the study.
package struct SessionLimitChanges: Equatable, Sendable {
  /// In days since 1970-01-01.
  package var firstDay: Int64?
  package var newDaysPerHour: Int?

  package init(firstDay: Int64? = nil, newDaysPerHour: Int? = nil) {
    (self.firstDay, self.newDaysPerHour) = (firstDay, newDaysPerHour)
  }

  func applied(to limits: SessionLimits) -> SessionLimits {
    SessionLimits(
      firstDay: firstDay ?? limits.firstDay,
      newDaysPerHour: newDaysPerHour.map(Int64.init) ?? limits.newDaysPerHour)
  }
}

/// The UTC day of the time in the ID of a session, by which the tables are partitioned.
enum SessionDay {
  /// Days since 1970-01-01.
  static func day(of session: SessionID) -> Int64 { session.milliseconds / 86_400_000 }

  /// The first moment of a day.
  static func start(_ day: Int64) -> WallTime { WallTime(microseconds: day * 86_400_000_000) }

  /// Whether a session can have begun before a message of it was published, with a tolerance of one day for the clocks.
  static func isStorable(_ session: SessionID, at published: WallTime) -> Bool {
    day(of: session) <= published.microseconds / 86_400_000_000 + 1
  }
}
