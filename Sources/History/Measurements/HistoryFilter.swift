package import HeartRate
package import Stress

/// Selects measurements, sessions and breathing exercises. A property that is not set does not restrict the selection.
package struct HistoryFilter: Equatable, Sendable {
  /// All times.
  package static let always = WallTime(microseconds: .min)..<WallTime(microseconds: .max)

  package var times: Range<WallTime>
  /// The categories of the stress value; empty for all measurements, also those without a stress value.
  package var categories: Set<StressCategory>
  /// Address or name of the strap, in capital or small letters.
  package var strap: String?
  package var session: SessionID?
  /// The only sessions that can match, for records other than measurements. By default, all can.
  package var sessions: Set<SessionID>?
  /// The lowest confidence, 0 to 1.
  package var leastConfidence: Double?
  /// Whether measurements with a stress value that is not usable (``StoredMeasurement/isUsable``) are omitted. Measurements
  /// without a stress value, and those during clear exertion, whose stress value is not shown, are included.
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
  /// Whether the filter restricts more than the times.
  package var selectsMeasurements: Bool {
    !categories.isEmpty || strap != nil || session != nil || leastConfidence != nil
  }
}

// MARK: - SQL

extension HistoryFilter {
  /// A condition on `measurement m`.
  func measurementCondition(_ profile: String) -> SQLCondition {
    // The unary plus makes SQLite use the index on the session, which has few of the measurements.
    var condition = timeCondition(session == nil ? "m.profile" : "+m.profile", "m.time_us", profile)
    if let strap {
      // The unary plus makes SQLite use the index on the time, which also provides the order.
      condition.and(
        "+m.session IN (SELECT s.number FROM session s WHERE \(Self.usesStrap))", ["strap": strap])
    }
    if let session {
      condition.and("m.session = (SELECT number FROM session WHERE id = :session)", ["session": session.text])
    }
    if omitsUnusable { condition.and("(m.is_usable OR m.stress IS NULL OR m.confidence_exertion < 0.5)") }
    if let quality = qualityCondition("m") { condition.and(quality) }
    return condition
  }

  /// A condition on `session s`.
  func sessionCondition(_ profile: String) -> SQLCondition {
    var condition = SQLCondition(
      """
      s.profile = \(ProfileTable.number) AND s.started_us < :until AND \(SessionRecord.end) >= :from
      """,
      [
        "profile": profile, "from": times.lowerBound.microseconds, "until": times.upperBound.microseconds,
      ])
    restrictSession(&condition)
    return condition
  }

  /// A condition on `breathing b` or `morning_reading b`, and its `session s`.
  func breathingCondition(_ profile: String) -> SQLCondition {
    var condition = timeCondition("s.profile", "b.time_us", profile)
    restrictSession(&condition)
    return condition
  }

  private func timeCondition(_ profileColumn: String, _ timeColumn: String, _ profile: String) -> SQLCondition
  {
    SQLCondition(
      "\(profileColumn) = \(ProfileTable.number) AND \(timeColumn) >= :from AND \(timeColumn) < :until",
      [
        "profile": profile, "from": times.lowerBound.microseconds, "until": times.upperBound.microseconds,
      ])
  }

  /// Restricts `session s` to the strap and to sessions with a measurement of the categories and confidence.
  private func restrictSession(_ condition: inout SQLCondition) {
    if let strap { condition.and(Self.usesStrap, ["strap": strap]) }
    if let session { condition.and("s.id = :session", ["session": session.text]) }
    if let sessions {
      // The IDs of a damaged database are arbitrary text.
      let texts = sessions.map(\.text).filter { SessionID($0) != nil }.sorted()
      let list = texts.map { "'\($0)'" }.joined(separator: ", ")
      condition.and("s.id IN (\(list))")
    }
    guard let quality = qualityCondition("q") else { return }
    condition.and(
      "EXISTS (SELECT 1 FROM measurement q WHERE q.session = s.number AND \(quality.sql))", quality.arguments)
  }

  /// The condition on the category and the confidence of the measurements `table`, if the filter has one.
  private func qualityCondition(_ table: String) -> SQLCondition? {
    var conditions: [SQLCondition] = []
    if !categories.isEmpty {
      conditions.append(SQLCondition("\(table).\(categories.condition)"))
      conditions.append(Self.statesLevel(table))
    }
    if let leastConfidence {
      conditions.append(SQLCondition("\(table).confidence >= :confidence", ["confidence": leastConfidence]))
    }
    guard var condition = conditions.first else { return nil }
    for other in conditions.dropFirst() { condition.and(other) }
    return condition
  }

  /// The condition of ``StressMeasurement/statedCategory``.
  static func statesLevel(_ table: String) -> SQLCondition {
    SQLCondition(
      """
      ifnull(\(table).confidence_rhythm, 1) >= :regular AND ifnull(\(table).confidence_exertion, 1) >= :effort
        AND ifnull(\(table).confidence_motion, 1) > :locomotion
      """,
      [
        "regular": Confidence.leastRegularRhythm, "effort": ExertionEstimator.clear,
        "locomotion": Confidence.locomotion,
      ])
  }

  /// Whether the session `s` started with a strap of this address or name, or its link connected to one.
  private static let usesStrap = """
    EXISTS (SELECT 1 FROM (SELECT s.strap_address AS address, s.strap_name AS name
        UNION ALL SELECT strap_address, strap_name FROM link_change WHERE session = s.number)
      WHERE address = :strap COLLATE NOCASE OR name = :strap COLLATE NOCASE)
    """
}

extension Set<StressCategory> {
  /// The condition on the column `category` of a measurement.
  var condition: String {
    let names = StressCategory.allCases.filter(contains).map { "'\($0.rawValue)'" }
    return "category IN (\(names.joined(separator: ", ")))"
  }
}
