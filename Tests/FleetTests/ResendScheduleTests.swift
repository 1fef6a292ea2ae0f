import HeartRate
import History
import TestSupport
import Testing

@testable import Fleet

struct ResendScheduleTests {
  private static let second: Int64 = 1_000_000_000
  private let sessions: [SessionID]
  private let receiver = FleetCode("R1")!

  init() {
    var random = SeededGenerator(seed: 1)
    sessions = (0..<500).map { SessionID(started: WallTime(microseconds: $0), using: &random) }
  }

  private func entry(_ index: Int, next: Int64 = 5) -> ResendRequest.Entry {
    ResendRequest.Entry(session: sessions[index], next: next)
  }

  /// The times in s at which a session is requested, if it is looked up every 30 s.
  private func requests(until end: Int64, next: (Int64) -> Int64) -> [Int64] {
    var schedule = ResendSchedule()
    return stride(from: Int64(0), to: end, by: 30).filter { time in
      !schedule.select([receiver: [entry(0, next: next(time))]], at: time * Self.second).isEmpty
    }
  }

  @Test func delaysDoubleWithoutProgress() {
    #expect(requests(until: 2000) { _ in 5 } == [0, 60, 180, 420, 900, 1860])
    let week = requests(until: 7 * 86_400) { _ in 5 }
    #expect(week.count < 20 && zip(week, week.dropFirst()).allSatisfy { $1 - $0 <= 86_400 + 30 })
  }

  /// Only a repeated request shows that requests have no effect.
  @Test func anotherLeaderIsNeededAtMostOnceAnHourWhileRequestsHaveNoEffect() {
    var schedule = ResendSchedule()
    let times = stride(from: Int64(0), to: 3 * 3600, by: 30).filter { time in
      _ = schedule.select([receiver: [entry(0)]], at: time * Self.second)
      return schedule.needsOtherLeader(at: time * Self.second)
    }
    #expect(
      times.first == 60 && times.count == 3 && zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 3600 })
    var progressing = ResendSchedule()
    for step in 0..<100 {
      let time = Int64(step) * 30 * Self.second
      _ = progressing.select([receiver: [entry(0, next: Int64(step))]], at: time)
      let isNeeded = progressing.needsOtherLeader(at: time)
      #expect(!isNeeded)
    }
  }

  @Test func progressResetsTheDelay() {
    #expect(requests(until: 600) { $0 < 300 ? 5 : 6 } == [0, 60, 180, 300, 360, 480])
  }

  @Test func everySessionIsRequested() {
    var schedule = ResendSchedule()
    var requested: Set<SessionID> = []
    for step in 0..<3 {
      let selected = schedule.select(
        [receiver: sessions.indices.map { entry($0) }], at: Int64(step) * 30 * Self.second)
      let entries = selected[receiver] ?? []
      #expect(entries.count <= ResendRequest.largestCount)
      requested.formUnion(entries.map(\.session))
    }
    #expect(requested.count == sessions.count)
  }

  @Test func receiversAreIndependent() throws {
    let other = try #require(FleetCode("R2"))
    var schedule = ResendSchedule()
    let many = (1..<500).map { entry($0) }
    let selected = schedule.select([receiver: many, other: [entry(0)]], at: 0)
    #expect(selected[receiver]?.count == ResendRequest.largestCount)
    #expect(selected[other] == [entry(0)])
  }

  @Test func lookUpsAreLimited() {
    var schedule = ResendSchedule()
    #expect(schedule.isDue(at: 0))
    _ = schedule.select([:], at: 0)
    #expect(!schedule.isDue(at: 29 * Self.second) && schedule.isDue(at: 30 * Self.second))
  }
}
