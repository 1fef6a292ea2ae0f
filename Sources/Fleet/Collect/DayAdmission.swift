internal import HeartRate
internal import History

/// Creates the partitions of the days of sessions, within the limits of the study.
struct DayAdmission {
  /// The groups of a batch, by their processing.
  struct Decision {
    var accepted: [CollectedBatch.Session] = []
    var refused: [(group: CollectedBatch.Session, reason: String)] = []
  }

  private let study: Int64
  /// Days after the first one that the study accepts, whose partitions exist.
  private var usableDays: Set<Int64> = []

  init(study: Int64) { self.study = study }

  /// Decides about the sessions of a batch. Sessions that are stored already are accepted whatever their day is.
  mutating func admit(
    _ sessions: [CollectedBatch.Session], _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Decision {
    var decision = Decision()
    let isKnown = sessions.allSatisfy { usableDays.contains(SessionDay.day(of: $0.id)) }
    guard !isKnown else { return Decision(accepted: sessions) }
    let limits = try SessionLimits.read(study: study, connection)
    let old = sessions.map(\.id).filter { SessionDay.day(of: $0) < limits.firstDay }
    let stored = old.isEmpty ? [:] : try SessionTable.rows(old, study: study, connection)
    for group in sessions {
      let day = SessionDay.day(of: group.id)
      if stored[group.id] != nil || usableDays.contains(day) {
        decision.accepted.append(group)
      } else if day < limits.firstDay {
        decision.refused.append((group, Self.tooOld(group.id, limits)))
      } else if try createPartitions(of: day, for: group.receiver, limits, connection) {
        usableDays.insert(day)
        decision.accepted.append(group)
      } else {
        decision.refused.append((group, Self.tooManyDays(group.receiver, limits)))
      }
    }
    return decision
  }

  mutating func removeAll() { usableDays.removeAll() }

  /// - Returns: False if the receiver has used its new days.
  private func createPartitions(
    of day: Int64, for receiver: FleetCode, _ limits: SessionLimits, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Bool {
    if try EventDays.exist(day, connection) { return true }
    return try EventDays.create(day, connection) { () throws(PostgreSQLError) in
      let key: [PostgreSQLValue] = [.integer(study), .text(receiver.text)]
      let state = try connection.run(
        """
        SELECT date '1970-01-01' + $3::int BETWEEN current_date - 1 AND current_date + 1,
          (SELECT count(*) FROM new_day WHERE study = $1 AND receiver = $2 AND created > now() - interval '1 hour')
        """, key + [.integer(day)])
      if state.boolean(0, 0) { return true }
      guard state.integer(0, 1) < limits.newDaysPerHour else { return false }
      try connection.run("DELETE FROM new_day WHERE created < now() - interval '1 hour'")
      try connection.run(
        "INSERT INTO new_day (study, receiver, day) VALUES ($1::int, $2, date '1970-01-01' + $3::int)",
        key + [.integer(day)])
      return true
    }
  }

  private static func tooOld(_ session: SessionID, _ limits: SessionLimits) -> String {
    "the session \(session) began on \(EventDays.text(SessionDay.day(of: session))), and the study accepts sessions since "
      + "\(EventDays.text(limits.firstDay)); change it with: stressmon collect --accept-since DATE"
  }

  private static func tooManyDays(_ receiver: FleetCode, _ limits: SessionLimits) -> String {
    "the receiver \(receiver) sent sessions of more than \(limits.newDaysPerHour) new days within an hour; change the limit with: "
      + "stressmon collect --new-days COUNT"
  }
}
