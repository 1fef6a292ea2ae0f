import GRDB
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

@Suite struct JournalTests {
  private static let noon = WallTime(microseconds: 1_795_000_000_000_000)

  private func entry(
    _ minutes: Int64, _ triggers: [String] = [], profile: String = "me", mood: Int? = nil,
    note: String? = nil,
    session: SessionID? = nil
  ) -> JournalEntry {
    JournalEntry(
      profile: profile, time: Self.noon.advanced(ticks: minutes * 60 * 80_000_000), utcOffset: 3600,
      session: session,
      mood: mood.flatMap(Mood.init), triggers: triggers, note: note)
  }

  @Test func moodsHaveTwoRatingsToEachWord() {
    let words = (1...10).compactMap { Mood($0)?.word }
    #expect(
      words == [
        "very anxious", "very anxious", "anxious", "anxious", "neutral", "neutral", "calm", "calm",
        "very calm",
        "very calm",
      ])
    for rating in [0, 11, -1, .max, .min] { #expect(Mood(rating) == nil) }
  }

  @Test func entriesAreKeptAsTheyWereWrittenByPersonAndInTheirOrder() throws {
    let history = try TemporaryHistory()
    let writer = try HistoryWriter(history.location)
    let note = "first line\nsecond 'line' \u{0} \u{1F9D8}"
    let late = try writer.addToJournal(entry(10, ["coffee", "work"], mood: 3, note: note))
    let early = try writer.addToJournal(entry(-10, mood: 9))
    let anns = try writer.addToJournal(entry(0, ["secret"], profile: "ann"))
    let reader = try reader(history)
    #expect(try reader.journal(of: "me") == [early, late])
    #expect(late.note == note && Set([late.id, early.id, anns.id]).count == 3)
    #expect(try reader.journal(of: "me", limit: 1) == [late])
    #expect(try reader.journal(of: "me", in: early.time..<late.time) == [early])
    #expect(try reader.journal(of: "ann") == [anns])
    #expect(try reader.journalEntry(anns.id, of: "me") == nil)

    #expect(try writer.editJournal(anns.id, of: "me") { $0.note = "mine" } == nil)
    let edited = try writer.editJournal(late.id, of: "me") {
      $0.note = nil
      $0.triggers = ["tea"]
      $0.profile = "ann"
    }
    #expect(edited?.triggers == ["tea"] && edited?.note == nil && edited?.profile == "me")
    #expect(try reader.journalEntry(late.id, of: "me") == edited)
    #expect(try reader.journal(of: "ann") == [anns])
  }

  @Test func whatASessionIsToldAbout() async throws {
    let history = try TemporaryHistory()
    let info = SessionInfo.sample()
    let writer = SessionWriter(info, at: history.location)
    for index in 0..<120 { writer.append(notification(index)) }
    #expect(await writer.finish(at: notification(119).at) == nil)
    let journal = try HistoryWriter(history.location)
    func add(_ seconds: Int64, session: SessionID? = nil) throws -> JournalEntry {
      var entry = entry(0, note: "x", session: session)
      entry.time = info.started.advanced(ticks: seconds * 80_000_000)
      return try journal.addToJournal(entry)
    }
    let after = try add(500, session: info.id)
    let during = try add(60)
    _ = try add(500)
    _ = try add(-1)
    let stored = try #require(try reader(history).session(beginningWith: info.id.text))
    #expect(try reader(history).journal(of: stored) == [during, after])
  }

  @Test("Occasions are what was measured around entries; those that overlap count once")
  func occasions() throws {
    let history = try TemporaryHistory()
    let writer = try HistoryWriter(history.location)
    // At minute m of the next two hundred stress is m / 2, of a person, and 99 of another.
    try writer.connection.write { db in
      for (profile, other) in [("me", 0), ("ann", 1)] {
        let number = try ProfileTable.number(db, creating: profile)
        let session = try SessionRecord.insert(
          db, .sample(UInt64(other + 1), profile: profile), profile: number)
        for minute in 0..<200 {
          try db.execute(
            sql: """
              INSERT INTO measurement (session, profile, time_us, ticks, window_s, stress, rmssd_ms,
                sdnn_ms, mean_hr_bpm, beats, normal_beats, confidence)
              VALUES (\(session), \(number), \(Self.noon.microseconds + Int64(minute) * 60_000_000), \(minute), 60,
                \(other == 0 ? Double(minute) / 2 : 99), 40, 50, 60, 60, 60, \(minute % 2 == 0 ? 0.9 : 0.2))
              """)
        }
      }
    }
    for entry in [
      entry(20, ["coffee"]), entry(40, ["work"]), entry(100, []), entry(150, ["run"], profile: "ann"),
      entry(400, ["night"]),
    ] { _ = try writer.addToJournal(entry) }
    let found = try reader(history).stressEpisodes(of: "me")
    // From minute 5 to 55, and from 85 to 115; only the even ones are trusted.
    #expect(
      found == [
        StressEpisode(stress: 15, triggers: ["coffee", "work"]), StressEpisode(stress: 50, triggers: []),
      ])
    #expect(try reader(history).stressEpisodes(of: "ann") == [StressEpisode(stress: 99, triggers: ["run"])])
  }
}
