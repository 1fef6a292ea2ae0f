import HTTPTypes
import HeartRate
import History
import Platform
import Testing

@testable import Dashboard

@Suite struct JournalPageTests {
  @Test func anEntryIsAddedAndShown() async throws {
    let server = try ServerFixture(measures: false)
    let empty = try await server.page("/journal")
    #expect(empty.contains("No journal entries yet") && empty.ranges(of: "type=\"radio\"").count == 10)
    let answer = try await server.form(
      "/journal", ["mood": "7", "triggers": "Coffee, work ,, coffee", "note": "before\r\nthe meeting"])
    #expect(answer.status == 303 && answer.headers[.location] == "/journal?notice=added")
    let entry = try #require(try server.reader().journal(of: "me").first)
    #expect(
      entry.mood?.rating == 7 && entry.triggers == ["coffee", "work"] && entry.note == "before\nthe meeting")
    let page = try await server.page("/journal?notice=added")
    #expect(page.contains("mood 7, calm") && page.contains("<span class=\"tag\">coffee</span>"))
    #expect(page.contains("name=\"trigger\" value=\"coffee\""))
    #expect(server.audit.withLock(\.count) == 1)
  }

  @Test func anEntryHasTheChosenTime() async throws {
    let server = try ServerFixture(measures: false)
    #expect(try await server.form("/journal", ["mood": "7", "time": "2026-03-01T07:30"]).status == 303)
    let entry = try #require(try server.reader().journal(of: "me").first)
    #expect(entry.time == LocalTime.parse("2026-03-01T07:30"))
    let form = try await server.page("/journal/entries/\(entry.id)")
    #expect(form.contains("type=\"datetime-local\" value=\"2026-03-01T07:30\""))
    let path = "/journal/entries/\(entry.id)"
    #expect(try await server.form(path, ["mood": "4", "time": "2026-02-28T22:00"]).status == 303)
    let changed = try #require(try server.reader().journal(of: "me").first)
    #expect(changed.time == LocalTime.parse("2026-02-28T22:00") && changed.mood?.rating == 4)
    for time in ["2099-01-01T00:00", "yesterday evening"] {
      let answer = try await server.form("/journal", ["mood": "7", "time": time])
      #expect(answer.status == 422 && answer.text.contains("id=\"time-error\""))
    }
    #expect(try server.reader().journal(of: "me").count == 1)
  }

  @Test func theFormBeginsWithTheDayOfALink() async throws {
    let server = try ServerFixture(measures: false)
    #expect(try await server.page("/journal?day=2026-11-20").contains("value=\"2026-11-20T12:00\""))
    #expect(try await server.request("GET", "/journal?day=20").status == 400)
  }

  @Test func anUnchangedMinuteKeepsItsSeconds() async throws {
    let server = try ServerFixture(measures: false)
    let time = try #require(WallTime(rfc3339: "2026-03-01T07:30:42Z"))
    // Written in another time zone.
    let entry = try HistoryWriter(server.location).addToJournal(
      JournalEntry(profile: "me", time: time, utcOffset: 32_400, note: "tea"))
    let form = try await server.page("/journal/entries/\(entry.id)")
    let shown = String(try #require(form.firstMatch(of: /value="(\d{4}-[^"]*)"/)).1)
    _ = try await server.form("/journal/entries/\(entry.id)", ["note": "coffee", "time": shown])
    let changed = try #require(try server.reader().journal(of: "me").first)
    #expect(changed.time == entry.time && changed.utcOffset == 32_400 && changed.note == "coffee")
  }

  @Test func insightsComeFirstAndLongNotesAreClosed() async throws {
    let server = try ServerFixture()
    try server.note(String(repeating: "long ", count: 100), triggers: ["tea"])
    let page = try await server.page("/journal")
    #expect(page.contains("<details class=\"note\"><summary><span>long long"))
    let insights = try #require(page.ranges(of: "id=\"insights\"").first)
    let entries = try #require(page.ranges(of: "id=\"entries\"").first)
    #expect(insights.lowerBound < entries.lowerBound)
  }

  @Test func entriesAreFoundByNoteAndTriggerRegardlessOfCase() async throws {
    let server = try ServerFixture(measures: false)
    try server.note("Wine with friends", triggers: [])
    try server.note("a quiet evening", triggers: ["wine"])
    try server.note("coffee", triggers: ["work"])
    let found = try await server.page("/journal?search=WINE")
    #expect(found.contains("2 entries") && found.ranges(of: "href=\"/journal/entries/").count == 2)
    #expect(found.contains("Wine with friends") && !found.contains("coffee"))
    #expect(try await server.page("/journal?search=nothing").contains("0 entries"))
    // A search for nothing is the journal.
    #expect(try await server.page("/journal?search=%20").contains("Add to the journal"))
    expectHarmless(try await server.page("/journal?search=\(hostileName.percentEncoded)"))
  }

  @Test func textsAreHarmless() async throws {
    let server = try ServerFixture(measures: false)
    let entry = try server.note(hostileName, triggers: [hostileName])
    expectHarmless(try await server.page("/journal"))
    expectHarmless(try await server.page("/journal/entries/\(entry.id)"))
  }

  @Test(
    arguments: [
      ([:], "mood"), (["mood": "11"], "mood"), (["mood": "x", "note": "kept"], "mood"),
      (["triggers": "\u{1B}[31m"], "triggers"), (["triggers": String(repeating: "a", count: 65)], "triggers"),
      (["triggers": (0...20).map { "t\($0)" }.joined(separator: ",")], "triggers"),
      (["note": String(repeating: "a", count: 10_001)], "note"),
    ] as [(KeyValuePairs<String, String>, String)])
  func anInvalidEntryIsShownAgainWithItsErrors(_ fields: KeyValuePairs<String, String>, _ field: String)
    async throws
  {
    let server = try ServerFixture(measures: false)
    let answer = try await server.form("/journal", fields)
    #expect(answer.status == 422 && answer.text.contains("href=\"#\(field)\""))
    #expect(answer.text.contains("class=\"field-error\""))
    if fields.contains(where: { $0.value == "kept" }) { #expect(answer.text.contains(">\nkept</textarea>")) }
    #expect(try HistoryReader(server.location)?.journal(of: "me").isEmpty ?? true)
  }

  /// Regression: a tab was refused as "4000 characters", 3,900 Japanese characters as "Body too large", and joined emoji were torn.
  @Test(arguments: [
    ("tea\twith milk\r\nand bread", "tea\twith milk\nand bread"),
    (String(repeating: "茶", count: 10_000), String(repeating: "茶", count: 10_000)),
    (String(repeating: "👩‍🔬", count: 3333), String(repeating: "👩‍🔬", count: 3333)),
    ("a\u{202E}b\u{2066}c\u{200B}d\u{07}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}"),
  ])
  func aNoteIsStoredAsTyped(typed: String, stored: String) async throws {
    let server = try ServerFixture(measures: false)
    #expect(try await server.form("/journal", ["note": typed]).status == 303)
    let entry = try #require(try server.reader().journal(of: "me").first)
    #expect(entry.note == stored)
    let path = "/journal/entries/\(entry.id)"
    #expect(try await server.page(path).contains(">\n\(stored)</textarea>"))
    #expect(try await server.form(path, ["note": stored, "mood": "5"]).status == 303)
    #expect(try server.reader().journalEntry(entry.id, of: "me")?.note == stored)
  }

  @Test func anEntryIsChanged() async throws {
    let server = try ServerFixture(measures: false)
    let entry = try server.note("first", mood: 2, triggers: ["work"])
    let path = "/journal/entries/\(entry.id)"
    let form = try await server.page(path)
    #expect(form.contains(">\nfirst</textarea>") && form.contains("value=\"2\" checked"))
    let answer = try await server.form(path, ["mood": "9", "note": "second"])
    #expect(answer.status == 303 && answer.headers[.location] == "/journal?notice=changed")
    let changed = try #require(try server.reader().journalEntry(entry.id, of: "me"))
    #expect(changed.mood?.rating == 9 && changed.note == "second" && changed.triggers.isEmpty)
    #expect(try await server.form(path, ["note": ""]).status == 422)
    #expect(try await server.request("GET", "/journal/entries/999").status == 404)
    #expect(try await server.form("/journal/entries/999", ["mood": "1"]).status == 404)
  }

  @Test func anEntryIsDeletedAfterAPreview() async throws {
    let server = try ServerFixture(measures: false)
    let entry = try server.note("secret")
    #expect(try await server.page("/journal/delete/\(entry.id)").contains("<li>1 journal entry</li>"))
    #expect(try server.reader().journal(of: "me").count == 1)
    let answer = try await server.form("/journal/delete/\(entry.id)", [:])
    #expect(answer.status == 303 && answer.headers[.location] == "/journal?notice=deleted")
    #expect(try server.reader().journal(of: "me").isEmpty)
  }

  @Test func entriesAreListedOnPages() async throws {
    let server = try ServerFixture(measures: false)
    for number in 0..<35 { try server.note("n\(number)") }
    let first = try await server.page("/journal")
    let older = try #require(first.firstMatch(of: /href="(\/journal\?before=[0-9]+)"/)).1
    let second = try await server.page(String(older))
    let shown = [first, second].flatMap { $0.matches(of: />n([0-9]+)<\/p>/).map { String($0.1) } }
    #expect(Set(shown) == Set((0..<35).map(String.init)) && shown.count == 35)
  }

  @Test func aReadOnlyServerHasNoForms() async throws {
    let server = try ServerFixture(isReadOnly: true, measures: false)
    let entry = try server.note("kept")
    for path in ["/journal", "/journal/entries/\(entry.id)", "/journal/delete/\(entry.id)"] {
      #expect(try await !server.page(path).contains("method=\"post\""), "\(path)")
    }
    #expect(try await server.form("/journal", ["mood": "1"]).status == 403)
    #expect(try await server.form("/journal/delete/\(entry.id)", [:]).status == 403)
    #expect(try server.reader().journal(of: "me").count == 1)
  }
}
