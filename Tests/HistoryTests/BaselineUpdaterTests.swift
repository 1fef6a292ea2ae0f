import GRDB
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

private let midnight: Int64 = 1_794_960_000_000_000  // 2026-11-18T00:00:00Z
private let firstDay = Int(midnight / 86_400_000_000)
private let now = WallTime(microseconds: midnight + 90 * 86_400_000_000)

/// Stores a session of `beats` beats at rest that starts `seconds` after the first midnight.
private func live(
  _ history: TemporaryHistory, at seconds: Int64, profile: String = "me", swing: Int = 30, beats: Int = 150,
  source: SessionInfo.Source = .strap, utcOffset: Int = 0
) async throws {
  let started = WallTime(microseconds: midnight + seconds * 1_000_000)
  var random = SeededGenerator(seed: UInt64(bitPattern: seconds))
  var info = SessionInfo.sample(1, profile: profile)
  info.id = SessionID(started: started, using: &random)
  info.started = started
  info.source = source
  info.utcOffset = utcOffset
  let writer = SessionWriter(info, at: history.location)
  let events = rest(beats: beats, swing: swing, seed: UInt64(bitPattern: seconds))
  events.forEach(writer.append)
  #expect(await writer.finish(at: events.last?.at ?? .zero) == nil)
}

/// Notifications of one beat each, at rest with respiratory sinus arrhythmia.
func rest(beats: Int, swing: Int = 30, seed: UInt64 = 1) -> [SessionEvent] {
  var random = SeededGenerator(seed: seed)
  var time = SessionTime.zero
  return (0..<beats).map { beat in
    let wave = [0, swing, swing + swing / 2, swing, 0, -swing, -swing, -swing][beat % 8]
    let rr = RRInterval(gattUnits: UInt16(940 + wave + Int.random(in: -20...20, using: &random)))
    time = time + rr
    let value = HeartRateMeasurement(heartRate: 64, rrIntervals: RRIntervals(gattUnits: [rr.gattUnits]))
    return SessionEvent(at: time, .notification(payload: value.encoded()))
  }
}

private func day(_ number: Int64) -> Int64 { number * 86_400 + 8 * 3600 }

@Suite struct BaselineUpdaterTests {
  @Test func recomputingEqualsLearningDayByDay() async throws {
    let history = try TemporaryHistory()
    let learning = try BaselineUpdater(history.location)
    for number in 0..<8 {
      try await live(history, at: day(Int64(number)), swing: 20 + 3 * number)
      try learning.learn("me", today: firstDay + number, at: now)
    }
    let learned = try #require(try reader(history).baseline(of: "me"))
    #expect(learned.origin == .learned && learned.days == 8 && learned.rmssd != 50)
    let evidence = try learning.recompute("me", today: firstDay + 7, at: now)
    #expect(try reader(history).baseline(of: "me") == learned)
    #expect(evidence?.blended == learned)
    #expect(try reader(history).integrityFaults() == [])
  }

  @Test func thirtyDaysGiveFullMaturity() async throws {
    let history = try TemporaryHistory()
    for number in 0..<30 { try await live(history, at: day(Int64(number)), beats: 140) }
    let evidence = try BaselineUpdater(history.location).learn("me", today: firstDay + 30, at: now)
    #expect(evidence?.maturity == 1 && evidence?.days == 30)
    let baseline = try #require(try reader(history).baseline(of: "me"))
    #expect(baseline == evidence?.blended && baseline.weight > 0.98 && baseline.weight < 1)
  }

  @Test func nightsCountOnlyWithoutWakingRest() async throws {
    let history = try TemporaryHistory()
    let learning = try BaselineUpdater(history.location)
    // Four hours from 20:00 UTC: from 22:00 to 02:00 local time.
    try await live(history, at: 72_000, swing: 60, beats: 15_400, utcOffset: 7200)
    let night = try #require(try learning.learn("me", today: firstDay + 1, at: now))
    #expect(night.windows > 200)
    try await live(history, at: day(2))
    let waking = try #require(try learning.learn("me", today: firstDay + 2, at: now))
    #expect(waking.days == 1 && waking.windows == 2 && waking.rmssd.value < night.rmssd.value)
    #expect(try learning.recompute("me", today: firstDay + 2, at: now) == waking)
  }

  @Test func theWeightIsStoredAndDerivedFromTheDaysInEarlierRows() throws {
    let history = try TemporaryHistory()
    let learned = Baseline(
      rmssd: 41, sdnn: 52, restingHeartRate: 57, days: 2, origin: .learned, weight: 0.86)
    try HistoryWriter(history.location).setBaseline(learned, of: "me", at: now)
    #expect(try reader(history).baseline(of: "me") == learned)
    let connection = try StoreConnection.writable(history.location, lockTimeout: .seconds(1))
    try connection.write { try $0.execute(sql: "UPDATE baseline SET weight = NULL") }
    #expect(try reader(history).baseline(of: "me")?.weight == 2.0 / 30)
  }

  @Test func profilesHaveSeparateBaselines() async throws {
    let history = try TemporaryHistory()
    let learning = try BaselineUpdater(history.location)
    try await live(history, at: day(0), profile: "ann", swing: 10)
    try await live(history, at: day(0) + 1, profile: "ben", swing: 60)
    try learning.learn("ann", today: firstDay, at: now)
    let ann = try #require(try reader(history).baseline(of: "ann"))
    #expect(try reader(history).baseline(of: "ben") == nil)
    try learning.learn("ben", today: firstDay, at: now)
    #expect(try reader(history).baseline(of: "ann") == ann)
    #expect(try #require(try reader(history).baseline(of: "ben")).rmssd > ann.rmssd)
  }

  @Test func daysAreLocalDaysAcrossAClockChange() async throws {
    let history = try TemporaryHistory()
    // 23:30 and 00:30 in UTC+2, and the same local times a day later in UTC+1.
    for (seconds, offset) in [(77_400, 7200), (81_000, 7200), (167_400, 3600), (171_000, 3600)]
      as [(Int64, Int)]
    {
      try await live(history, at: seconds, beats: 140, utcOffset: offset)
    }
    let evidence = try BaselineUpdater(history.location).learn("me", today: firstDay + 5, at: now)
    #expect(evidence?.days == 3 && evidence?.span == firstDay...(firstDay + 2))
  }

  @Test func aManualBaselineIsKeptUntilRecomputed() async throws {
    let history = try TemporaryHistory()
    let manual = Baseline(rmssd: 42, sdnn: 60, restingHeartRate: 55, days: 30, origin: .manual)
    try HistoryWriter(history.location).setBaseline(manual, of: "me", at: now)
    try await live(history, at: day(0))
    let learning = try BaselineUpdater(history.location)
    let evidence = try learning.learn("me", today: firstDay, at: now)
    #expect(try evidence?.days == 1 && reader(history).baseline(of: "me") == manual)
    try learning.recompute("me", today: firstDay, at: now)
    #expect(try reader(history).baseline(of: "me")?.origin == .learned)
  }

  @Test func sessionsBeforeAResetDoNotCountUntilRecomputed() async throws {
    let history = try TemporaryHistory()
    let learning = try BaselineUpdater(history.location)
    try await live(history, at: day(0))
    try learning.learn("me", today: firstDay, at: now)
    try learning.reset("me", at: WallTime(microseconds: midnight + 86_400_000_000))
    #expect(try learning.learn("me", today: firstDay + 1, at: now) == nil)
    #expect(try reader(history).baseline(of: "me") == nil)
    try await live(history, at: day(1))
    #expect(try learning.learn("me", today: firstDay + 1, at: now)?.days == 1)
    #expect(try learning.recompute("me", today: firstDay + 1, at: now)?.days == 2)
  }

  @Test func simulatedSessionsCountOnlyWithoutOtherSessions() async throws {
    let history = try TemporaryHistory()
    let learning = try BaselineUpdater(history.location)
    try await live(history, at: day(0), source: .simulated)
    #expect(try learning.learn("me", today: firstDay, at: now)?.days == 1)
    try await live(history, at: day(1))
    #expect(try learning.learn("me", today: firstDay + 1, at: now)?.span == firstDay + 1...firstDay + 1)
  }

  @Test func futureDaysDoNotCount() async throws {
    let history = try TemporaryHistory()
    try await live(history, at: day(1))
    let learning = try BaselineUpdater(history.location)
    #expect(try learning.learn("me", today: firstDay, at: now) == nil)
    #expect(try learning.learn("me", today: firstDay + 1, at: now)?.days == 1)
  }

  @Test func anUnreadableSessionIsReportedAndTheOthersCount() async throws {
    let history = try TemporaryHistory()
    let learning = try BaselineUpdater(history.location)
    try await live(history, at: day(0))
    try await live(history, at: day(1))
    let connection = try StoreConnection.writable(history.location, lockTimeout: .seconds(1))
    try connection.write {
      try $0.execute(sql: "UPDATE session_event SET kind = 99 WHERE session = 1 AND sequence = 70")
    }
    #expect(throws: HistoryError.self) { try learning.learn("me", today: firstDay + 1, at: now) }
    #expect(try reader(history).baseline(of: "me")?.days == 1)
    try connection.write { try $0.execute(sql: "UPDATE session_event SET kind = 1 WHERE kind = 99") }
    #expect(try learning.learn("me", today: firstDay + 1, at: now)?.days == 2)
  }

  @Test func aRunningSessionDoesNotCount() async throws {
    let history = try TemporaryHistory()
    let writer = SessionWriter(.sample(), at: history.location)
    let events = rest(beats: 150)
    events.forEach(writer.append)
    #expect(await eventually { writer.hasSaved(upTo: events[149].at) })
    let learning = try BaselineUpdater(history.location)
    let today = Int(writer.info.started.microseconds / 86_400_000_000) + 1
    #expect(try learning.learn("me", today: today, at: now) == nil)
    #expect(await writer.finish(at: events[149].at) == nil)
    #expect(try learning.learn("me", today: today, at: now)?.days == 1)
  }

  @Test func deletingASessionDeletesItsRestingWindows() async throws {
    let history = try TemporaryHistory()
    let learning = try BaselineUpdater(history.location)
    try await live(history, at: day(0))
    try learning.learn("me", today: firstDay, at: now)
    let connection = try StoreConnection.writable(history.location, lockTimeout: .seconds(1))
    try connection.write { try $0.execute(sql: "DELETE FROM session") }
    #expect(try learning.learn("me", today: firstDay, at: now) == nil)
    #expect(try reader(history).baseline(of: "me") == nil)
  }
}
