package import HeartRate
package import Stress

extension HistoryReader {
  /// The journal of `profile` within `times`, in the order of its times; no more than the latest `limit`.
  package func journal(
    of profile: String, in times: Range<WallTime> = HistoryFilter.always, limit: Int = .max
  ) throws(HistoryError) -> [JournalEntry] {
    try read { try JournalRow.latest($0, of: profile, in: times, limit: limit).reversed() }
  }

  /// What the journal says about a session: entries attached to it, and those written while it went on.
  package func journal(of session: StoredSession) throws(HistoryError) -> [JournalEntry] {
    let start = session.info.started
    let end = start.advanced(ticks: session.length.ticks)
    let written = try journal(of: session.info.profile, in: start..<max(start, end))
    let attached = try read { try JournalRow.about($0, session.info.id) }
    let all = written + attached.filter { entry in !written.contains { $0.id == entry.id } }
    return all.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
  }

  /// The journal entry of `profile` that bears the number `id`; nil when there is none.
  package func journalEntry(_ id: Int64, of profile: String) throws(HistoryError) -> JournalEntry? {
    try read { try JournalRow.numbered($0, id, of: profile) }
  }

  /// The occasions that the journal of `profile` within `times` speaks of and that were measured, with what was going
  /// on in them.
  ///
  /// An occasion is the quarter of an hour before and after an entry, or the session that an entry is about; those that
  /// overlap are one, so that no minute counts twice. Its stress is the mean of the stored measurements in it with a
  /// confidence of 0.5 and more, of which it needs three.
  package func occasions(
    of profile: String, in times: Range<WallTime> = HistoryFilter.always
  ) throws(HistoryError) -> [StressEpisode] {
    var spans: [StressEpisodeSpan] = []
    for entry in try journal(of: profile, in: times) {
      var about: StoredSession?
      if let session = entry.session { about = try self.session(beginningWith: session.text, of: profile) }
      spans.append(StressEpisodeSpan(entry, session: about))
    }
    let merged = StressEpisodeSpan.merged(spans)
    return try read { db in try merged.compactMap { try $0.measured(db, of: profile) } }
  }
}

extension HistoryWriter {
  /// Adds `entry`; gives it back with its number.
  package func addToJournal(_ entry: JournalEntry) throws(HistoryError) -> JournalEntry {
    try connection.write { try JournalRow.insert($0, entry) }
  }

  /// Changes the journal entry of `profile` that bears the number `id`. Nil when there is none.
  package func editJournal(
    _ id: Int64, of profile: String, _ change: (inout JournalEntry) -> Void
  ) throws(HistoryError) -> JournalEntry? {
    try connection.write { db in
      guard var entry = try JournalRow.numbered(db, id, of: profile) else { return nil }
      change(&entry)
      (entry.id, entry.profile) = (id, profile)
      try JournalRow.update(db, entry)
      return try JournalRow.numbered(db, id, of: profile)
    }
  }
}
