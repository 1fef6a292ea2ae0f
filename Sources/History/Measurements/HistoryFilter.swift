package import HeartRate
package import Stress

/// Which measurements and sessions are meant. What is not set leaves none out.
package struct HistoryFilter: Equatable, Sendable {
  /// All times.
  package static let always = WallTime(microseconds: .min)..<WallTime(microseconds: .max)

  package var times: Range<WallTime>
  /// Empty for all, and for measurements without a stress value too.
  package var categories: Set<StressCategory>
  /// Address or name of the strap, capitals or not.
  package var strap: String?
  /// 0 to 1.
  package var leastConfidence: Double?
  /// Whether stress values that are not usable (``StoredMeasurement/isUsable``) are left out. Measurements without a
  /// stress value stay.
  package var omitsUnusable = false

  package init(
    times: Range<WallTime> = always, categories: Set<StressCategory> = [], strap: String? = nil,
    leastConfidence: Double? = nil
  ) {
    self.times = times
    self.categories = categories
    self.strap = strap
    self.leastConfidence = leastConfidence
  }
}

extension HistoryFilter {
  /// Whether measurements are selected by more than their times.
  package var selectsMeasurements: Bool { !categories.isEmpty || strap != nil || leastConfidence != nil }
}

// MARK: - As SQL

extension HistoryFilter {
  /// A condition on `measurement m`, with its values.
  func ofMeasurements(_ profile: String) -> (sql: String, values: [SQLValue]) {
    var sql = "m.profile = (SELECT number FROM profile WHERE name = ?) AND m.time_us >= ? AND m.time_us < ?"
    var values: [SQLValue] = [
      .text(profile), .integer(times.lowerBound.microseconds), .integer(times.upperBound.microseconds),
    ]
    if let strap {
      // The plus keeps the order of time, which the index on it gives.
      sql += " AND +m.session IN (SELECT s.number FROM session s WHERE \(Self.wornStrap))"
      values += [.text(strap), .text(strap)]
    }
    if omitsUnusable { sql += " AND (m.is_usable OR m.stress IS NULL)" }
    append(quality: "m", to: &sql, &values)
    return (sql, values)
  }

  /// A condition on `session s`, with its values.
  func ofSessions(_ profile: String) -> (sql: String, values: [SQLValue]) {
    var sql = """
      s.profile = (SELECT number FROM profile WHERE name = ?) AND s.started_us < ? AND coalesce(s.ended_us,
        (SELECT s.started_us + ticks / 80 FROM session_event WHERE session = s.number ORDER BY sequence DESC LIMIT 1),
        s.started_us) >= ?
      """
    var values: [SQLValue] = [
      .text(profile), .integer(times.upperBound.microseconds), .integer(times.lowerBound.microseconds),
    ]
    appendSession(to: &sql, &values)
    return (sql, values)
  }

  /// A condition on `breathing b` and its `session s`, with its values.
  func ofExercises(_ profile: String) -> (sql: String, values: [SQLValue]) {
    var sql = "s.profile = (SELECT number FROM profile WHERE name = ?) AND b.time_us >= ? AND b.time_us < ?"
    var values: [SQLValue] = [
      .text(profile), .integer(times.lowerBound.microseconds), .integer(times.upperBound.microseconds),
    ]
    appendSession(to: &sql, &values)
    return (sql, values)
  }

  /// Which strap `session s` had, and what was measured in it.
  private func appendSession(to sql: inout String, _ values: inout [SQLValue]) {
    if let strap {
      sql += " AND \(Self.wornStrap)"
      values += [.text(strap), .text(strap)]
    }
    if !categories.isEmpty || leastConfidence != nil {
      sql += " AND EXISTS (SELECT 1 FROM measurement q WHERE q.session = s.number"
      append(quality: "q", to: &sql, &values)
      sql += ")"
    }
  }

  private func append(quality table: String, to sql: inout String, _ values: inout [SQLValue]) {
    if !categories.isEmpty {
      let known = StressCategory.allCases.filter(categories.contains).map { "'\($0.rawValue)'" }
      sql += " AND \(table).category IN (\(known.joined(separator: ", ")))"
    }
    if let leastConfidence {
      sql += " AND \(table).confidence >= ?"
      values.append(.real(leastConfidence))
    }
  }

  /// Whether the session `s` began with a strap of that address or name, or its link came to one.
  private static let wornStrap = """
    EXISTS (SELECT 1 FROM (SELECT s.strap_address AS address, s.strap_name AS name
        UNION ALL SELECT strap_address, strap_name FROM link_change WHERE session = s.number)
      WHERE address = ? COLLATE NOCASE OR name = ? COLLATE NOCASE)
    """
}
