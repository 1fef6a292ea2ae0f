import HeartRate
import History
import Stress
import Sync
import TestSupport
import Testing

/// A session that is recorded while its history is synced.
@Suite struct StoredRunningSessionTests {
  /// Its full hours are written while it is running. The other device stores it when it has ended, with the measurements that were
  /// computed live.
  @Test func runningSessionsAreSharedByFullHours() async throws {
    let world = try StoredWorld(devices: 2)
    try world.createVault(at: world.path(0))
    let session = StoredFixtures.session(seed: 3, seconds: 3700)
    let writer = SessionWriter(session.info, at: world.members[0].location)
    var engine = StressEngine(settings: session.info.settings, baseline: session.info.baseline)
    for event in session.events.dropLast() {
      writer.append(event)
      engine.update(event) { writer.append($0) }
    }
    let last = try #require(session.events.last)
    for _ in 0..<6000 where writer.status != .saved(upTo: last.at) {
      try await Task.sleep(for: .milliseconds(20))
    }
    try #require(writer.status == .saved(upTo: last.at))
    #expect(try world.sync(0).sessionsSent == 1)
    #expect(try world.sync(1).sessionsReceived == 0)
    #expect(try world.sync(0).sessionsSent == 0)
    writer.append(last)
    #expect(await writer.finish(at: last.at) == nil)
    try BaselineUpdater(world.members[0].location).learn("me", today: StoredWorld.today, at: StoredWorld.now)
    try world.settle()
    let first = try StoredRows(world.members[0].location)
    #expect(first.measurements.count > 300)
    #expect(try StoredRows(world.members[1].location).difference(from: first) == nil)
  }
}
