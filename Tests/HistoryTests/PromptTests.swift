import GRDB
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

@Suite struct PromptTests {
  private static let dayStart = WallTime(microseconds: 1_795_000_000_000_000)

  private static func at(_ minutes: Int64) -> WallTime { dayStart.advanced(ticks: minutes * 60 * 80_000_000) }

  private static func sample(_ minutes: Int64) -> StressPrompt {
    StressPrompt(
      time: at(minutes), stress: 61.5, confidence: 0.875, rmssd: 12.25, normal: 22...61)
  }

  private func session(_ history: TemporaryHistory, _ number: UInt64 = 1, profile: String = "me") async
    -> SessionInfo
  {
    let info = SessionInfo.sample(number, profile: profile)
    let writer = SessionWriter(info, at: history.location)
    writer.append(
      SessionEvent(at: .zero, wall: info.started, .notification(payload: [0x10, 60, 0, 4])))
    // A beat at the time of a later prompt.
    let late = SessionTime(ticks: 80_000_000 * 12_000)
    writer.append(
      SessionEvent(
        at: late, wall: info.started.advanced(ticks: late.ticks), .notification(payload: [0x10, 60, 0, 4])))
    let end = SessionTime(ticks: 80_000_000 * 36_000)
    writer.append(SessionEvent(at: end, wall: info.started.advanced(ticks: end.ticks), .end))
    #expect(await writer.finish(at: end) == nil)
    return info
  }

  private func add(_ minutes: Int64, _ history: TemporaryHistory, _ info: SessionInfo) throws -> StoredPrompt?
  {
    try HistoryWriter(history.location).add(
      Self.sample(minutes), to: info.id, of: info.profile, dayStart: Self.dayStart)
  }

  private func entry(_ note: String = "prompt") -> JournalEntry {
    JournalEntry(profile: "x", time: Self.at(0), utcOffset: 3600, triggers: ["work"], note: note)
  }

  @Test func aPromptIsReadAsStored() async throws {
    let history = try TemporaryHistory()
    let info = await session(history)
    let stored = try #require(try add(10, history, info))
    #expect(stored.measurement == Self.sample(10) && stored.session == info.id && stored.answer == nil)
    let reader = try reader(history)
    #expect(try reader.prompts(of: "me") == [stored] && reader.prompt(stored.id, of: "me") == stored)
    #expect(try reader.prompts(of: "ann").isEmpty && reader.prompt(stored.id, of: "ann") == nil)
    #expect(stored.isOpen(at: Self.at(60)) && !stored.isOpen(at: Self.at(71)))
  }

  /// Two sessions of a person share the limits, those of another person are separate.
  @Test func theLimitsApplyToAllSessionsOfAPerson() async throws {
    let history = try TemporaryHistory()
    let (first, second) = (await session(history), await session(history, 2))
    let anns = await session(history, 3, profile: "ann")
    #expect(try add(0, history, first) != nil)
    #expect(try add(5, history, second) == nil)
    #expect(try add(5, history, anns) != nil)
    #expect(try add(95, history, second) != nil)
    #expect(try add(300, history, first) == nil)
  }

  @Test func aSessionThatIsNotStoredHasNoPrompts() async throws {
    let history = try TemporaryHistory()
    _ = await session(history)
    #expect(try add(0, history, .sample(9)) == nil)
  }

  @Test func theFirstAnswerCounts() async throws {
    let history = try TemporaryHistory()
    let stored = try #require(try add(10, history, await session(history)))
    let writer = try HistoryWriter(history.location)
    let outcome = try writer.answer(stored.id, of: "me", .yes, at: Self.at(11), entry: entry())
    guard case .stored(let answered) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(answered.answer == .yes && answered.answered == Self.at(11))
    let reader = try reader(history)
    let number = try #require(answered.entry)
    let noted = try #require(try reader.journalEntry(number, of: "me"))
    #expect(noted.time == Self.at(10) && noted.session == stored.session && noted.triggers == ["work"])
    let later = try writer.answer(stored.id, of: "me", .no, at: Self.at(12), entry: entry("second"))
    #expect(later == .answeredBefore(answered))
    #expect(try reader.journal(of: "me").count == 1 && reader.prompts(of: "me") == [answered])
    #expect(try writer.answer(99, of: "me", .no, at: Self.at(12)) == .missing)
    #expect(try writer.answer(stored.id, of: "ann", .no, at: Self.at(12)) == .missing)
  }

  @Test func onlyYesCreatesAnEntryAndAnAnswerSilencesTheDay() async throws {
    let history = try TemporaryHistory()
    let info = await session(history)
    let stored = try #require(try add(10, history, info))
    _ = try HistoryWriter(history.location).answer(
      stored.id, of: "me", .notToday, at: Self.at(11), entry: entry())
    #expect(try reader(history).journal(of: "me").isEmpty)
    #expect(try add(600, history, info) == nil)
  }

  @Test func agreementCountsStatementsOnly() async throws {
    let history = try TemporaryHistory()
    var prompts: [StoredPrompt] = []
    for (day, answer) in [StressPrompt.Answer.yes, .breathe, .no, .notToday].enumerated() {
      let info = await session(history, UInt64(day + 1))
      let start = Self.at(Int64(day) * 1440)
      let writer = try HistoryWriter(history.location)
      let stored = try #require(
        try writer.add(Self.sample(Int64(day) * 1440 + 10), to: info.id, of: "me", dayStart: start))
      _ = try writer.answer(stored.id, of: "me", answer, at: start)
      prompts = try reader(history).prompts(of: "me")
    }
    let agreement = PromptAgreement(prompts)
    #expect(agreement.agreed == 2 && agreement.answered == 3)
  }

  @Test func promptsAreDeletedWithTheirDataAndKeptWithoutTheirEntry() async throws {
    let history = try TemporaryHistory()
    let (first, second) = (await session(history), await session(history, 2))
    let stored = try #require(try add(10, history, first))
    _ = try HistoryWriter(history.location).answer(stored.id, of: "me", .yes, at: Self.at(11), entry: entry())
    let later = try #require(try add(200, history, second))
    let eraser = HistoryEraser(history.location)
    let (today, now) = (20_800, Self.at(2000))
    _ = try eraser.delete(.journalEntry(1, of: "me"), today: today, at: now)
    #expect(try reader(history).prompt(stored.id, of: "me")?.entry == nil)
    _ = try eraser.delete(.session(first.id), today: today, at: now)
    #expect(try reader(history).prompts(of: "me").map(\.id) == [later.id])
    _ = try eraser.delete(.times(Self.at(199)..<Self.at(201), of: "me"), today: today, at: now)
    #expect(try reader(history).prompts(of: "me").isEmpty)
    #expect(try reader(history).integrityFaults() == [])
  }

  @Test func aDeletedProfileLeavesNoPrompt() async throws {
    let history = try TemporaryHistory()
    let info = await session(history, profile: "ann")
    _ = try add(10, history, info)
    _ = try HistoryEraser(history.location).delete(.profile("ann"), today: 20_800, at: Self.at(2000))
    #expect(try reader(history).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM prompt") } == 0)
  }
}
