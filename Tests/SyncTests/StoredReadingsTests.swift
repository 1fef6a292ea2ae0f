import HeartRate
import History
import Stress
import Sync
import TestSupport
import Testing

/// Sessions of `measure`, of which only the readings are stored, have the same measurements on all devices.
@Suite struct StoredReadingsTests {
  private func world(_ devices: Int) throws -> StoredWorld {
    let world = try StoredWorld(devices: devices)
    try world.createVault(at: world.path(0))
    return world
  }

  /// Stores a session as `measure` does.
  /// - Parameter chooses: Whether a measurement of the session is the result.
  private func measure(
    _ session: ImportedSession, _ world: StoredWorld, result chooses: (StressMeasurement) -> Bool
  ) async throws {
    let writer = SessionWriter(session.info, at: world.members[0].location, sampling: .readingsOnly)
    var engine = StressEngine(settings: session.info.settings, baseline: session.info.baseline)
    var result: StressMeasurement?
    for event in session.events {
      writer.append(event)
      engine.update(event) { measurement in
        writer.append(measurement)
        if result == nil, chooses(measurement) { result = measurement }
      }
    }
    if let result { writer.append(reading: result) }
    #expect(await writer.finish(at: session.events.last?.at ?? .zero) == nil)
    try BaselineUpdater(world.members[0].location).learn(
      session.info.profile, today: StoredWorld.today, at: StoredWorld.now)
  }

  private func measurements(_ world: StoredWorld, _ index: Int) throws -> [StoredMeasurement] {
    let reader = try #require(try HistoryReader(world.members[index].location))
    return try reader.measurements(of: "me", in: HistoryFilter.always)
  }

  private func expectEqual(_ world: StoredWorld) throws {
    let first = try StoredRows(world.members[0].location)
    for member in world.members.dropFirst() {
      #expect(try StoredRows(member.location).difference(from: first) == nil)
    }
  }

  @Test func readingsAreEqualOnAllDevices() async throws {
    let world = try world(2)
    try await measure(StoredFixtures.session(seed: 1, seconds: 90), world) { $0.time.seconds > 65 }
    try await measure(StoredFixtures.session(seed: 2, seconds: 40, startedHoursLater: 1), world) { _ in false
    }
    try StoredFixtures.store(
      StoredFixtures.session(seed: 3, startedHoursLater: 2), in: world.members[0].location)
    try world.settle()
    try expectEqual(world)
    let stored = try measurements(world, 1)
    #expect(stored.count { $0.isReading } == 1)
    #expect(stored.first?.isReading == true && stored.first?.stress != nil)
    #expect(stored.count > 2)
    let sessions = try #require(try HistoryReader(world.members[1].location)).sessions(limit: 9)
    #expect(sessions.map { $0.measurements > 0 } == [true, false, true])
  }

  /// The window of the first reading contains deleted beats, that of the second one does not. A device that joins later reads only
  /// the remaining events.
  @Test(arguments: [(100.0, false), (190.0, true)])
  func readingsAreEqualAfterPartsAreDeleted(seconds: Double, isKept: Bool) async throws {
    let world = try world(2)
    let session = StoredFixtures.session(seed: 1, seconds: 200)
    try await measure(session, world) { $0.time.seconds > seconds }
    try world.settle()
    let times = [60, 80].map { session.info.started.advanced(ticks: $0 * 80_000_000) }
    _ = try HistoryEraser(world.members[1].location).delete(
      .times(times[0]..<times[1], of: "me"), today: StoredWorld.today, at: StoredWorld.now)
    try world.settle()
    try world.addMember(2)
    try world.settle()
    try expectEqual(world)
    #expect(try measurements(world, 2).map(\.isReading) == (isKept ? [true] : []))
  }

  /// The readings of a running session are not known, so its full hours are not written before it ends.
  @Test func runningSessionsAreNotWrittenBeforeTheirReadings() async throws {
    let world = try world(2)
    let session = StoredFixtures.session(seed: 3, seconds: 3700)
    let writer = SessionWriter(session.info, at: world.members[0].location, sampling: .readingsOnly)
    for event in session.events.dropLast() { writer.append(event) }
    let last = try #require(session.events.last)
    for _ in 0..<6000 where writer.status != .saved(upTo: last.at) {
      try await Task.sleep(for: .milliseconds(20))
    }
    try #require(writer.status == .saved(upTo: last.at))
    #expect(try world.sync(0).sessionsSent == 0)
    writer.append(last)
    #expect(await writer.finish(at: last.at) == nil)
    #expect(try world.sync(0).sessionsSent == 1)
    try world.settle()
    #expect(try measurements(world, 1).isEmpty)
  }
}
