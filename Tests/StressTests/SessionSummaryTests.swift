import HRV
import HeartRate
import Stress
import TestSupport
import Testing

/// The summary at the end of a session, as a value.
struct SessionSummaryTests {
  /// A session of beats that alternate around `mean` ms; a gap of `pause` s in the middle.
  private func summary(
    beats: Int, mean: Double, spread: Double = 40, pause: Double = 0, baseline: Baseline = .populationDefault
  ) -> (summary: SessionSummary, measurements: [StressMeasurement]) {
    var summary = SessionSummary()
    var engine = StressEngine(baseline: baseline)
    var measurements: [StressMeasurement] = []
    var time = SessionTime.zero
    for beat in 0..<beats {
      let irregular = Double(beat * beat * 7 % 23) - 11
      let milliseconds = mean + (beat.isMultiple(of: 2) ? spread : -spread) / 2 + irregular
      guard let rr = RRInterval(milliseconds: milliseconds) else { continue }
      if beat == beats / 2, pause > 0, let gap = RRInterval(milliseconds: pause * 1000) { time = time + gap }
      time = time + rr
      let notification = HeartRateMeasurement(
        heartRate: UInt16(60_000 / milliseconds), contact: .detected,
        rrIntervals: RRIntervals(gattUnits: [rr.gattUnits]))
      let event = SessionEvent(at: time, .notification(payload: notification.encoded()))
      summary.update(event)
      engine.update(event) {
        summary.update($0)
      } measured: {
        summary.update($0)
        measurements.append($0)
      }
    }
    return (summary, measurements)
  }

  @Test("A summary has the mean and range of the windows with at least 20 normal beats")
  func meanAndRange() throws {
    let (summary, measurements) = summary(beats: 200, mean: 900)
    let scored = measurements.filter { $0.score != nil }
    let values = scored.compactMap(\.nn.rmssd)
    let rmssd = try #require(summary.rmssd)
    #expect(rmssd.low == values.min() && rmssd.high == values.max() && rmssd.count == scored.count)
    #expect(abs(rmssd.mean - values.reduce(0, +) / Double(values.count)) < 1e-9)
    let rates = measurements.filter { $0.nn.count >= 20 }.compactMap(\.nn.meanHeartRate)
    #expect(summary.heartRate?.low == rates.min() && summary.heartRate?.high == rates.max())
    #expect(summary.beats == 200 && abs(summary.duration.seconds - 180) < 5)
  }

  @Test("The categories together have the time from the first stress value to the last")
  func timeInCategories() throws {
    let (summary, measurements) = summary(beats: 200, mean: 900)
    let first = try #require(measurements.firstIndex { $0.score != nil })
    let before = measurements[first - 1].time
    let expected = try #require(measurements.last).time.seconds - before.seconds
    #expect(abs(summary.scoredSeconds - expected) < 1e-6)
    let main = try #require(summary.mainCategory)
    #expect(
      summary.seconds(in: main) <= summary.scoredSeconds
        && summary.seconds(in: main) > summary.scoredSeconds / 2)
  }

  @Test("The time of a gap counts for no category")
  func gap() {
    let with = summary(beats: 200, mean: 900, pause: 300).summary
    let without = summary(beats: 200, mean: 900).summary
    #expect(with.duration.seconds > 300 + without.duration.seconds - 1)
    #expect(with.scoredSeconds < without.scoredSeconds)
  }

  @Test("A session with fewer than 20 beats has no stress value, RMSSD or time in a category")
  func fewBeats() {
    let summary = summary(beats: 19, mean: 900).summary
    #expect(summary.beats == 19 && summary.rmssd == nil && summary.mainCategory == nil)
    #expect(summary.scoredSeconds == 0)
    // The rate that the sensor reports.
    #expect(summary.heartRate?.count == 19)
  }

  @Test("A session without data has no values")
  func noData() {
    let summary = SessionSummary()
    #expect(summary.heartRate == nil && summary.artefactPercent == nil && summary.mainCategory == nil)
  }

  @Test("Stress values from before averaged intervals were recognised are discarded")
  func averaged() {
    var summary = summary(beats: 200, mean: 900).summary
    summary.update(SensorClass.smoothed)
    #expect(summary.rmssd == nil && summary.mainCategory == nil && summary.heartRate != nil)
  }
}
