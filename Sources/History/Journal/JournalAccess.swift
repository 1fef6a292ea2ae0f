package import HeartRate

extension HistoryReader {
  /// The newest `limit` journal entries of `profile` within `times`, by time.
  package func journal(
    of profile: String, in times: Range<WallTime> = HistoryFilter.always, limit: Int = .max
  ) throws(HistoryError) -> [JournalEntry] {
    try read { try JournalRecord.latest($0, of: profile, in: times, limit: limit).reversed() }
  }

  /// The journal entries of a session: entries that refer to it, and entries of its profile that were written during it, by
  /// time.
  package func journal(of session: StoredSession) throws(HistoryError) -> [JournalEntry] {
    let start = session.info.started
    let end = start.advanced(ticks: session.length.ticks)
    let written = try journal(of: session.info.profile, in: start..<max(start, end))
    let referring = try read { try JournalRecord.referring($0, to: session.info.id) }
    let all = written + referring.filter { entry in !written.contains { $0.id == entry.id } }
    return all.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
  }

  /// The journal entry of `profile` with the number `id`, if there is one.
  package func journalEntry(_ id: Int64, of profile: String) throws(HistoryError) -> JournalEntry? {
    try read { try JournalRecord.entry($0, id, of: profile) }
  }
}

extension HistoryWriter {
  /// Adds `entry`.
  /// - Returns: The entry with its number.
  package func addToJournal(_ entry: JournalEntry) throws(HistoryError) -> JournalEntry {
    try connection.write { try JournalRecord.insert($0, entry) }
  }

  /// Changes the journal entry of `profile` with the number `id`. `change` cannot change the number and the profile.
  /// - Returns: The changed entry, or `nil` if no entry has this number.
  package func editJournal(
    _ id: Int64, of profile: String, _ change: (inout JournalEntry) -> Void
  ) throws(HistoryError) -> JournalEntry? {
    try connection.write { db in
      guard var entry = try JournalRecord.entry(db, id, of: profile) else { return nil }
      change(&entry)
      (entry.id, entry.profile) = (id, profile)
      try JournalRecord.update(db, entry)
      return try JournalRecord.entry(db, id, of: profile)
    }
  }
}
