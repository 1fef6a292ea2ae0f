import GRDB
import Glibc
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

/// A database that an earlier program wrote. The expected values are the output of that program.
@Suite struct EarlierDatabaseTests {
  private static let imported = SessionID(stored: "01M7VZGC00G9Z0ZHAJ6JEMPRZK")
  private static let live = SessionID(stored: "01M81JYX7G8BW8SDSAXW36ZX5S")
  private static let exercise = SessionID(stored: "01M81K09C15K5CABRM747H32H8")
  private static let reading = SessionID(stored: "01M81K1GB66REQY136PD41XSPV")

  /// The database, closed and in WAL mode.
  private func earlier() throws -> TemporaryHistory {
    let history = try TemporaryHistory()
    try StoreFiles.prepare(history.location)
    let dump = String(decoding: databaseBytes(of: fixture("migration8.sql")), as: UTF8.self)
    let queue = try DatabaseQueue(path: history.path)
    try queue.inDatabase { db in
      try db.execute(sql: dump)
      try db.execute(sql: "PRAGMA journal_mode = wal")
    }
    try queue.close()
    return history
  }

  @Test func writerMigratesItAndKeepsItsRows() throws {
    let history = try earlier()
    _ = try HistoryWriter(history.location)
    let reader = try reader(history)
    #expect(try reader.profiles() == ["me", "anna"])
    #expect(try reader.integrityFaults() == [])
    let migrated = databaseBytes(of: history.path)
    _ = try HistoryWriter(history.location)
    #expect(databaseBytes(of: history.path) == migrated)
  }

  @Test func itsMeasurementsHaveNoIntervalAndNoQuality() throws {
    let reader = try reader(earlier())
    let stored = try reader.measurements(of: "me", in: HistoryFilter.always)
    #expect(!stored.isEmpty && stored.allSatisfy { $0.interval == nil && $0.quality == nil })
    let sums = try reader.quarterHours(of: "me", in: HistoryFilter.always).map(\.sums)
    #expect(!sums.isEmpty && sums.allSatisfy { $0.usable > 0 && $0.stressBand == nil })
  }

  /// Version 8 has no weights and no ranges: they follow from the days and are unknown, respectively, and new rows have both.
  @Test func theColumnsOfLaterVersionsAreUsable() throws {
    let history = try earlier()
    let writer = try HistoryWriter(history.location)
    let stored = try reader(history).measurements(of: "me", in: HistoryFilter.always)
    #expect(!stored.isEmpty && stored.allSatisfy { $0.range == nil && $0.levelRange == nil })
    let learned = try #require(try reader(history).baseline(of: "me"))
    #expect(learned.days == 1 && learned.weight == 1.0 / 30)
    #expect(try reader(history).baseline(of: "anna")?.weight == 1)
    #expect(try reader(history).sessions(of: "me", limit: 1).first?.info.baseline.weight == 1.0 / 30)
    let weighed = Baseline(
      rmssd: 40, sdnn: 45, restingHeartRate: 62, days: 2, origin: .learned, weight: 0.875)
    try writer.setBaseline(weighed, of: "me", at: WallTime(microseconds: 1_796_000_000_000_000))
    #expect(try reader(history).baseline(of: "me") == weighed)
  }

  @Test func itsTablesEqualThoseOfANewDatabase() throws {
    let (history, new) = (try earlier(), try TemporaryHistory())
    _ = try HistoryWriter(history.location)
    _ = try HistoryWriter(new.location)
    func tables(_ history: TemporaryHistory) throws -> [String?] {
      try reader(history).read { db in
        try Optional<String>.fetchAll(db, sql: "SELECT sql FROM sqlite_master ORDER BY type, name")
          .map { $0.map { $0.filter { !$0.isWhitespace && $0 != "\"" } } }
      }
    }
    #expect(try tables(history) == tables(new))
  }

  @Test func itsSessionsAreRead() throws {
    let sessions = try reader(earlier()).sessions(of: "me", limit: 9)
    #expect(sessions.map(\.info.id) == [Self.reading, Self.exercise, Self.live, Self.imported])
    #expect(sessions.map(\.events) == [68, 112, 152, 161])
    #expect(sessions.map(\.measurements) == [1, 7, 11, 13])
    #expect(sessions.allSatisfy { $0.outcome == .finished && $0.info.engine == 2 })
    let reading = try #require(sessions.first)
    #expect(reading.info.zone == "Europe/Berlin" && reading.info.utcOffset == 3600)
    #expect(reading.info.started.rfc3339 == "2026-11-22T12:17:36.614043Z")
    #expect(reading.ended?.rfc3339 == "2026-11-22T12:18:41.646543Z" && reading.length.seconds == 65.0325)
    #expect(reading.info.monotonicNanoseconds == 3_521_312_132_831)
    #expect(reading.strap == StrapIdentity(address: "00:00:00:00:00:00", name: "Simulated strap"))
    #expect(
      reading.info.baseline
        == Baseline(
          rmssd: 49.92117086860234, sdnn: 49.72721351981621, restingHeartRate: 60.071279751711856, days: 1,
          origin: .learned))
    #expect(sessions.last?.info.source == .imported && sessions.last?.strap == nil)
  }

  @Test func itsMeasurementsAreRead() throws {
    let reader = try reader(earlier())
    let (measurement, session) = try #require(try reader.measurement(12))
    #expect(session.info.id == Self.reading)
    #expect(measurement.time.rfc3339 == "2026-11-22T12:18:41.646543Z")
    #expect(measurement.stress == 0.419937028236043 && measurement.category == .relaxed)
    #expect(measurement.rmssd == 50.467112821657764 && measurement.sdnn == 41.74186198163623)
    #expect(measurement.meanNN == 987.9502118644068 && measurement.pNN50 == 43.85964912280702)
    #expect(measurement.meanHeartRate == 60.73180538801769 && measurement.coverage == 0.9877459025071997)
    #expect(
      measurement.normalBeats == 59 && measurement.beats == 60 && measurement.at.seconds == 64.2645703125)
    #expect(measurement.confidence.value == 0.9033333333333333 && measurement.sensorClass == .beatToBeat)
    #expect(measurement.confidence[.baseline] == 0.9033333333333333 && measurement.confidence[.contact] == 1)
    #expect(measurement.isReading && !measurement.isPaced && measurement.isUsable && measurement.engine == 2)
    let first = try #require(try reader.measurements(of: "me", in: HistoryFilter.always).first)
    #expect(
      first.id == 25 && first.stress == 23.236301414072503 && first.coverage == nil
        && first.sensorClass == nil)
    #expect(try reader.latestMeasurements(of: "anna", limit: 9).map(\.id) == [24, 23, 22, 21, 20])
    #expect(try reader.present(of: "me", before: .distantFuture)?.measurement == measurement)
  }

  @Test func itsEventsGiveTheStoredMeasurements() throws {
    let reader = try reader(earlier())
    for session in try reader.sessions(limit: 9) {
      var engine = StressEngine(settings: session.info.settings, baseline: session.info.baseline)
      var computed: [SessionTime: StressMeasurement] = [:]
      let events = reader.events(of: session.info.id)
      for event in events { engine.update(event) { computed[$0.time] = $0 } }
      #expect(events.failure == nil)
      let stored = try reader.measurements(of: session.info.profile, in: HistoryFilter.always)
        .filter { $0.session == session.info.id }
      #expect(stored.count == session.measurements)
      // The earlier program took the paced breathing of one session for averages.
      for measurement in stored where measurement.sensorClass != .smoothed {
        #expect(computed[measurement.at]?.score?.value == measurement.stress)
      }
    }
  }

  @Test func itsQuarterHoursAreRead() throws {
    let quarters = try reader(earlier()).quarterHours(of: "me", in: HistoryFilter.always)
    let quarter = try #require(quarters.first)
    #expect(quarters.count == 1 && !quarter.isSimulated)
    #expect(quarter.sums.measurements == 13 && quarter.sums.scored == 7 && quarter.sums.usable == 7)
    #expect(quarter.sums.meanConfidence == 0.8401182745030188)
    let rmssd = try #require(quarter.sums[.rmssd])
    #expect(rmssd.mean == 36.12765927579714 && rmssd.low == 34.46640876757156)
    #expect(rmssd.high == 37.35416085703617 && rmssd.deviation == 1.0902660957088453)
    let heartRate = try #require(quarter.sums[.heartRate])
    #expect(heartRate.mean == 59.9995781883734 && heartRate.deviation == 0.02750640748971571)
    #expect(quarter.sums[.unpacedSDNN]?.mean == 30.33238952061505)
  }

  @Test func itsBaselinesAreRead() throws {
    let reader = try reader(earlier())
    #expect(
      try reader.baseline(of: "me")
        == Baseline(
          rmssd: 49.50622399943136, sdnn: 49.30951743668844, restingHeartRate: 59.99855277213052, days: 1,
          origin: .learned))
    #expect(
      try reader.baseline(of: "anna")
        == Baseline(rmssd: 42, sdnn: 55, restingHeartRate: 58, days: 30, origin: .manual))
    let evidence = try #require(try reader.baselineEvidence(of: "me", today: 20_780))
    #expect(evidence.days == 1 && evidence.windows == 1 && evidence.rmssd.value == 35.18671998294093)
    #expect(try reader.baselineEvidence(of: "anna", today: 20_780)?.windows == 1)
  }

  @Test func itsJournalIsRead() throws {
    let reader = try reader(earlier())
    let journal = try reader.journal(of: "me")
    #expect(journal.map(\.id) == [1, 2])
    #expect(journal.map(\.mood?.rating) == [3, 9])
    #expect(journal.map(\.triggers) == [["coffee", "work"], []])
    #expect(journal.map(\.note) == ["It's late; 'quoted' – ümläut", "after the exercise"])
    #expect(journal.map(\.session) == [nil, Self.reading])
    #expect(journal.first?.time.rfc3339 == "2026-11-20T08:01:00.000000Z" && journal.first?.utcOffset == 3600)
    #expect(
      try reader.stressEpisodes(of: "me") == [
        StressEpisode(stress: 25.020752074821164, triggers: ["coffee", "work"]),
        StressEpisode(stress: 6.3869265012771193, triggers: []),
      ])
  }

  @Test func itsBreathingExercisesAreRead() throws {
    let exercises = try reader(earlier()).breathingExercises(of: "me", limit: 9)
    let exercise = try #require(exercises.first)
    #expect(exercises.count == 1 && exercise.session == Self.exercise && exercise.pattern == "4-7-8")
    #expect(exercise.time.rfc3339 == "2026-11-22T12:17:29.738142Z" && exercise.seconds == 40)
    #expect(exercise.cycles == 2 && exercise.plannedCycles == 2 && exercise.changed == .no)
    #expect(exercise.before.rmssd == 66.47203963795272 && exercise.before.stress == 1.3503848257386117)
    #expect(exercise.during.sdnn == 61.117338599580656 && exercise.during.heartRate == 63.09087797364367)
    #expect(exercise.after.rmssd == 72.06034328633379 && exercise.after.confidence == 0.9033333333333333)
    #expect(
      exercise.ratio == .init(value: 1.0840699891084793, low: 0.5174311221846881, high: 2.2712351285011967))
    #expect(exercise.smallestDetectableRatio == 2.0951000870054726)
    #expect(exercise.coherence == nil && exercise.amplitude == nil && exercise.resonance == nil)
  }

  @Test func aNewSessionIsAppended() async throws {
    let history = try earlier()
    let info = SessionInfo.sample()
    let writer = SessionWriter(info, at: history.location)
    var engine = StressEngine()
    for index in 0..<90 {
      writer.append(notification(index))
      engine.update(notification(index)) { writer.append($0) }
    }
    #expect(await writer.finish(at: notification(90).at) == nil)
    let reader = try reader(history)
    #expect(try reader.sessions(of: "me", limit: 9).count == 5)
    #expect(reader.events(of: info.id).elementsEqual((0..<90).map(notification)))
    // Numbers of measurements are not reused.
    let measurements = try reader.latestMeasurements(of: "me", limit: 99).filter { $0.session == info.id }
    #expect(!measurements.isEmpty && measurements.allSatisfy { $0.id > 37 })
    #expect(try reader.integrityFaults() == [])
  }
}

extension WallTime {
  fileprivate static let distantFuture = WallTime(microseconds: .max)
}
