internal import History

/// The UTC day of the time in the ID of a session, by which the tables are partitioned.
enum SessionDay {
  /// 9999-12-30 in days since 1970-01-01, so that the next day has four digits, too.
  private static let last: Int64 = 2_932_895
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Days since 1970-01-01. The first ten characters of an ID are milliseconds since then, five bits each.
  static func day(of session: SessionID) -> Int64 {
    let milliseconds = session.text.utf8.prefix(10).reduce(Int64(0)) { value, character in
      value << 5 | Int64(digits.firstIndex(of: character) ?? 0)
    }
    return milliseconds / 86_400_000
  }

  static func isStorable(_ session: SessionID) -> Bool { day(of: session) <= last }
}
