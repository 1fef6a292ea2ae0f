import HRV
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

@Suite struct RestTests {
  /// Stores a session of `minutes` with the heart rate `rate` and an RMSSD that varies from minute to minute by a fraction of
  /// up to `swing`.
  private static func store(
    _ number: UInt64, in history: TemporaryHistory, minutes: Int, rate: Double = 60, swing: Double,
    source: SessionInfo.Source = .strap, profile: String = "me"
  ) async throws {
    var info = SessionInfo.sample(number, profile: profile)
    info.source = source
    let writer = SessionWriter(info, at: history.location)
    var random = SeededGenerator(seed: number)
    var (time, spread, nextMinute) = (SessionTime.zero, 30.0, 0.0)
    while time.seconds < Double(minutes * 60) {
      if time.seconds >= nextMinute {
        spread = 30 * Double.random(in: (1 - swing)...(1 + swing), using: &random)
        nextMinute += 60
      }
      let rr = RRInterval(
        ticks: Int64((60_000 / rate + Double.random(in: -spread...spread, using: &random)) * 80_000))
      time = time + rr
      writer.append(SessionEvent(at: time, .interval(rr)))
    }
    #expect(await writer.finish(at: time) == nil)
    try BaselineUpdater(history.location).learn(profile, today: .max, at: info.started)
  }

  @Test func variabilityIsEstimatedFromTheFirstRestOn() async throws {
    let history = try TemporaryHistory()
    try await Self.store(1, in: history, minutes: 5, swing: 0)
    let first = try reader(history).restVariability(of: "me")
    #expect(
      (2...5).contains(first.windows) && first.differenceSD < RestVariability.populationDefault.differenceSD)
    #expect(try reader(history).restVariability(of: "nobody") == .populationDefault)
    for number in 2...5 as ClosedRange<UInt64> {
      try await Self.store(number, in: history, minutes: 10, swing: 0)
    }
    let steady = try reader(history).restVariability(of: "me")
    #expect((35...45).contains(steady.windows) && steady.differenceSD < first.differenceSD)
    #expect(try reader(history).restVariability(of: "ann") == .populationDefault)
    // Simulated sessions and a high heart rate have no effect.
    try await Self.store(6, in: history, minutes: 20, swing: 0.9, source: .simulated)
    try await Self.store(7, in: history, minutes: 20, rate: 130, swing: 0.9)
    #expect(try reader(history).restVariability(of: "me") == steady)
    try await Self.store(9, in: history, minutes: 40, swing: 0.9)
    #expect(try reader(history).restVariability(of: "me").differenceSD > 1.1 * steady.differenceSD)
  }

  @Test func simulatedRestCountsOnlyWithoutOtherSessions() async throws {
    let history = try TemporaryHistory()
    for number in 1...4 as ClosedRange<UInt64> {
      try await Self.store(number, in: history, minutes: 10, swing: 0, source: .simulated)
    }
    #expect(try reader(history).restVariability(of: "me").windows > 20)
  }

  @Test func sessionsAreFoundByOverlappingTimes() async throws {
    let history = try TemporaryHistory()
    // They start a second apart; the second lasts two minutes, the others one.
    for (number, profile) in [(1, "me"), (2, "me"), (3, "ann"), (100, "me")] as [(UInt64, String)] {
      try await Self.store(number, in: history, minutes: number == 2 ? 2 : 1, swing: 0, profile: profile)
    }
    let start = SessionInfo.sample(0).started
    func found(_ range: Range<Int64>, _ profile: String = "me") throws -> [WallTime] {
      func time(_ second: Int64) -> WallTime { start.advanced(ticks: second * RRInterval.ticksPerSecond) }
      let times = time(range.lowerBound)..<time(range.upperBound)
      return try reader(history).sessions(of: profile, in: times).map(\.info.started)
    }
    let started = [1, 2, 100].map { SessionInfo.sample($0).started }
    #expect(try found(0..<1000) == started)
    #expect(try found(0..<1) == [] && found(0..<2) == [started[0]])
    #expect(try found(80..<90) == [started[1]] && found(110..<111) == Array(started[1...]))
    #expect(try found(200..<300) == [] && found(0..<1000, "nobody") == [])
    #expect(try found(0..<1000, "ann").count == 1)
  }
}
