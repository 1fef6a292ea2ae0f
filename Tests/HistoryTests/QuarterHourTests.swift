import GRDB
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

/// The sums of quarter hours equal those of their measurements after any change.
@Suite struct QuarterHourTests {
  /// A history whose measurements are inserted and deleted by SQL, as other programs can do.
  private final class Measured {
    let history: TemporaryHistory
    let queue: DatabaseQueue
    var random: SeededGenerator

    /// - Parameter step: The last migration; nil for all of them.
    init(seed: UInt64, upTo step: Int? = nil) throws {
      history = try TemporaryHistory()
      try StoreFiles.prepare(history.location)
      queue = try DatabaseQueue(path: history.path)
      try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = wal") }
      let migrations = Schema.migrator.migrations
      try Schema.migrator.migrate(queue, upTo: migrations[(step ?? migrations.count) - 1])
      random = SeededGenerator(seed: seed)
      try queue.write { db in
        try db.execute(sql: "INSERT INTO profile (name) VALUES ('anna')")
        for (number, (profile, source)) in [(1, "strap"), (1, "simulated"), (2, "simulated")].enumerated() {
          try db.execute(
            sql: """
              INSERT INTO session (id, profile, source, started_us, zone, utc_offset_s, monotonic_ns, window_ticks,
                metric, judging, baseline_origin, program_version)
              VALUES (?, ?, ?, 0, 'UTC', 0, 0, 4800000000, 'rmssd', 'provisional', 'prior', '0.1.0')
              """, arguments: ["session \(number)", profile, source])
        }
      }
    }

    func insert() throws {
      let session = Int.random(in: 1...3, using: &random)
      // Some are before 1970, as with a clock that is not set.
      let time = Int64.random(in: -4_000_000_000...4_000_000_000, using: &random)
      let beats = Int.random(in: 0...90, using: &random)
      let stress =
        Int.random(in: 0...5, using: &random) == 0 ? nil : Double.random(in: 0...100, using: &random)
      try queue.write { db in
        try db.execute(
          sql: """
            INSERT INTO measurement (session, profile, time_us, ticks, window_s, stress, rmssd_ms, sdnn_ms,
              mean_hr_bpm, beats, normal_beats, confidence) VALUES (?, ?, ?, 0, 60, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            session, session == 3 ? 2 : 1, time, stress, number(5...90), number(5...90), number(40...150),
            beats,
            Int.random(in: 0...beats, using: &random), number(0...1),
          ])
      }
    }

    private func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }

    /// Adds intervals to measurements selected by SQL.
    func addIntervals(where condition: String) throws {
      try execute(
        """
        UPDATE measurement SET stress_low = stress * 0.9, stress_high = stress + 5
          WHERE stress IS NOT NULL AND \(condition)
        """)
    }

    func execute(_ sql: String) throws { try queue.write { try $0.execute(sql: sql) } }
  }

  /// The expected sums, computed from the measurements in memory.
  private static func expected(_ measured: Measured, _ profile: String, _ source: String) throws -> [Int64:
    [Double]]
  {
    let rows = try measured.queue.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT m.* FROM measurement m JOIN session s ON s.number = m.session JOIN profile p ON p.number = m.profile
          WHERE p.name = ? AND (s.source = 'simulated') = (? = 'simulated')
          """, arguments: [profile, source])
    }
    let quarters = Dictionary(grouping: rows) { row in
      Int64((Double(row["time_us"] as Int64) / 900_000_000).rounded(.down))
    }
    return quarters.mapValues { rows in
      let scored = rows.filter { ($0["stress"] as Double?) != nil }
      let usable = scored.filter { $0["normal_beats"] as Int >= 20 && $0["confidence"] as Double >= 0.3 }
      let stress = usable.map { $0["stress"] as Double }
      let rates = usable.map { $0["mean_hr_bpm"] as Double }
      let unpaced = usable.filter { !($0["is_paced"] as Bool) }.map { $0["rmssd_ms"] as Double }
      return [
        Double(rows.count), Double(scored.count), rows.reduce(0) { $0 + ($1["beats"] as Double) },
        stress.reduce(0, +), stress.min() ?? -1, stress.max() ?? -1, Double(stress.count { $0 < 25 }),
        Double(stress.count { $0 >= 75 }), rates.reduce(0, +), rates.min() ?? -1, Double(usable.count),
        unpaced.reduce(0, +), unpaced.max() ?? -1,
      ]
    }
  }

  private static func found(_ measured: Measured, _ profile: String) throws -> [Int64: [Double]] {
    let all = WallTime(microseconds: .min)..<WallTime(microseconds: .max)
    let quarters = try reader(measured.history).quarterHours(of: profile, in: all)
    #expect(quarters.map(\.start) == quarters.map(\.start).sorted())
    let values = quarters.map { quarter in
      let sums = quarter.sums
      let usable = Double(sums.usable)
      return (
        quarter.start.microseconds / 900_000_000,
        [
          Double(sums.measurements), Double(sums.scored), Double(sums.beats),
          (sums[.stress]?.mean ?? 0) * usable,
          sums[.stress]?.low ?? -1, sums[.stress]?.high ?? -1, Double(sums[.relaxed]), Double(sums[.high]),
          (sums[.heartRate]?.mean ?? 0) * usable, sums[.heartRate]?.low ?? -1, usable,
          (sums[.unpacedRMSSD]?.mean ?? 0) * Double(sums.unpaced), sums[.unpacedRMSSD]?.high ?? -1,
        ]
      )
    }
    return Dictionary(uniqueKeysWithValues: values)
  }

  private static func compare(_ measured: Measured, _ comment: Comment) throws {
    // Simulated sessions count only for a profile without other sessions.
    for (profile, source) in [("me", "strap"), ("anna", "simulated")] {
      let (expected, found) = (try expected(measured, profile, source), try found(measured, profile))
      #expect(Set(expected.keys) == Set(found.keys), comment)
      for (quarter, values) in expected {
        let same = zip(values, found[quarter] ?? []).allSatisfy { abs($0 - $1) < 1e-6 }
        #expect(same, "\(comment): \(profile), quarter \(quarter)")
      }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func quarterHoursEqualTheSumsOfTheirMeasurements(seed: UInt64) throws {
    let measured = try Measured(seed: seed)
    for _ in 0..<150 { try measured.insert() }
    try Self.compare(measured, "inserted")
    try measured.execute("UPDATE measurement SET is_paced = 1 WHERE id % 4 = 1")
    try Self.compare(measured, "marked as paced")
    try measured.execute("DELETE FROM measurement WHERE id % 3 = \(seed % 3)")
    try Self.compare(measured, "deleted")
    try measured.execute(
      "UPDATE measurement SET time_us = time_us + 1800000000, stress = stress / 2 WHERE id % 5 = 0")
    try Self.compare(measured, "changed")
    for _ in 0..<50 { try measured.insert() }
    try Self.compare(measured, "inserted into stale quarters")
    try measured.queue.write { try QuarterHourTable.refresh($0) }
    #expect(
      try measured.queue.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM quarter_hour WHERE is_stale")
      } == 0)
    try Self.compare(measured, "computed again")
    try measured.execute("PRAGMA foreign_keys = ON; DELETE FROM session WHERE number = 2")
    try Self.compare(measured, "a session deleted")
    try measured.execute("DELETE FROM profile WHERE name = 'anna'")
    try Self.compare(measured, "a person deleted")
    #expect(try reader(measured.history).integrityFaults() == [])
  }

  @Test func bandsAreTheMeansOfTheIntervals() throws {
    let measured = try Measured(seed: 11)
    for _ in 0..<150 { try measured.insert() }
    try measured.addIntervals(where: "true")
    try expectBands(measured)
    try measured.queue.write { try QuarterHourTable.refresh($0) }
    try expectBands(measured)
    try measured.execute("DELETE FROM measurement WHERE id % 3 = 0")
    try expectBands(measured)
  }

  /// Expects a band in each quarter hour with usable measurements, each of which has an interval.
  private func expectBands(_ measured: Measured) throws {
    let quarters = try reader(measured.history).quarterHours(of: "me", in: HistoryFilter.always)
    #expect(quarters.contains { $0.sums.usable > 1 })
    for sums in quarters.map(\.sums) {
      guard let stress = sums[.stress] else {
        #expect(sums.stressBand == nil)
        continue
      }
      let band = try #require(sums.stressBand)
      #expect(abs(band.lowerBound - 0.9 * stress.mean) < 1e-9)
      #expect(abs(band.upperBound - stress.mean - 5) < 1e-9)
    }
  }

  @Test func aBandRequiresAnIntervalOfEveryUsableMeasurement() throws {
    let measured = try Measured(seed: 12)
    for _ in 0..<150 { try measured.insert() }
    try measured.addIntervals(where: "id % 2 = 0")
    let quarters = try reader(measured.history).quarterHours(of: "me", in: HistoryFilter.always)
    let bands = quarters.filter { $0.sums.stressBand != nil }.count
    let usable = quarters.filter { $0.sums.usable > 0 }.count
    #expect(bands > 0 && bands < usable)
    let whole = quarters.reduce(into: MeasurementSums()) { $0 += $1.sums }
    #expect(whole.stressBand == nil)
  }

  @Test func aDeletionClearsTheSums() throws {
    let measured = try Measured(seed: 9)
    for _ in 0..<40 { try measured.insert() }
    try measured.addIntervals(where: "true")
    try measured.queue.write { try QuarterHourTable.refresh($0) }
    try measured.execute("DELETE FROM measurement")
    let left = try measured.queue.read { db in
      try Int.fetchOne(
        db,
        sql:
          "SELECT count(*) FROM quarter_hour WHERE measurements OR beats OR stress_sum OR stress_low OR hr_high OR intervals OR interval_low_sum"
      )
    }
    #expect(left == 0)
    try measured.queue.write { try QuarterHourTable.refresh($0) }
    #expect(try measured.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM quarter_hour") } == 0)
  }

  @Test(arguments: [4, 7])
  func migrationsFillTheSums(step: Int) throws {
    let measured = try Measured(seed: 7, upTo: step)
    for _ in 0..<40 { try measured.insert() }
    _ = try HistoryWriter(measured.history.location)
    try Self.compare(measured, "filled")
  }

  @Test func aRangeSelectsTheQuarterHoursThatStartInIt() throws {
    let measured = try Measured(seed: 3)
    for _ in 0..<100 { try measured.insert() }
    let reader = try reader(measured.history)
    let all = try reader.quarterHours(
      of: "me", in: WallTime(microseconds: .min)..<WallTime(microseconds: .max))
    let (from, to) = (WallTime(microseconds: -900_000_000), WallTime(microseconds: 900_000_001))
    let part = try reader.quarterHours(of: "me", in: from..<to)
    #expect(part == all.filter { (from..<to).contains($0.start) })
    #expect(part.count == 3)
    #expect(try reader.quarterHours(of: "nobody", in: from..<to) == [])
    let total = all.reduce(into: MeasurementSums()) { $0 += $1.sums }
    #expect(total[.stress]?.high == all.compactMap { $0.sums[.stress]?.high }.max())
  }
}
