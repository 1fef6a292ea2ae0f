import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct JournalTests {
  @Test func entriesAreAddedEditedShownAndDeleted() throws {
    let home = try Home()
    #expect(try home.run("journal").output.contains("No journal entry of 'me' here. Write one with:"))
    #expect(!exists(home.file("data")))
    _ = try home.run("live", "--simulate", "--speed", "max", "--duration", "90")
    let session = try #require(try home.run("history", "--json").json().first?["session"]?.text)
    let added = try JSONValue(
      try home.run(
        "journal", "add", "--mood", "4", "--trigger", "Coffee,  big  day", "--tag", "work", "--note",
        "=1+1,\"x\"\nü",
        "--session", String(session.prefix(12)), "--json"
      ).output)
    #expect(added["mood_word"]?.text == "anxious" && added["session"]?.text == session)
    #expect(added["triggers"]?.elements.compactMap(\.text) == ["big day", "coffee", "work"])
    #expect(added["note"]?.text == "=1+1,\"x\"\nü")
    // The entry is shown with its session, and control characters are replaced.
    let entry = "journal 1: mood 4, anxious; big day, coffee, work; \"=1+1,\"x\"\u{FFFD}ü\""
    #expect(try home.run("history", "--today").output.contains(entry))
    #expect(try home.run("show", session).output.contains(entry))

    _ = try home.run("journal", "add", "--mood", "9", "--at", "2026-11-20T07:30")
    let early = try home.run("journal", "list", "--from", "2026-11-20", "--to", "2026-11-20", "--json").json()
    #expect(early.map { $0["time"]?.text } == ["2026-11-20T07:30:00.000000Z"])
    #expect(try home.run("journal", "list", "--trigger", "COFFEE", "--json").lines.count == 1)

    let edited = try JSONValue(
      try home.run("journal", "edit", "1", "--mood", "10", "--without", "note", "--trigger", "tea", "--json")
        .output)
    #expect(edited["mood_word"]?.text == "very calm" && edited["triggers"]?.elements.count == 1)
    #expect(
      edited["note"]?.text == nil && edited["session"]?.text == session && edited["time"] == added["time"])
    let empty = try home.run("journal", "edit", "2", "--without", "mood")
    #expect(empty.status == .exited(64) && empty.errors.contains("stressmon journal delete 2"))

    #expect(try home.run("journal", "delete", "1").status == .exited(64))
    #expect(try home.run("journal", "delete", "1", "--yes").status == .exited(0))
    #expect(try home.run("journal", "list", "--json").lines.count == 1)
    for arguments in [["edit", "1", "--mood", "3"], ["delete", "1", "--yes"]] {
      let gone = try home.start(["journal"] + arguments).outcome()
      #expect(gone.status == .exited(1) && gone.errors.contains("there is no journal entry 1 of 'me'"))
    }
  }

  @Test("An entry in the future is rejected, and no entry is stored or changed")
  func futureEntry() throws {
    let home = try Home()
    let added = try home.run("journal", "add", "--mood", "3", "--at", "2999-01-01T10:00")
    #expect(
      added.status == .exited(64) && added.errors.contains("'--at 2999-01-01 10:00:00' is in the future"))
    #expect(!exists(home.file("data")))
    _ = try home.run("journal", "add", "--mood", "3")
    let edited = try home.run("journal", "edit", "1", "--at", "2999-01-01T10:00")
    #expect(edited.status == .exited(64) && edited.errors.contains("is in the future"))
  }

  @Test(arguments: [
    ["add"], ["add", "--mood", "0"], ["add", "--mood", "11"], ["add", "--mood", "calm"],
    ["add", "--trigger", ""],
    ["add", "--trigger", "a,,b"], ["add", "--note", ""], ["add", "--mood", "3", "--at", "2026-11-20"],
    ["add", "--trigger", "a\u{1B}[2J"], ["edit", "1"], ["edit", "x", "--mood", "3"],
  ])
  func invalidEntriesAreRejected(arguments: [String]) throws {
    let home = try Home()
    let outcome = try home.start(["journal"] + arguments).outcome()
    #expect(outcome.status == .exited(64))
    #expect(!exists(home.file("data")))
  }

  @Test("Entries are found by a part of their note or of a trigger, regardless of case")
  func search() throws {
    let home = try Home()
    _ = try home.run("journal", "add", "--mood", "4", "--note", "Red Wine with dinner")
    _ = try home.run("journal", "add", "--trigger", "winemaking")
    _ = try home.run("journal", "add", "--mood", "8", "--note", "tea", "--trigger", "walk")
    func found(_ arguments: String...) throws -> [Int] {
      let outcome = try home.start(["history", "--search"] + arguments + ["--json"]).outcome()
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      return try outcome.json().compactMap { $0["id"]?.number.map { Int($0) } }
    }
    #expect(try found("wine") == [1, 2] && found("RED W") == [1] && found("WALK") == [3])
    #expect(try found("beer") == [] && found("wine", "--limit", "1") == [2])
    #expect(try found("wine", "--to", "2001") == [])
    let text = try home.run("history", "--search", "wine").output
    #expect(text.contains("Red Wine with dinner") && !text.contains("tea"))
    for other in [
      ["--category", "high"], ["--sessions"], ["--csv"], ["--speak"], ["--min-confidence", "0.5"],
    ] {
      let refused = try home.start(["history", "--search", "wine"] + other).outcome()
      #expect(refused.status == .exited(64) && refused.errors.contains(other[0]), "\(refused.errors)")
    }
    #expect(try home.run("history", "--search", " ").status == .exited(64))
    #expect(try home.run("history", "--speak", "--category", "high").status == .exited(64))
  }

  @Test("Insights report associations beyond chance, and none for too few data")
  func insights() throws {
    let home = try Home()
    _ = try home.run("live", "--simulate", "--speed", "max", "--duration", "90")
    let silent = try home.run("journal", "insights")
    #expect(silent.output.contains("Too few episodes to associate"))
    // Thirty days of four measurements at noon, with coffee and 40 points more stress every other day.
    let database = try Database(home.database)
    try database.run(
      """
      DELETE FROM measurement;
      WITH RECURSIVE d(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM d WHERE n < 119)
      INSERT INTO measurement (session, profile, time_us, ticks, window_s, stress, rmssd_ms, sdnn_ms,
        mean_hr_bpm, beats, normal_beats, confidence)
        SELECT 1, 1, 1790000000000000 + (n / 4) * 86400000000 + n % 4 * 1000000, n, 60,
          20 + n % 7 + 40 * (n / 4 % 2), 40, 50, 60, 60, 60, 0.9 FROM d;
      WITH RECURSIVE d(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM d WHERE n < 29)
      INSERT INTO journal_entry (profile, time_us, utc_offset_s, mood) SELECT 1, 1790000000000000 + n * 86400000000, 0, 5 FROM d;
      INSERT INTO journal_trigger SELECT id, 'coffee' FROM journal_entry WHERE id % 2 = 0;
      INSERT INTO journal_trigger SELECT id, 'work' FROM journal_entry WHERE id % 3 = 0;
      INSERT INTO journal_trigger SELECT id, 'travel' FROM journal_entry WHERE id < 4
      """)
    let text = try home.run("journal", "insights").output
    #expect(text.contains("With coffee, your stress is about 40 points higher."))
    #expect(!text.contains("With work,") && text.contains("travel 3"))
    let rows = try home.run("journal", "insights", "--json").json()
    #expect(rows.map { $0["trigger"]?.text } == ["coffee", "work", "travel"])
    #expect(rows[0]["beyond_chance"] == .bool(true) && rows[1]["beyond_chance"] == .bool(false))
    #expect(rows[2]["stress_difference"]?.number == nil)
    #expect(try home.run("journal", "insights", "--json").json() == rows)
    #expect(
      try home.run("journal", "insights", "--to", "2026-09-25").output.contains(
        "Too few episodes to associate"))
  }
}
