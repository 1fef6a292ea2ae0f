import Dispatch
import Glibc
import HeartRate
import History
import Platform
import TestSupport
import Testing

@testable import Fleet

/// The publisher with a real server.
@Suite(.enabled(if: NatsServer.isInstalled, "needs nats-server")) struct PublisherTests {
  /// Runs `body` while a publisher runs on another thread.
  private func publishing<Result>(
    _ publisher: FleetPublisher, _ body: () async throws -> Result
  ) async throws -> Result {
    let isStopped = Locked(false)
    async let ended: Void = withCheckedContinuation { done in
      startThread {
        try? publisher.run { isStopped.withLock(\.self) }
        done.resume()
      }
    }
    let result = try await body()
    isStopped.withLock { $0 = true }
    await ended
    return result
  }

  private func expectEventually(_ condition: () throws -> Bool) async throws {
    for _ in 0..<30_000 {
      if try condition() { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("the condition does not become true")
  }

  @Test func publishesAllSessionsOfTheParticipants() async throws {
    let study = try StudyFixture()
    var sessions: [SessionID] = []
    for number in 1...3 { sessions.append(try await study.store(UInt64(number), events: 300).0) }
    sessions.append(try await study.store(4, profile: "ben", events: 10).0)
    _ = try await study.store(5, profile: "someone", events: 10)
    let publisher = try study.publisher()
    try publisher.run { false }
    #expect(publisher.status.delivered == 910 && publisher.status.behind == 0)
    let content = try study.content()
    try study.expectComplete(content, sessions: sessions)
    #expect(content.duplicates == 0 && content.disorder == 0)
    for name in ["ann", "ben", "someone", "Chest"] { #expect(!content.text.contains(name)) }
    // Nothing is published again.
    try study.publisher().run { false }
    #expect(try study.collector.stream("fleet-rest")?.messages == UInt64(content.messages))
  }

  @Test func deletedEventsAreNamedInTheNextMessage() async throws {
    let study = try StudyFixture()
    let (id, _) = try await study.store(1, events: 300)
    let started = try #require(try HistoryReader(study.location)?.info(of: id)?.started)
    let time = { (second: Int64) in started.advanced(ticks: second * RRInterval.ticksPerSecond) }
    _ = try HistoryEraser(study.location).delete(
      .times(time(100)..<time(200), of: "ann"), today: 20_776, at: time(10_000))
    let stored = try #require(try HistoryReader(study.location)).events(of: id, from: 0, limit: .max)
    #expect(stored.count < 210)
    try study.publisher().run { false }
    let content = try study.content()
    try study.expectComplete(content, sessions: [id])
    let gap = try #require(zip(stored, stored.dropFirst()).first { $1.sequence - $0.sequence > 1 })
    #expect(content.deleted == [gap.0.sequence + 1..<gap.1.sequence])
  }

  @Test func moreSessionsThanAreReadAtOnce() async throws {
    let study = try StudyFixture()
    var sessions: [SessionID] = []
    for number in 1...150 { sessions.append(try await study.store(UInt64(number), events: 2).0) }
    try study.publisher().run { false }
    try study.expectComplete(try study.content(), sessions: sessions)
  }

  @Test func liveEventsAndAnInterruption() async throws {
    let study = try StudyFixture()
    let (id, writer) = try await study.store(1, events: 5, isFinished: false)
    let started = try #require(try HistoryReader(study.location)?.info(of: id)?.started)
    let publisher = try study.publisher(endsWhenCaughtUp: false)
    try await publishing(publisher) {
      try await expectEventually { publisher.status.delivered == 5 }
      writer.append(StudyFixture.notification(5, of: 1, started))
      try await expectEventually { publisher.status.delivered == 6 }
      study.server.stop()
      for index in 6..<50 { writer.append(StudyFixture.notification(index, of: 1, started)) }
      try await expectEventually { publisher.status.state == .retrying }
      try study.server.start()
      try await expectEventually { publisher.status.delivered == 50 && publisher.status.state == .connected }
      // Regression: the error remained after the interruption.
      try await expectEventually { publisher.status.lastError == nil }
      _ = await writer.finish(at: SessionTime(ticks: 51 * RRInterval.ticksPerSecond))
    }
    try study.publisher().run { false }
    try study.expectComplete(try study.content(), sessions: [id])
  }

  /// The publisher stops before nats-server would remove old messages.
  @Test func aFullStreamLosesNothing() async throws {
    let study = try StudyFixture(limits: StreamLimits(bytes: 200_000))
    let (id, _) = try await study.store(1, events: 5000)
    let publisher = try study.publisher(endsWhenCaughtUp: false)
    try await publishing(publisher) {
      try await expectEventually { publisher.status.lastError?.code == .streamFull }
      let state = try #require(try study.collector.stream("fleet-rest"))
      #expect(state.firstSequence == 1 && state.bytes < 200_000 && publisher.status.behind > 0)
      // Acknowledgements of earlier messages do not hide the error.
      for _ in 0..<50 {
        #expect(publisher.status.lastError?.code == .streamFull)
        try await Task.sleep(for: .milliseconds(10))
      }
      let limits = StreamLimitChanges(bytes: 1 << 30).applied(to: StreamLimits(bytes: 200_000))
      try study.collector.setLimits(limits, of: "fleet-rest")
      #expect(try study.collector.stream("fleet-rest")?.limits == StreamLimits(bytes: 1 << 30))
      try await expectEventually { publisher.status.delivered == 5000 }
      try await expectEventually { publisher.status.lastError == nil }
    }
    try study.publisher().run { false }
    try study.expectComplete(try study.content(), sessions: [id])
  }

  @Test func aNewStreamReceivesEverythingAgain() async throws {
    let study = try StudyFixture()
    let (id, _) = try await study.store(1, events: 20)
    try study.publisher().run { false }
    try study.replaceStream()
    try study.publisher().run { false }
    try study.expectComplete(try study.content(), sessions: [id])
  }

  @Test func eventsThatCollectorsMissArePublishedAgain() async throws {
    let study = try StudyFixture()
    let (id, _) = try await study.store(1, events: 300)
    try study.publisher().run { false }
    let publisher = try study.publisher(endsWhenCaughtUp: false)
    let request = ResendRequest(time: SystemClock.wall, entries: [.init(session: id, next: 142)])
    try await publishing(publisher) {
      try await expectEventually { publisher.status.state == .connected }
      // A second request for the same session is ignored.
      for _ in 0..<2 { try study.collector.send(request, to: CollectedSession.receiver) }
      try await expectEventually { publisher.status.delivered == 158 && publisher.status.waiting == 0 }
    }
    let content = try study.content()
    try study.expectComplete(content, sessions: [id])
    #expect(content.duplicates == 158)
  }

  /// Collectors know a session of a participant with a key by its alias.
  @Test func encryptedSessionsArePublishedAgain() async throws {
    let (folder, rest) = (try TemporaryFolder(), FleetCode("rest")!)
    let file = ParticipantKeyFile(path: folder.file("participants.keys"))
    let ticket = try file.admit(FleetCode("P01")!, to: rest)
    let study = try StudyFixture(participants: "ann = \(ticket.text)\n")
    let (id, _) = try await study.store(1, events: 300)
    try study.publisher().run { false }
    let publisher = try study.publisher(endsWhenCaughtUp: false)
    let alias = ticket.alias(of: id)
    let request = ResendRequest(time: SystemClock.wall, entries: [.init(session: alias, next: 142)])
    try await publishing(publisher) {
      try await expectEventually { publisher.status.state == .connected }
      try study.collector.send(request, to: CollectedSession.receiver)
      try await expectEventually { publisher.status.delivered == 158 && publisher.status.waiting == 0 }
    }
    let opener = MessageOpener(file, study: rest)
    try opener.refresh()
    let content = try study.content(opener)
    #expect(content.begun == [alias] && content.ended == [alias: 300])
    #expect(content.events[alias]?.count == 300 && content.duplicates == 158)
    for name in [id.text, "ann", "P01", "C0:00", "c00000000001", "notification"] {
      #expect(!content.stored.contains(name))
    }
  }

  @Test func missingStream() async throws {
    let study = try StudyFixture()
    _ = try await study.store(1, events: 20)
    try study.server.erase()
    let publisher = try study.publisher()
    let error = #expect(throws: FleetError.self) { try publisher.run { false } }
    #expect(error?.code == .noStream)
  }

  /// Several publishers of the same history, for example after a restored backup.
  @Test func duplicatePublishersAreHarmless() async throws {
    let study = try StudyFixture()
    let (id, _) = try await study.store(1, events: 2000)
    let publishers = try [study.publisher(), study.publisher()]
    try await publishing(publishers[0]) {
      try publishers[1].run { false }
      try await expectEventually { publishers[0].status.state == .closed }
    }
    try study.expectComplete(try study.content(), sessions: [id])
  }
}

/// Runs `body` on a new thread, because it blocks.
private func startThread(_ body: @escaping @Sendable () -> Void) {
  DispatchQueue(label: "test.publisher").async(execute: body)
}
