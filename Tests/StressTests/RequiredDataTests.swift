import HRV
import HeartRate
import Stress
import TestSupport
import Testing

/// The amount of data that a stress value requires.
struct RequiredDataTests {
  @Test(
    "The first stress value requires 20 normal beats and 30 s of RR intervals",
    arguments: [UInt16(350), 600, 870, 1200, 1500, 1700])
  func first(gattUnits: UInt16) throws {
    let measurements = StressEngine.measurements(of: Self.steady(gattUnits, beats: 120))
    let first = try #require(measurements.first { $0.score != nil })
    let expected = measurements.first { $0.nn.count >= 20 && $0.coveredSeconds >= 30 }
    #expect(first == expected)
    #expect(measurements.filter { $0.time >= first.time }.allSatisfy { $0.score != nil })
  }

  @Test("A measurement without enough data has metrics but no score")
  func metricsBeforeTheFirstValue() throws {
    let measurement = try #require(StressEngine.measurements(of: Self.steady(870, beats: 12)).last)
    #expect(measurement.score == nil && measurement.confidence[.lowHRV] == nil)
    #expect(measurement.nn.count == 12 && measurement.nn.rmssd != nil)
    #expect(abs(measurement.coveredSeconds - measurement.time.seconds) < 1e-9)
    #expect(measurement.requiredSeconds == 30)
  }

  @Test("A window of 30 s has a stress value as soon as it is covered")
  func shortestWindow() throws {
    let settings = StressEngine.Settings(window: .seconds(30))
    let measurements = StressEngine.measurements(of: Self.steady(870, beats: 200), settings: settings)
    let first = try #require(measurements.firstIndex { $0.score != nil })
    #expect(measurements[first].time.seconds < 31)
    #expect(measurements[first...].allSatisfy { $0.score != nil && $0.coveredSeconds >= 30 })
  }

  @Test("After a gap longer than the window the required data are collected again")
  func afterAGap() throws {
    var session = Session.rest(beats: 100)
    session.add(.link(LinkChange(.lost)))
    session.add(.link(LinkChange(.connected)), after: 90)
    let resumed = session.time
    var random = SeededGenerator(seed: 3)
    for _ in 0..<100 { session.notify(UInt16.random(in: 860...900, using: &random)) }
    let after = StressEngine.measurements(of: session.events).filter { $0.time > resumed }
    let first = try #require(after.first { $0.score != nil })
    #expect(first == after.first { $0.nn.count >= 20 && $0.coveredSeconds >= 30 })
    #expect(first.time.seconds - resumed.seconds >= 29)
  }

  @Test(
    "Artefacts do not count towards the 20 beats, nor gaps towards the 30 s")
  func artefacts() {
    // Every third interval is too short to be normal: 30 s are covered before there are 20 normal beats.
    var session = Session()
    for _ in 0..<30 { session.notify(1500, 1500, 150) }
    let measurements = StressEngine.measurements(of: session.events)
    for measurement in measurements where measurement.score != nil { #expect(measurement.nn.count >= 20) }

    var sparse = Session()
    for _ in 0..<12 { sparse.notify(870, 870, 3400) }
    let spanned = StressEngine.measurements(of: sparse.events)
    #expect(spanned.allSatisfy { $0.coveredSeconds <= 1740.0 / 1024 * Double($0.beats) })
    #expect(spanned.contains { $0.beats >= 20 } && spanned.allSatisfy { $0.score == nil })
  }

  private static func steady(_ gattUnits: UInt16, beats: Int) -> [SessionEvent] {
    var random = SeededGenerator(seed: 7)
    var session = Session()
    for _ in 0..<beats { session.notify(gattUnits + UInt16.random(in: 0...40, using: &random)) }
    return session.events
  }
}
