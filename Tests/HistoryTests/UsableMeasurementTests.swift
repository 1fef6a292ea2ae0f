import GRDB
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

/// Regression: stress values of fewer than 20 normal beats or with a confidence below 0.3 do not count, including those of
/// older versions.
@Suite struct UsableMeasurementTests {
  private static let start: Int64 = 1_795_000_000_000_000

  /// A history of version 7 with a session of measurements every 10 s.
  private func older(_ rows: [(stress: Double?, normal: Int, confidence: Double)]) throws -> TemporaryHistory
  {
    let history = try TemporaryHistory()
    try StoreFiles.prepare(history.location)
    let queue = try DatabaseQueue(path: history.path)
    try Schema.migrator.migrate(queue, upTo: Schema.migrator.migrations[6])
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO session (id, profile, source, started_us, zone, utc_offset_s, monotonic_ns, window_ticks,
            metric, judging, baseline_origin, program_version, outcome)
          VALUES ('01KA8M4X000000000000000000', 1, 'strap', \(Self.start), 'UTC', 0, 0, 4800000000, 'rmssd',
            'provisional', 'prior', '0.1.0', 'finished');
          """)
      for (place, row) in rows.enumerated() {
        let seconds = 10 * Int64(place + 1)
        try db.execute(
          sql: """
            INSERT INTO measurement (session, profile, time_us, ticks, window_s, stress, rmssd_ms, sdnn_ms,
              mean_hr_bpm, beats, normal_beats, confidence) VALUES (1, 1, ?, ?, 60, ?, 40, 50, 60, 60, ?, ?)
            """,
          arguments: [
            Self.start + seconds * 1_000_000, seconds * 80_000_000, row.stress, row.normal, row.confidence,
          ])
      }
    }
    return history
  }

  @Test func migratedSumsContainUsableMeasurementsOnly() throws {
    let history = try older([
      (53, 2, 0.9), (60, 19, 0.9), (20, 20, 0.3), (70, 60, 0.29), (10, 60, 0.9), (nil, 0, 0),
    ])
    let reader = try reader(history)
    let stored = try reader.measurements(of: "me", in: HistoryFilter.always)
    #expect(stored.map(\.isUsable) == [false, false, true, false, true, false])
    #expect(stored.allSatisfy { $0.engine == nil && !$0.isReading && !$0.isPaced })
    let sums = try #require(try reader.quarterHours(of: "me", in: HistoryFilter.always).first).sums
    #expect((sums.measurements, sums.scored, sums.usable) == (6, 5, 2))
    #expect(sums[.stress]?.mean == 15 && sums[.stress]?.high == 20 && sums[.relaxed] == 2)
    #expect(try reader.sums(of: "me", in: HistoryFilter.always) == sums)
    #expect(try reader.integrityFaults() == [])
  }

  @Test func thePresentStateIsTheLatestUsableMeasurement() throws {
    let end = WallTime(microseconds: .max)
    let history = try older([(20, 60, 0.9), (53, 2, 0.9), (99, 60, 0.1)])
    #expect(try reader(history).present(of: "me", before: end)?.measurement.stress == 20)
    let absent = try older([(20, 60, 0.9), (nil, 0, 0)])
    let latest = try #require(try reader(absent).present(of: "me", before: end)).measurement
    #expect(latest.id == 2 && latest.stress == nil)
    #expect(try reader(older([(53, 2, 0.9)])).present(of: "me", before: end) == nil)
  }

  @Test func unusableMeasurementsAreNotPartOfEpisodes() throws {
    let history = try older([(90, 2, 0.9), (20, 60, 0.9), (20, 60, 0.9), (20, 60, 0.9)])
    _ = try HistoryWriter(history.location).addToJournal(
      JournalEntry(
        profile: "me", time: WallTime(microseconds: Self.start), utcOffset: 0, triggers: ["coffee"]))
    let occasions = try reader(history).stressEpisodes(of: "me", in: HistoryFilter.always)
    #expect(occasions.map(\.stress) == [20])
  }

  @Test(arguments: [true, false])
  func aMigrationMarksPacedWindows(ends: Bool) throws {
    let history = try older(Array(repeating: (20, 60, 0.9), count: 30))
    let queue = try DatabaseQueue(path: history.path)
    try queue.write { db in
      let events = try EventTable.Writer(db, session: 1)
      func mark(_ mark: BreathingMark, at seconds: Int64, _ sequence: Int) throws {
        let time = SessionTime(ticks: seconds * RRInterval.ticksPerSecond)
        try events.write(SessionEvent(at: time, .mark(mark.rawValue)), sequence: sequence)
      }
      try mark(.begins, at: 95, 0)
      if ends { try mark(.ends, at: 125, 1) }
    }
    try queue.close()
    let stored = try reader(history).measurements(of: "me", in: HistoryFilter.always)
    // The window of 60 s at 180 s begins before the end of the breathing at 125 s.
    let paced = stored.filter(\.isPaced).map { $0.at.seconds }
    #expect(paced.first == 100 && paced.last == (ends ? 180 : 300))
    let sums = try reader(history).sums(of: "me", in: HistoryFilter.always)
    #expect(sums.usable == 30 && sums.unpaced == 30 - paced.count)
  }

  @Test func aSessionMarksPacedWindows() async throws {
    let history = try TemporaryHistory()
    let writer = SessionWriter(.sample(), at: history.location)
    var engine = StressEngine()
    for index in 0..<300 {
      var events = [notification(index)]
      let marks: [Int: BreathingMark] = [95: .begins, 125: .ends]
      if let mark = marks[index] { events.append(SessionEvent(at: events[0].at, .mark(mark.rawValue))) }
      for event in events {
        writer.append(event)
        engine.update(event) { writer.append($0) }
      }
    }
    _ = await writer.finish(at: notification(300).at)
    let stored = try reader(history).measurements(of: "me", in: HistoryFilter.always)
    let (start, end) = (
      notification(95).at.ticks, notification(125).at.ticks + 60 * RRInterval.ticksPerSecond
    )
    #expect(stored.contains(where: \.isPaced) && stored.contains { !$0.isPaced && $0.at.ticks >= end })
    #expect(stored.allSatisfy { $0.isPaced == ((start..<end).contains($0.at.ticks)) })
  }
}
