import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

@Suite struct ProfileTests {
  @Test func aRenamedProfileKeepsItsDataAndNoExistingNameIsAccepted() async throws {
    let history = try TemporaryHistory()
    let session = SessionWriter(.sample(), at: history.location)
    for index in 0..<60 { session.append(notification(index)) }
    #expect(await session.finish(at: notification(59).at) == nil)
    let writer = try HistoryWriter(history.location)
    let time = WallTime(microseconds: 1)
    try writer.setBaseline(.populationDefault, of: "ann", at: time)
    try writer.renameProfile("me", to: "bea", at: history.location, time: time)
    let reader = try reader(history)
    #expect(try reader.profiles() == ["bea", "ann"])
    #expect(try reader.profileContents().map(\.sessions) == [1, 0])
    #expect(try reader.profileContents().map(\.baseline) == [nil, .populationDefault])
    #expect(try reader.session(beginningWith: SessionInfo.sample().id.text, of: "bea")?.info.profile == "bea")
    #expect(try reader.session(beginningWith: SessionInfo.sample().id.text, of: "me") == nil)

    let error = #expect(throws: HistoryError.self) {
      try writer.renameProfile("bea", to: "ann", at: history.location, time: time)
    }
    #expect(error?.code == .nameTaken)
    let lock = try MeasurementLock(.profile("bea"), profile: "bea", at: history.location, since: time)
    #expect(throws: MeasurementLock.Conflict.self) {
      try writer.renameProfile("bea", to: "zoe", at: history.location, time: time)
    }
    withExtendedLifetime(lock) {}
    #expect(try reader.profiles() == ["bea", "ann"])
  }
}
