import GRDB
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

@Suite struct BreathingRowTests {
  private static func sample(_ info: SessionInfo) -> StoredBreathing {
    var result = StoredBreathing(
      session: info.id, profile: info.profile,
      time: info.started.advanced(ticks: 63 * RRInterval.ticksPerSecond), pattern: "4-7-8",
      cycles: 3, plannedCycles: 4, seconds: 61.5)
    result.before = .init(rmssd: 40, sdnn: 45, heartRate: 62, stress: 11, confidence: 0.9)
    result.during = .init(rmssd: 60, sdnn: 95, heartRate: 63, stress: 2, confidence: 0.8)
    result.after = .init(rmssd: 55, heartRate: 61)
    (result.coherence, result.amplitude) = (0.7, 55.5)
    result.changed = .yes
    result.ratio = .init(value: 1.375, low: 1.01, high: 1.9)
    result.smallestDetectableRatio = 1.36
    result.resonance = .init(value: 5.6, low: 5.3, high: 5.9)
    return result
  }

  /// Stores a session with nothing but its beginning.
  private static func store(_ info: SessionInfo, _ history: TemporaryHistory) async {
    let writer = SessionWriter(info, at: history.location)
    for index in 0..<3 { writer.append(notification(index)) }
    #expect(await writer.finish(at: notification(3).at) == nil)
  }

  @Test func whatIsStoredIsReadBack() async throws {
    let history = try TemporaryHistory()
    var stored: [StoredBreathing] = []
    for number in 1...3 as ClosedRange<UInt64> {
      let info = SessionInfo.sample(number)
      await Self.store(info, history)
      var result = Self.sample(info)
      if number == 2 {
        // Nothing could be measured.
        result = StoredBreathing(
          session: info.id, profile: info.profile, time: result.time, pattern: "box", cycles: 0,
          plannedCycles: 5, seconds: 0)
      }
      try HistoryWriter(history.location).add(result)
      // Once: the first result stays.
      var other = result
      other.changed = .no
      try HistoryWriter(history.location).add(other)
      stored.append(result)
    }
    #expect(try reader(history).breathingExercises(of: "me", limit: 9) == stored.reversed())
    #expect(try reader(history).breathingExercises(of: "me", limit: 1) == [stored[2]])
    #expect(try reader(history).breathingExercises(of: "you", limit: 9) == [])
    #expect(try reader(history).integrityFaults() == [])
  }

  @Test func filtersLeaveWhatTheySay() async throws {
    let history = try TemporaryHistory()
    for number in 1...2 as ClosedRange<UInt64> {
      await Self.store(.sample(number), history)
      try HistoryWriter(history.location).add(Self.sample(.sample(number)))
    }
    func found(_ filter: HistoryFilter) throws -> [SessionID] {
      try reader(history).breathingExercises(of: "me", matching: filter, limit: 9).map(\.session)
    }
    let (first, second) = (SessionInfo.sample(1).id, SessionInfo.sample(2).id)
    let times = try [first, second].map {
      try #require(try reader(history).breathingExercises(in: $0).first).time
    }
    let both = try found(HistoryFilter(times: min(times[0], times[1])..<WallTime(microseconds: .max)))
    #expect(Set(both) == [first, second])
    // Up to a time is without it.
    #expect(try found(HistoryFilter(times: HistoryFilter.always.lowerBound..<min(times[0], times[1]))) == [])
    #expect(try found(HistoryFilter(strap: "no such strap")) == [])
    // None of their sessions has a measurement.
    #expect(try found(HistoryFilter(categories: [.relaxed])) == [])
    #expect(try found(HistoryFilter(leastConfidence: 0.5)) == [])
    #expect(try reader(history).breathingExercises(in: SessionInfo.sample(3).id) == [])
  }

  @Test func aSessionMayHoldSeveral() async throws {
    let history = try TemporaryHistory()
    await Self.store(.sample(1), history)
    let first = Self.sample(.sample(1))
    var second = first
    second.time = first.time.advanced(ticks: 300 * RRInterval.ticksPerSecond)
    for result in [first, second, first] { try HistoryWriter(history.location).add(result) }
    #expect(try reader(history).breathingExercises(of: "me", limit: 9) == [second, first])
  }

  @Test func oneOfAnEarlierVersionIsKept() async throws {
    let history = try TemporaryHistory()
    await Self.store(.sample(1), history)
    let stored = Self.sample(.sample(1))
    try HistoryWriter(history.location).add(stored)
    let connection = try StoreConnection.writable(history.location, lockTimeout: .seconds(5))
    try connection.write { db in
      try db.execute(
        sql: "DELETE FROM grdb_migrations WHERE identifier LIKE '7 %'; ALTER TABLE breathing RENAME TO later;"
          + Schema.breathing + "INSERT INTO breathing SELECT * FROM later; DROP TABLE later")
    }
    _ = try HistoryWriter(history.location)
    #expect(try reader(history).breathingExercises(of: "me", limit: 9) == [stored])
  }

  @Test func withoutItsSessionThereIsNoResult() throws {
    let history = try TemporaryHistory()
    try HistoryWriter(history.location).add(Self.sample(.sample(7)))
    #expect(try reader(history).breathingExercises(of: "me", limit: 9) == [])
  }

  @Test func withItsSessionGoesTheResult() async throws {
    let history = try TemporaryHistory()
    await Self.store(.sample(1), history)
    try HistoryWriter(history.location).add(Self.sample(.sample(1)))
    let connection = try StoreConnection.writable(history.location, lockTimeout: .seconds(5))
    try connection.write { try $0.execute(sql: "DELETE FROM session") }
    #expect(try reader(history).breathingExercises(of: "me", limit: 9) == [])
  }
}
