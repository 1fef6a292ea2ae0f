internal import HeartRate
internal import History

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
