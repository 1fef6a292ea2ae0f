import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct TimelineTests {
  private let quick = ["--simulate", "--speed", "max", "--duration", "6m"]

  @Test func filtersSelectMatchingEntries() throws {
    let home = try Home()
    for seed in ["7", "8"] {
      #expect(try home.start(["live", "--seed", seed] + quick).outcome().status == .exited(0))
    }
    let all = try home.run("history", "--json", "--limit", "999").json()
    #expect(all.count > 50)
    func listed(_ arguments: String...) throws -> [JSONValue] {
      try home.start(["history", "--json"] + arguments).outcome().json()
    }
    #expect(try listed() == all.suffix(20))
    #expect(try listed("--from", "2026", "--to", "2100") == all)
    #expect(try listed("--to", "2001-01-01").isEmpty)
    let times = all.compactMap { $0["time"]?.text }
    #expect(try listed("--from", times[10], "--to", times[30]) == Array(all[10..<30]))
    #expect(try listed("--from", times[10], "--limit", "3") == all.suffix(3))
    let relaxed = try listed("--from", "2001", "--category", "relaxed", "--min-confidence", "0.8")
    #expect(
      relaxed
        == all.filter { $0["category"]?.text == "relaxed" && ($0["confidence"]?.number ?? 0) >= 0.8 })
    #expect(!relaxed.isEmpty)
    #expect(try listed("--from", "2001", "--strap", "simulated STRAP") == all)
    #expect(try listed("--from", "2001", "--strap", "C0:00:00:00:00:01").isEmpty)
    #expect(try home.run("history", "--sessions", "--from", "2001", "--json").lines.count == 2)
    #expect(
      try home.run("history", "--sessions", "--to", "2001").output.contains("No session of 'me' matches."))
    for wrong in [
      ["--today", "--week"], ["--from", "yesterday-ish"], ["--category", "calm"], ["--min-confidence", "2"],
      ["--json", "--csv"], ["--limit", "0"], ["--measurements", "--sessions"],
    ] { #expect(try home.start(["history"] + wrong).outcome().status == .exited(64), "\(wrong)") }
  }

  @Test(arguments: [["--category", "high"], ["--strap", "Nobody"], ["--min-confidence", "1"]])
  func aFilterThatMatchesNoMeasurementListsNoJournalEntries(filter: [String]) throws {
    let home = try Home()
    #expect(try home.start(["live"] + quick).outcome().status == .exited(0))
    try Database(home.database).run("UPDATE measurement SET stress = 30, confidence = 0.9")
    for note in ["one", "two"] { _ = try home.run("journal", "add", "--note", note) }
    #expect(
      try home.start(["history"] + filter).outcome().output
        == "No measurement of 'me' matches. List the latest with: stressmon history\n")
    #expect(try home.run("history", "--category", "mild").output.contains("\"two\""))
  }

  @Test("By default, a day lists its sessions, readings, exercises and entries in the order of their times")
  func byDay() throws {
    let home = try Home()
    _ = try home.run(
      "morning", "--simulate", "--speed", "max", "--at", "\(MorningTests.date(daysAgo: 2))T06:00:00Z")
    _ = try home.start(["live"] + quick).outcome()
    _ = try home.run("breathe", "--simulate", "--speed", "max", "--cycles", "2")
    _ = try home.run("measure", "--simulate", "--speed", "max")
    _ = try home.run("journal", "add", "--mood", "7", "--note", "calm day")
    let lines = try home.run("history").lines
    let headings = lines.filter { !$0.isEmpty && !$0.hasPrefix(" ") }
    #expect(headings.count == 2 && headings.allSatisfy { $0.contains(" on average · ") }, "\(lines)")
    #expect(headings.last?.hasSuffix(" · mood 7") == true)
    let times = lines.filter { $0.hasPrefix("  ") }.map { $0.prefix(7) }
    // The exercise is listed beside its session.
    #expect(times.count == 6)
    for text in [
      "morning, lying: HRV ", "session 0", ", 6 min (simulated): ", "breathing 4-7-8: ", "reading 0",
      "calm day",
    ] {
      #expect(lines.contains { $0.contains(text) }, "\(text): \(lines)")
    }
    // A morning reading stands for its session.
    #expect(lines.count { $0.contains("  session ") } == 2 && lines.count { $0.contains("  reading ") } == 1)
    let newest = try home.run("history", "--limit", "1").lines
    #expect(newest == Array(lines.suffix(newest.count)) && newest.first == headings.last)
    let narrow = try home.start(["history", "--ascii"], with: ["COLUMNS": "40"]).outcome()
    #expect(narrow.status == .exited(0) && narrow.output.utf8.allSatisfy { $0 < 0x80 })
    #expect(try home.run("history", "--to", "2001").output.hasPrefix("No measurement of 'me' matches."))
  }

  @Test("A measurement belongs to the local day of its time zone")
  func days() throws {
    let home = try Home()
    _ = try home.start(["live"] + quick).outcome()
    let database = try Database(home.database)
    // 23:30 on 20 November in Berlin, and an hour later.
    try database.run(
      """
      UPDATE measurement SET time_us = 1795213800000000 + id * 1000;
      UPDATE measurement SET time_us = time_us + 3600000000 WHERE id > 5
      """)
    let total = try home.run("history", "--json", "--limit", "999").lines.count
    for (zone, first) in [("Europe/Berlin", 5), ("UTC", total), ("Asia/Tokyo", 0)] {
      let day = try home.run(
        "history", "--from", "2026-11-20", "--to", "2026-11-20", "--json", with: ["TZ": zone])
      #expect(day.lines.count == first, "\(zone)")
    }
    let text = try home.run(
      "history", "--measurements", "--from", "2026-11-20", with: ["TZ": "Europe/Berlin"]
    ).lines
    #expect(text.contains("Fri 20 Nov 2026") && text.contains("Sat 21 Nov 2026"))
    #expect(text.contains { $0.contains("  23:30:00  ") } && text.contains { $0.contains("  00:30:00  ") })
  }

  @Test func showPrintsAllDetailsOfAMeasurementAndASession() throws {
    let home = try Home()
    let live = try home.start(["live", "--json"] + quick).outcome().json()
    let shown = live.of(type: "measurement")
    let measurement = try JSONValue(try home.run("show", "9", "--json").output)
    let same = try #require(shown.first { $0["monotonic_s"] == measurement["monotonic_s"] })
    for key in ["time", "stress", "rmssd_ms", "confidence_factors"] { #expect(measurement[key] == same[key]) }
    let explained = try JSONValue(try home.run("explain", "9", "--json").output)
    #expect(measurement["explanation"] == explained)
    let text = try home.run("show", "9").output
    #expect(text.hasPrefix(try home.run("explain", "9").output) && text.contains("normal of"))

    let id = try #require(measurement["session"]?.text)
    let session = try JSONValue(try home.run("show", id.lowercased(), "--json").output)
    #expect(session["notifications"]?.number == Double(live.of(type: "notification").count))
    #expect(session["beats"]?.number == Double(shown.count))
    let minutes = try #require(session["minutes"]?.elements)
    #expect(minutes.count == 6)
    for minute in minutes {
      let beat = try #require(shown.first { $0["monotonic_s"] == minute["monotonic_s"] })
      for key in ["rmssd_ms", "sdnn_ms", "mean_hr_bpm", "stress", "confidence"] {
        #expect(minute[key] == beat[key])
      }
    }
    #expect(
      session["link"]?.elements.map { $0["state"] }
        == live.of(type: "link").filter { $0["state"] != nil }.map { $0["state"] })
    let details = try home.run("show", id, "--details").output
    #expect(details.contains("Session \(id) of 'me'") && details.contains("link connected"))
    let words = try home.run("show", id).output
    #expect(
      words.contains(" min with stress of ") && words.contains("stressmon show \(id.prefix(10)) --details"))
    #expect(!words.contains("link ") && !words.contains("SDNN"))
    #expect(try home.run("show", "9", "--details").status == .exited(64))
    for (wrong, message) in [
      ("77777", "there is no measurement 77777 of 'me'"), ("01ZZ", "no session ID of 'me' begins"),
    ] {
      let outcome = try home.run("show", wrong)
      #expect(outcome.status == .exited(1) && outcome.errors.contains(message))
    }
  }

  @Test(
    "Numbers of a damaged history are shown or rejected", arguments: [Int64.min, .max, 0])
  func hostileNumbers(number: Int64) throws {
    let home = try Home()
    _ = try home.start(["live"] + quick).outcome()
    _ = try home.run("journal", "add", "--mood", "3", "--trigger", "x")
    let session = try #require(try home.run("history", "--json").json().first?["session"]?.text)
    let database = try Database(home.database)
    for table in ["measurement", "journal_entry"] {
      try database.run("UPDATE \(table) SET time_us = \(number) WHERE id % 2")
    }
    try database.run(
      "UPDATE session SET started_us = \(number), ended_us = \(number), ended_ticks = \(number)")
    try database.run(
      "UPDATE session_event SET ticks = \(number), wall_us = \(number) WHERE sequence % 50 = 7")
    try database.run(
      "UPDATE measurement SET ticks = \(number), window_s = -1e300, rmssd_ms = 1e308 WHERE id % 3 = 0")
    let exercise = try home.run("breathe", "--json", "--simulate", "--speed", "max", "--cycles", "1").json()
    let exercised = try #require(exercise.first?["session"]?.text)
    try database.run(
      """
      UPDATE breathing SET time_us = \(number), cycles = \(number), during_s = 1e300, before_rmssd_ms = -1e308,
        after_stress = 9e999, rmssd_ratio = 0, rmssd_ratio_high = 9e999, smallest_detectable_ratio = 0, resonance_brpm = 1e308,
        resonance_low_brpm = -1, resonance_high_brpm = 9e999
      """)
    for arguments in [
      ["history", "--breathing"], ["history", "--breathing", "--csv"], ["history", "--breathing", "--json"],
      ["show", exercised], ["show", exercised, "--json"], ["history", "--breathing"], ["report"],
      ["history"], ["history", "--from", "0001"], ["history", "--measurements"],
      ["history", "--today", "--csv"],
      ["history", "--limit", "999", "--json"],
      ["history", "--sessions"], ["history", "--sessions", "--csv"], ["show", "1"], ["show", "3", "--json"],
      ["show", session], ["show", session, "--json"], ["journal"], ["journal", "insights"], ["profile"],
      ["delete", "--from", "0001", "--to", "9999", "--dry-run"], ["delete", "--today", "--yes"],
      ["journal", "delete", "1", "--yes"], ["delete", "--all", "--yes"],
    ] {
      guard case .exited = try home.start(arguments).outcome().status else {
        Issue.record("\(arguments) crashed")
        continue
      }
    }
    #expect(try database.run("SELECT count(*) FROM session") == ["0"])
  }
}
