import HTTPTypes
import HeartRate
import History
import Platform
import TestSupport
import Testing

@testable import Dashboard

extension ServerFixture {
  /// Sends a form as a browser without script does.
  func form(_ path: String, _ fields: KeyValuePairs<String, String>) async throws -> Answer {
    let body = fields.map { "\($0.key)=\($0.value.percentEncoded)" }.joined(separator: "&")
    return try await request(
      "POST", path, body: body, headers: [.contentType: "application/x-www-form-urlencoded"])
  }

  /// The text of a page that is expected to exist.
  func page(_ path: String) async throws -> String {
    let answer = try await request("GET", path)
    #expect(answer.status == 200, "\(path): \(answer.text)")
    #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
    return answer.text
  }

  func reader() throws -> HistoryReader { try #require(try HistoryReader(location)) }

  /// The newest session of the profile `me`.
  func session() throws -> StoredSession { try #require(try reader().sessions(of: "me", limit: 1).first) }

  /// Stores a journal entry.
  @discardableResult
  func note(
    _ note: String?, mood: Int? = nil, triggers: [String] = [], at time: WallTime = SystemClock.wall
  ) throws -> JournalEntry {
    let entry = JournalEntry(
      profile: "me", time: time, utcOffset: 0, mood: mood.flatMap(Mood.init), triggers: triggers, note: note)
    return try HistoryWriter(location).addToJournal(entry)
  }
}

/// A name that would add an element, control a terminal and reorder a line if it were not escaped.
let hostileName = "<script>alert(1)</script>\u{1B}[31m\u{202E}\"'&"

/// Expects that the page shows ``hostileName`` without its effect.
func expectHarmless(_ page: String, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(!page.contains("<script>alert"), sourceLocation: sourceLocation)
  #expect(page.contains("&lt;script&gt;alert(1)"), sourceLocation: sourceLocation)
  #expect(
    !page.unicodeScalars.contains { ["\u{1B}", "\u{202E}"].contains($0) }, sourceLocation: sourceLocation)
}

extension ServerFixture {
  /// Stores a simulated morning reading for each of the last days, today not included.
  func addMornings(count: Int) throws {
    let calendar = LocalCalendar.system
    let today = calendar.day(of: SystemClock.wall)
    let folder = String(
      location.path.prefix(upTo: location.path.lastIndex(of: "/") ?? location.path.endIndex))
    for day in 1...Int64(count) {
      let date = calendar.text(calendar.start(ofDay: today - day)).prefix(10)
      let arguments = [
        "morning", "--simulate", "--seed", "\(day)", "--speed", "max", "--json", "--at", "\(date)T07:00",
        "--db",
        location.path,
      ]
      let environment = ["HOME": folder, "XDG_RUNTIME_DIR": folder + "/run", "XDG_CONFIG_HOME": nil]
      _ = try Program(Program.besideTheTests("stressmon"), arguments, environment: environment).waitForExit()
    }
  }
}
