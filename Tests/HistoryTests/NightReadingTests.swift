import BaselineTestSupport
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

@Suite struct NightReadingTests {
  private static func night(_ info: SessionInfo, day: Int, rmssd: Double = 43.6, hours: Double = 7)
    -> StoredNight
  {
    var night = StoredNight(
      session: info.id, profile: info.profile, time: info.started, day: day, seconds: hours * 3600)
    (night.beats, night.normalBeats, night.rmssd, night.heartRate) = (24_000, 23_900, rmssd, 52.5)
    (night.lowestHeartRate, night.lowestAt) = (
      46, info.started.advanced(ticks: 3600 * RRInterval.ticksPerSecond)
    )
    (night.coverage, night.confidence, night.respirationRate) = (0.97, 0.9, 14.25)
    night.starts = info.started...info.started.advanced(ticks: 600 * RRInterval.ticksPerSecond)
    night.endsWithData = true
    return night
  }

  private static func store(_ info: SessionInfo, _ events: [SessionEvent], _ history: TemporaryHistory)
    async throws
  {
    let writer = SessionWriter(info, at: history.location)
    for event in events { writer.append(event) }
    let end = try #require(events.last).at
    #expect(await writer.finish(at: end) == nil)
  }

  private static func store(_ info: SessionInfo, _ nights: [StoredNight], _ history: TemporaryHistory)
    async throws
  {
    try await store(info, (0..<3).map { notification($0) }, history)
    try HistoryWriter(history.location).add(nights, of: info.id)
  }

  @Test func nightIsReadAsStored() async throws {
    let history = try TemporaryHistory()
    let info = SessionInfo.sample(1)
    var night = Self.night(info, day: 20_000)
    try await Self.store(info, [night], history)
    night.counts = true
    #expect(try reader(history).nights(in: info.id) == [night])
    #expect(try reader(history).countedNights(of: "me", in: 20_000..<20_001) == [night])
    #expect(try reader(history).nights(of: "you") == [])
    // A second result replaces the first one.
    night.rmssd = 44
    try HistoryWriter(history.location).add([night], of: info.id)
    #expect(try reader(history).nights(of: "me") == [night])
    #expect(try reader(history).integrityFaults() == [])
  }

  @Test func theLongestValidNightOfADayCounts() async throws {
    let history = try TemporaryHistory()
    for number in 1...3 as ClosedRange<UInt64> {
      let info = SessionInfo.sample(number)
      var night = Self.night(info, day: 10, rmssd: 40 + Double(number), hours: 3 + Double(number))
      if number == 3 { night.refusal = .motion }
      try await Self.store(info, [night], history)
    }
    #expect(try reader(history).countedNights(of: "me", in: 0..<20).map(\.rmssd) == [42])
  }

  /// The start of a session at a local hour of the day.
  private static func session(hour: Int64) -> SessionInfo {
    var info = SessionInfo.sample(1)
    let day = Int64(20_400) * 86_400
    info.started = WallTime(microseconds: (day + hour * 3600 - Int64(info.utcOffset)) * 1_000_000)
    return info
  }

  @Test(arguments: [(Int64(23), 1), (Int64(11), 0)]) func nightsAreFoundInSessionsByTheirTime(
    _ hour: Int64, _ count: Int
  ) async throws {
    let history = try TemporaryHistory()
    let (info, simulated) = (Self.session(hour: hour), SimulatedNight(seed: 3))
    try await Self.store(info, simulated.events(), history)
    try BaselineUpdater(history.location).learn("me", today: .max, at: info.started)
    let nights = try reader(history).nights(of: "me")
    #expect(nights.count == count)
    guard let night = nights.first else { return }
    #expect(night.counts && night.day == 20_401)
    #expect(abs(night.seconds - Double(60 * simulated.asleep)) <= 600)
    // Its beats are not searched again, and deleting the session deletes the night.
    try BaselineUpdater(history.location).learn("me", today: .max, at: info.started)
    #expect(try reader(history).nights(of: "me") == nights)
    _ = try HistoryEraser(history.location).delete(.session(info.id), today: 20_401, at: info.started)
    #expect(try reader(history).nights(of: "me") == [])
  }

  @Test func changeOfTheClockMovesNeitherWindowNorDay() {
    var info = Self.session(hour: 23)
    info.utcOffset = 7200
    var observer = NightObserver()
    for event in SimulatedNight(seed: 5).events() { observer.update(event) }
    observer.finish()
    let nights = SessionNights(observer, of: info, isIntended: true)
    #expect(nights.nights.count == 1 && nights.absence == nil)
    #expect(nights.nights[0].time > info.started)
    #expect(nights.nights[0].day == Int(nights.nights[0].end.localDay(utcOffset: 7200)))
  }

  @Test func wakingHeartRateIsNoNight() {
    var info = Self.session(hour: 23)
    info.baseline = Baseline(rmssd: 40, sdnn: 50, restingHeartRate: 44, days: 20, origin: .learned, weight: 1)
    var observer = NightObserver()
    for event in SimulatedNight(seed: 5).events() { observer.update(event) }
    observer.finish()
    #expect(SessionNights(observer, of: info, isIntended: false).absence == .noWindow)
    #expect(SessionNights(observer, of: info, isIntended: true).absence == nil)
  }
}
