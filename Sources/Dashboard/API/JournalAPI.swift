import HeartRate
import History
import HummingbirdCore
import JSONLines
import NIOCore
import Platform
import Reports

/// The journal: lists entries, and adds one.
struct JournalAPI: Sendable {
  let history: HistoryAPI

  static let path = "/api/journal"

  /// Limit of the number of triggers.
  static let mostTriggers = 20
  /// Limit of a body in bytes: a character of the note has at most 12 bytes, as two escapes in JSON and as four
  /// percent-encoded bytes in a form.
  static let longestBody = 12 * JournalEntry.longestNote + 16 << 10

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", Self.path) { try await list($0) },
      Endpoint("POST", Self.path) { try await add($0) },
    ]
  }

  private func list(_ request: PermittedRequest) async throws -> Response {
    try await history.reading(request, ["limit", "profile", "from", "to"]) { query, reader, profile in
      let limit = try query.integer("limit", 1...HistoryAPI.longestPage, default: 20)
      let entries = try reader?.journal(of: profile, in: query.filter().times, limit: limit) ?? []
      var line = JSONLine()
      line.line { line in
        line.put("journal", objects: entries) { $1.put(into: &$0) }
        line.put("next", entries.count == limit ? entries.first?.time.rfc3339 : nil)
      }
      return line.bytes
    }
  }

  private func add(_ request: PermittedRequest) async throws -> Response {
    let query = try QueryParameters(request, ["profile"])
    let body = try await JSONBody(request, limit: Self.longestBody)
    let entry = try Self.entry(body, profile: history.options.profile)
    let bytes = try await history.writers.run {
      var entry = entry
      entry.profile = try history.profile(query, history.reader())
      let stored = try HistoryWriter(history.options.location).addToJournal(entry)
      var line = JSONLine()
      line.line { stored.put(into: &$0) }
      return line.bytes
    }
    return .json(bytes, status: 201)
  }

  private static func entry(_ body: JSONBody, profile: String) throws -> JournalEntry {
    let now = SystemClock.wall
    var entry = JournalEntry(profile: profile, time: now, utcOffset: LocalZone(at: now).utcOffset)
    if let rating = try body.integer("mood") {
      guard let mood = Mood(rating) else {
        throw Problem.badParameter("mood", expected: "a whole number from 1 to 10")
      }
      entry.mood = mood
    }
    entry.note = try body.text("note").flatMap(JournalEntry.note)
    guard !JournalEntry.isTooLong(note: entry.note ?? "") else {
      throw Problem.badParameter("note", expected: "text of at most \(JournalEntry.longestNote) characters")
    }
    entry.triggers = try body.texts("triggers", most: mostTriggers, longest: 64)
    guard !entry.isEmpty else {
      throw Problem(422, "Empty entry", "An entry has at least one of: mood, triggers, note.")
    }
    return entry
  }
}
