import GRDB
import HeartRate
import Stress
import Testing

@testable import History

struct PublishingTests {
  private let history: TemporaryHistory
  private let profile = PublishedProfile(name: "me")

  init() throws { history = try TemporaryHistory() }

  private func store(_ info: SessionInfo, events: Int) async -> SessionWriter {
    let writer = SessionWriter(info, at: history.location)
    for index in 0..<events { writer.append(notification(index)) }
    #expect(await eventually { writer.hasSaved(upTo: notification(events - 1).at) })
    return writer
  }

  private func unpublished(_ profile: PublishedProfile? = nil, limit: Int = 9) throws -> Unpublished {
    try reader(history).unpublished(to: "a", of: [profile ?? self.profile], limit: limit)
  }

  @Test func positionsAdvance() async throws {
    let info = SessionInfo.sample()
    let writer = await store(info, events: 5)
    var position = PublishingPosition(session: info.id)
    var expected = UnpublishedSession(
      position: position, profile: "me", strap: "C0:00:00:00:00:01", stored: 5, hasEnded: false)
    #expect(try unpublished().sessions == [expected])
    #expect(try unpublished().events == 5)

    (position.hasBegun, position.next) = (true, 3)
    try HistoryWriter(history.location).advance([position], of: "a")
    expected.position = position
    #expect(try unpublished().sessions == [expected])
    #expect(
      try reader(history).events(of: info.id, from: 3, limit: 9).map(\.event)
        == [notification(3), notification(4)])
    #expect(try reader(history).unpublished(to: "b", of: [profile], limit: 9).events == 5)

    position.next = 1
    try HistoryWriter(history.location).advance([position], of: "a")
    #expect(try unpublished().events == 2)
    position.next = 5
    try HistoryWriter(history.location).advance([position], of: "a")
    #expect(try unpublished() == Unpublished())

    _ = await writer.finish(at: notification(5).at)
    #expect(try unpublished().sessions.map(\.hasEnded) == [true])
    position.isComplete = true
    try HistoryWriter(history.location).advance([position], of: "a")
    #expect(try unpublished() == Unpublished())
  }

  @Test func liveSessionsFirst() async throws {
    for number in 1...3 {
      let writer = await store(.sample(UInt64(number)), events: 2)
      if number < 3 { _ = await writer.finish(at: notification(2).at) }
    }
    let all = try unpublished()
    #expect(all.sessions.map(\.hasEnded) == [false, true, true])
    #expect(all.sessions[1].position.session.text < all.sessions[2].position.session.text)
    let limited = try unpublished(limit: 1)
    #expect(limited.sessions == [all.sessions[0]] && limited.events == all.events)
  }

  @Test func onlyTheGivenProfilesAndTimes() async throws {
    let info = SessionInfo.sample()
    _ = await store(info, events: 2)
    _ = await store(.sample(2, profile: "ann"), events: 2)
    #expect(try unpublished().sessions.count == 1)
    #expect(try unpublished(PublishedProfile(name: "nobody")).sessions.isEmpty)
    let started = info.started
    #expect(try unpublished(PublishedProfile(name: "me", since: started)).sessions.count == 1)
    let later = started.advanced(ticks: RRInterval.ticksPerSecond)
    #expect(try unpublished(PublishedProfile(name: "me", since: later)).sessions.isEmpty)
  }

  @Test func aSessionWaitsForItsStrap() async throws {
    var info = SessionInfo.sample()
    info.strap = nil
    let writer = await store(info, events: 2)
    #expect(try unpublished().sessions.isEmpty)
    let strap = StrapIdentity(address: "C0:00:00:00:00:02")
    let change = SessionEvent(at: notification(2).at, .link(.init(.connected, strap: strap)))
    writer.append(change)
    #expect(await eventually { writer.hasSaved(upTo: change.at) })
    #expect(try unpublished().sessions.map(\.strap) == ["C0:00:00:00:00:02"])
  }

  @Test func positionsOfDeletedSessions() async throws {
    let info = SessionInfo.sample()
    _ = await store(info, events: 2)
    let position = PublishingPosition(session: info.id, hasBegun: true, next: 2)
    let writer = try HistoryWriter(history.location)
    try writer.advance([position], of: "a")
    try writer.connection.write { try $0.execute(sql: "DELETE FROM session") }
    func rows() throws -> Int? {
      try writer.connection.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM publish_position") }
    }
    #expect(try rows() == 0)
    try writer.advance([position], of: "a")
    #expect(try rows() == 0)
  }
}
