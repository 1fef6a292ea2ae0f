import HeartRate
package import History
package import JSONLines

extension StoredSession: FieldRecord {
  package static let fields: [Field<StoredSession>] = [
    ("session", { .text($0.info.id.text) }),
    ("profile", { .text($0.info.profile) }),
    ("time", { .text($0.info.started.rfc3339) }),
    ("zone", { .text($0.info.zone) }),
    ("duration_s", { .seconds($0.length) }),
    ("source", { .text($0.info.source.rawValue) }),
    ("strap", { .text($0.strap?.address) }),
    ("strap_name", { .text($0.strap?.name) }),
    ("events", { .integer(Int64($0.events)) }),
    ("measurements", { .integer(Int64($0.measurements)) }),
    ("outcome", { .text($0.outcome?.rawValue) }),
    ("ended", { .text($0.ended?.rfc3339) }),
    ("engine", { .integer($0.info.engine.map { Int64($0) }) }),
    ("file", { .text($0.file) }),
  ]
}

extension JournalEntry {
  /// Adds the members of the entry's JSON object.
  package func put(into line: inout JSONLine) {
    line.put("id", id)
    line.put("time", time.rfc3339)
    line.put("profile", profile)
    line.put("session", session?.text)
    line.put("mood", mood?.rating)
    line.put("mood_word", mood?.word)
    line.put("triggers", texts: triggers)
    line.put("note", note)
  }
}
