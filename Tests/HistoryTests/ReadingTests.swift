import GRDB
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

@Suite struct ReadingTests {
  @Test func sessionIDsSortByTimeAndAreUnique() throws {
    var random = SeededGenerator(seed: 5)
    let ids = (0..<2000).map {
      SessionID(started: WallTime(microseconds: 1_000_000 * (1000 + Int64($0) / 2)), using: &random)
    }
    #expect(Set(ids).count == ids.count)
    for (a, b) in zip(ids, ids.dropFirst(2)) { #expect(a < b) }
    for id in ids { #expect(SessionID(id.text.lowercased()) == id) }
    for text in ["", "x", String(repeating: "U", count: 26), ids[0].text + "0"] {
      #expect(SessionID(text) == nil)
    }
    // The first and the last time of the ULID specification.
    #expect(SessionID(started: WallTime(microseconds: -5), using: &random).text.hasPrefix("0000000000"))
    #expect(SessionID(started: WallTime(microseconds: .max), using: &random).text.hasPrefix("7ZZZZZZZZZ"))
  }

  @Test func aSessionIsFoundByAnUnambiguousPrefix() async throws {
    let history = try TemporaryHistory()
    for number in 1...3 as ClosedRange<UInt64> {
      let writer = SessionWriter(.sample(number), at: history.location)
      writer.append(notification(0))
      #expect(await writer.finish(at: .zero) == nil)
    }
    let reader = try reader(history)
    let id = SessionInfo.sample(2).id
    #expect(try reader.session(beginningWith: id.text.lowercased())?.info == .sample(2))
    #expect(try reader.session(beginningWith: String(id.text.dropLast(3)))?.info == .sample(2))
    for absent in ["", "%", "'", "Z", id.text + "0"] {
      #expect(try reader.session(beginningWith: absent) == nil)
    }
    let error = #expect(throws: HistoryError.self) {
      try reader.session(beginningWith: String(id.text.prefix(3)))
    }
    #expect(
      error?.code == .ambiguous
        && error?.description.contains("the IDs of several sessions begin like this") == true)
    #expect(error?.description.contains("cannot read") == false)
  }

  @Test func measurementsAreFoundByProfileNumberAndTime() async throws {
    let history = try TemporaryHistory()
    for (number, profile) in [(1, "me"), (2, "ann"), (3, "me")] as [(UInt64, String)] {
      let info = SessionInfo.sample(number, profile: profile)
      let writer = SessionWriter(info, at: history.location)
      var engine = StressEngine()
      for index in 0..<90 {
        var event = notification(index)
        event.wall = info.started.advanced(
          ticks: event.at.ticks + Int64(number) * 100 * RRInterval.ticksPerSecond)
        engine.update(event) { writer.append($0) }
      }
      #expect(await writer.finish(at: .zero) == nil)
    }
    let reader = try reader(history)
    let mine = try reader.latestMeasurements(of: "me", limit: 1000)
    #expect(mine.count == 12)
    #expect(mine.allSatisfy { $0.profile == "me" })
    #expect(mine.map(\.time) == mine.map(\.time).sorted(by: >))
    #expect(try reader.latestMeasurements(of: "me", limit: 5) == Array(mine.prefix(5)))
    let range = try reader.measurements(of: "me", in: mine[8].time..<mine[3].time)
    #expect(range == mine[4...8].reversed())
    #expect(try reader.latestMeasurements(of: "nobody", limit: 5) == [])
    #expect(try reader.profiles() == ["me", "ann"])
    #expect(try reader.contents().sessions == 3)
    #expect(try reader.contents().measurements == 18)
  }

  @Test func strapsAreRememberedByProfileWithTheLastUsedFirst() throws {
    let history = try TemporaryHistory()
    let writer = try HistoryWriter(history.location)
    let first = RememberedStrap(
      StrapIdentity(address: "c0:00:00:00:00:01", name: "Chest"), bodyLocation: .chest,
      lastUsed: WallTime(microseconds: 1))
    let second = RememberedStrap(
      StrapIdentity(address: "C0:00:00:00:00:02"), lastUsed: WallTime(microseconds: 2))
    try writer.remember(first, for: "me")
    try writer.remember(second, for: "me")
    let reader = try reader(history)
    #expect(try reader.rememberedStraps(of: "me") == [second, first])
    #expect(try reader.rememberedStraps(of: "ann") == [])
    // Used again without a name: the name is kept, and the strap is first.
    try writer.remember(
      RememberedStrap(StrapIdentity(address: first.strap.address), lastUsed: WallTime(microseconds: 3)),
      for: "me")
    #expect(try reader.rememberedStraps(of: "me").first?.strap == first.strap)
    #expect(try reader.rememberedStraps(of: "me").first?.bodyLocation == .chest)
    #expect(try writer.forgetStrap(address: "c0:00:00:00:00:01", of: "me"))
    #expect(try !writer.forgetStrap(address: "c0:00:00:00:00:01", of: "me"))
    #expect(try reader.rememberedStraps(of: "me") == [second])
  }

  @Test func textsOfUsersKeepTheirNULCharacters() throws {
    let history = try TemporaryHistory()
    let writer = try HistoryWriter(history.location)
    let strap = RememberedStrap(
      StrapIdentity(address: "C0:00:00:00:00:01", name: "a\0b"), lastUsed: WallTime(microseconds: 1))
    try writer.remember(strap, for: "p\0q")
    let entry = try writer.addToJournal(
      JournalEntry(
        profile: "p\0q", time: WallTime(microseconds: 1), utcOffset: 0, triggers: ["x\0y"], note: "\0"))
    let reader = try reader(history)
    #expect(try reader.profiles() == ["me", "p\0q"])
    // The name of a strap is cleaned when it is stored.
    #expect(try reader.rememberedStraps(of: "p\0q").map(\.strap.name) == ["a\u{FFFD}b"])
    #expect(try reader.rememberedStraps(of: "p") == [])
    #expect(try reader.journal(of: "p\0q") == [entry])
  }

  @Test func anUnknownSourceIsReportedAsDamage() throws {
    let history = try TemporaryHistory()
    let connection = try StoreConnection.writable(history.location, lockTimeout: .seconds(1))
    try connection.write { db in
      _ = try SessionRecord.insert(db, .sample(), profile: 1)
      try db.execute(sql: "UPDATE session SET source = 'x'")
    }
    let error = #expect(throws: HistoryError.self) { try reader(history).sessions(limit: 1) }
    #expect(error?.code == .corrupt && error?.detail == "unknown Source 'x'")
  }

  @Test func baselinesAreStoredByProfile() throws {
    let history = try TemporaryHistory()
    let writer = try HistoryWriter(history.location)
    let reader = try reader(history)
    #expect(try reader.baseline(of: "me") == nil)
    let mine = Baseline(rmssd: 1 / 3, sdnn: 51, restingHeartRate: 58.5, days: 3, origin: .manual)
    try writer.setBaseline(.populationDefault, of: "me", at: WallTime(microseconds: 1))
    try writer.setBaseline(mine, of: "me", at: WallTime(microseconds: 2))
    #expect(try reader.baseline(of: "me") == mine)
    #expect(try reader.baseline(of: "ann") == nil)
    let nonsense = Baseline(rmssd: .nan, sdnn: 1, restingHeartRate: 1, days: 1, origin: .manual)
    #expect(throws: HistoryError.self) {
      try writer.setBaseline(nonsense, of: "me", at: WallTime(microseconds: 3))
    }
    #expect(try reader.baseline(of: "me") == mine)
    try writer.removeBaseline(of: "me")
    #expect(try reader.baseline(of: "me") == nil)
  }

  @Test func manyReadersAndOneWriterDoNotBlockEachOther() async throws {
    let history = try TemporaryHistory()
    let writer = SessionWriter(.sample(), at: history.location)
    #expect(await eventually { (try? HistoryReader(history.location)) != nil })
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<6 {
        group.addTask {
          let reader = try reader(history)
          var seen = 0
          repeat {
            let stored = reader.events(of: SessionInfo.sample().id)
            let count = stored.enumerated().reduce(0) { count, next in
              next.element == notification(next.offset) ? count + 1 : .min
            }
            #expect(stored.failure == nil)
            #expect(count >= seen)
            seen = count
            await Task.yield()
          } while seen < 3000
          return seen
        }
      }
      for index in 0..<3000 {
        writer.append(notification(index))
        if index % 300 == 0 { try await Task.sleep(for: .milliseconds(300)) }
      }
      for try await seen in group { #expect(seen == 3000) }
    }
    #expect(writer.error == nil)
    #expect(await writer.finish(at: .zero) == nil)
  }
}
