import GRDB
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

/// Regression: sessions and measurements contain the engine version, and readings are marked.
@Suite struct EngineVersionTests {
  @Test func sessionsAndMeasurementsKeepTheEngineVersion() async throws {
    let history = try TemporaryHistory()
    var (known, unknown) = (SessionInfo.sample(1), SessionInfo.sample(2))
    (known.engine, unknown.engine) = (StressEngine.version, nil)
    for info in [known, unknown] { _ = try await measure(info, history) }
    let reader = try reader(history)
    #expect(try reader.info(of: known.id)?.engine == StressEngine.version)
    #expect(try reader.sessions(limit: 1).first?.info.engine == nil)
    let stored = try reader.latestMeasurements(of: "me", limit: 99)
    #expect(!stored.isEmpty && stored.allSatisfy { $0.engine == StressEngine.version && !$0.isReading })
  }

  @Test func readingsOnlyStoresTheReadingAndAllEvents() async throws {
    let history = try TemporaryHistory()
    let all = try await measure(.sample(), history, .readingsOnly, reading: true)
    let stored = try reader(history).latestMeasurements(of: "me", limit: 99)
    #expect(stored.map(\.isReading) == [true])
    #expect(stored.first?.stress == all.last?.score?.value && stored.first?.at == all.last?.time)
    #expect(try reader(history).sessions(limit: 1).first?.events == 90)
  }

  private func measure(
    _ info: SessionInfo, _ history: TemporaryHistory, _ sampling: MeasurementSampling = .every(.seconds(10)),
    reading: Bool = false
  ) async throws -> [StressMeasurement] {
    let writer = SessionWriter(info, at: history.location, sampling: sampling)
    var engine = StressEngine()
    var measured: [StressMeasurement] = []
    for event in (0..<90).map(notification) {
      writer.append(event)
      engine.update(event) {
        writer.append($0)
        measured.append($0)
      }
    }
    if reading, let last = measured.last { writer.append(reading: last) }
    #expect(await writer.finish(at: SessionTime(ticks: 90 * RRInterval.ticksPerSecond)) == nil)
    return measured
  }
}
