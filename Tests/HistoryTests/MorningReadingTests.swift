import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

@Suite struct MorningReadingTests {
  private static func reading(_ info: SessionInfo, day: Int, rmssd: Double = 43.6) -> StoredMorning {
    var reading = StoredMorning(
      session: info.id, profile: info.profile, time: info.started, day: day, posture: .lying, seconds: 60)
    (reading.beats, reading.normalBeats) = (61, 60)
    (reading.rmssd, reading.sdnn, reading.heartRate) = (rmssd, 50.5, 58.25)
    reading.confidence = 0.9
    return reading
  }

  private static func store(_ info: SessionInfo, _ readings: [StoredMorning], _ history: TemporaryHistory)
    async throws
  {
    let writer = SessionWriter(info, at: history.location)
    for index in 0..<3 { writer.append(notification(index)) }
    #expect(await writer.finish(at: notification(3).at) == nil)
    try HistoryWriter(history.location).add(readings)
  }

  @Test func bothPartsOfAnOrthostaticReadingAreReadAsStored() async throws {
    let history = try TemporaryHistory()
    let info = SessionInfo.sample(1)
    var lying = Self.reading(info, day: 20_000)
    var standing = lying
    (standing.isStandingPart, standing.posture, standing.rmssd) = (true, .standing, nil)
    standing.refusal = .fewBeats
    try await Self.store(info, [lying, standing], history)
    // A second result of the same session is ignored.
    var other = lying
    other.rmssd = 1
    try HistoryWriter(history.location).add([other])
    lying.counts = true
    #expect(try reader(history).mornings(in: info.id) == [lying, standing])
    #expect(try reader(history).countedMornings(of: "me", in: 20_000..<20_001) == [lying])
    #expect(try reader(history).countedMornings(of: "me", in: 20_001..<20_002) == [])
    #expect(try reader(history).mornings(of: "you") == [])
    #expect(try reader(history).integrityFaults() == [])
  }

  @Test func theFirstValidReadingOfADayCounts() async throws {
    let history = try TemporaryHistory()
    for number in 1...4 as ClosedRange<UInt64> {
      let info = SessionInfo.sample(number)
      var reading = Self.reading(info, day: number == 4 ? 11 : 10, rmssd: 40 + Double(number))
      reading.time = info.started.advanced(ticks: Int64(number) * RRInterval.ticksPerSecond)
      if number == 1 { reading.refusal = .motion }
      try await Self.store(info, [reading], history)
    }
    #expect(try reader(history).countedMornings(of: "me", in: 0..<20).map(\.rmssd) == [42, 44])
    // When the counted one is deleted, the next valid one counts.
    let second = SessionInfo.sample(2).id
    _ = try HistoryEraser(history.location).delete(
      .session(second), today: 20, at: SessionInfo.sample(2).started)
    #expect(try reader(history).countedMornings(of: "me", in: 0..<20).map(\.rmssd) == [43, 44])
  }

  @Test func simulatedReadingsCountOnlyWithoutARealStrap() async throws {
    let history = try TemporaryHistory()
    var simulated = SessionInfo.sample(1)
    simulated.source = .simulated
    try await Self.store(simulated, [Self.reading(simulated, day: 10)], history)
    #expect(try reader(history).countedMornings(of: "me", in: 0..<20).map(\.isSimulated) == [true])
    let real = SessionInfo.sample(2)
    try await Self.store(real, [Self.reading(real, day: 10, rmssd: 50)], history)
    #expect(try reader(history).countedMornings(of: "me", in: 0..<20).map(\.rmssd) == [50])
  }
}
