import GRDB
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

/// Filters in SQL select the same rows as filters in memory.
@Suite struct FilterTests {
  /// Stores sessions of two profiles and three straps, a day apart, with random measurements.
  private static func fill(_ history: TemporaryHistory, seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    for number in 1...6 as ClosedRange<UInt64> {
      var info = SessionInfo.sample(number, profile: number % 2 == 0 ? "ann" : "me")
      info.started = WallTime(microseconds: info.started.microseconds + Int64(number) * 3_600_000_000)
      info.strap =
        number < 5
        ? StrapIdentity(address: "C0:00:00:00:00:0\(number % 3)", name: "Strap \(number % 3)") : nil
      let writer = SessionWriter(info, at: history.location, sampling: .every(.zero))
      if number >= 5 {
        writer.append(
          SessionEvent(
            at: .zero, .link(LinkChange(.connected, strap: StrapIdentity(address: "D0:00:00:00:00:01")))))
      }
      var engine = StressEngine(
        baseline: Baseline(
          rmssd: Double.random(in: 20...150, using: &random), sdnn: 50, restingHeartRate: 55, days: 9,
          origin: .manual))
      for index in 0..<120 {
        var event = notification(index)
        event.wall = info.started.advanced(ticks: event.at.ticks)
        writer.append(event)
        engine.update(event) { writer.append($0) }
      }
      #expect(await writer.finish(at: SessionTime(ticks: 120 * 80_000_000)) == nil)
    }
  }

  @Test func filtersEqualAFilterInMemory() async throws {
    let history = try TemporaryHistory()
    try await Self.fill(history, seed: 4)
    let reader = try reader(history)
    let straps = [
      "Strap 1": "C0:00:00:00:00:01", "c0:00:00:00:00:02": "C0:00:00:00:00:02",
      "d0:00:00:00:00:01": "D0:00:00:00:00:01",
      "nothing": "nothing",
    ]
    for profile in ["me", "ann", "nobody"] {
      let all = try reader.measurements(of: profile, in: HistoryFilter.always)
      let sessions = try reader.sessions(of: profile, limit: 99)
      // The first 29 of 120 beats cover less than 30 s.
      #expect(all.count == (profile == "nobody" ? 0 : 3 * (120 - 29)))
      #expect(all.allSatisfy { $0.profile == profile })
      var random = SeededGenerator(seed: 1)
      for _ in 0..<60 {
        var filter = HistoryFilter()
        if Bool.random(using: &random) {
          let times = [all.randomElement(using: &random), all.randomElement(using: &random)].compactMap {
            $0?.time
          }
          filter.times = (times.min() ?? .init(microseconds: 0))..<(times.max() ?? .init(microseconds: 1))
        }
        if Bool.random(using: &random) {
          filter.categories = Set(StressCategory.allCases.filter { _ in Bool.random(using: &random) })
        }
        if Bool.random(using: &random) {
          filter.leastConfidence = Double.random(in: 0.3...0.95, using: &random)
        }
        if Bool.random(using: &random) { filter.strap = straps.keys.sorted().randomElement(using: &random) }
        let worn = filter.strap.flatMap { straps[$0] }
        let expected = all.filter { measurement in
          let strap = sessions.first { $0.info.id == measurement.session }?.strap?.address
          let isMeant =
            filter.categories.isEmpty || measurement.category.map(filter.categories.contains) ?? false
          return filter.times.contains(measurement.time) && isMeant && (worn == nil || strap == worn)
            && measurement.confidence.value >= filter.leastConfidence ?? 0
        }
        var found: [StoredMeasurement] = []
        try reader.forEachMeasurement(of: profile, matching: filter) { found.append($0) }
        #expect(found == expected)
        #expect(
          try reader.latestMeasurements(of: profile, matching: filter, limit: 7)
            == expected.suffix(7).reversed())
        let with = Set(expected.map(\.session))
        let listed = try reader.sessions(of: profile, matching: filter, limit: 99)
        #expect(with.isSubset(of: Set(listed.map(\.info.id))))
        #expect(
          listed.allSatisfy { $0.info.profile == profile && (worn == nil || $0.strap?.address == worn) })
      }
    }
  }

  @Test func filtersUseTheTimeIndexWithoutSorting() throws {
    let history = try TemporaryHistory()
    let connection = try StoreConnection.writable(history.location, lockTimeout: .seconds(1))
    let filters = [
      HistoryFilter(), HistoryFilter(categories: [.high], strap: "x", leastConfidence: 0.5),
    ]
    for filter in filters {
      for order in ["ASC", "DESC"] {
        let plan = try plan(
          connection, "SELECT m.id FROM measurement m", filter.measurementCondition("me"),
          "ORDER BY m.time_us \(order), m.id \(order)")
        #expect(
          plan.contains { $0.contains("measurement_of_profile (profile=? AND time_us>? AND time_us<?)") },
          "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
      }
      let plan = try plan(
        connection, "SELECT s.id FROM session s", filter.sessionCondition("me"), "ORDER BY s.started_us DESC")
      #expect(plan.contains { $0.contains("session_by_time (profile=? AND started_us<?)") }, "\(plan)")
    }
  }

  /// The lines of the query plan.
  private func plan(
    _ connection: StoreConnection, _ select: String, _ condition: SQLCondition, _ order: String
  ) throws -> [String] {
    try connection.read { db in
      let sql = "EXPLAIN QUERY PLAN \(select) WHERE \(condition.sql) \(order)"
      return try Row.fetchAll(db.statement(sql, condition.arguments)).map { $0["detail"] }
    }
  }

  @Test func everyMeasurementIsReadOnceAcrossPagesAlsoWithEqualTimes() throws {
    let history = try TemporaryHistory()
    let connection = try StoreConnection.writable(history.location, lockTimeout: .seconds(1))
    try connection.write { db in
      let session = try SessionRecord.insert(db, .sample(), profile: 1)
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
          INSERT INTO measurement (session, profile, time_us, ticks, window_s, beats, normal_beats, confidence)
          SELECT \(session), 1, 1000 + i / 700, i, 60, 60, 60, 0.9 FROM n
          """)
    }
    var ids: [Int64] = []
    try reader(history).forEachMeasurement(of: "me", matching: HistoryFilter()) { ids.append($0.id) }
    #expect(ids == Array(1...2000))
  }
}
