import Breathing
import HRV
import HeartRate
import History
import Stress
import TestSupport
import Testing

@testable import Reports

/// Exercises over undisturbed rest in real recordings: a change is a false positive.
@Suite(.enabled(if: SharedData.isAvailable)) struct UndisturbedExerciseTests {
  /// A rest of `rest` seconds, four cycles of 4-7-8, and a second rest, from `start`.
  private func result(_ events: [SessionEvent], from start: Int, rest: Int) throws -> BreathingResult? {
    let breathing = PacedBreathing(.relaxing, cycles: 4)
    var course = ExerciseCourse(before: .seconds(rest), breathing: breathing, after: .seconds(rest))
    let begin = SessionTime(ticks: Int64(start) * RRInterval.ticksPerSecond)
    course.begin(at: begin)
    let end = SessionTime(ticks: begin.ticks + (Duration.seconds(2 * rest) + breathing.duration).ticks)
    let marks = course.marks(through: end).map { SessionEvent(at: $0.at, .mark($0.mark.text)) }
    let all = (events + marks).sorted { $0.at < $1.at }
    return BreathingResult(
      all, of: BreathingResult.Session(), breathing: breathing, findsResonance: false,
      variability: .populationDefault)
  }

  @Test(
    "At most a tenth of the exercises over undisturbed rest is reported as a change", arguments: [60, 240])
  func falsePositivesAreRare(rest: Int) throws {
    var results: [BreathingResult] = []
    for undisturbed in try UndisturbedRest.all() {
      let (events, length) = (undisturbed.events, 2 * rest + 80)
      for start in stride(
        from: undisturbed.times.lowerBound, through: undisturbed.times.upperBound - length, by: 60)
      {
        if let result = try result(events, from: start, rest: rest) { results.append(result) }
      }
    }
    let told = results.filter { $0.changed != .cannotTell }
    #expect(told.count > 20 && told.count * 10 >= results.count * 9)
    let changed = told.count { $0.changed == .yes }
    #expect(changed * 10 <= told.count, "\(changed) of \(told.count)")
    // The 95 % intervals of the other metrics contain 0 in at least nine of ten exercises.
    for metric in [MetricDefinition.meanHeartRate, .sdnn, .stress] {
      let rows = told.compactMap { RestDifferences($0).rows.first { $0.metric == metric } }
      let missed = rows.count { $0.interval.map { !$0.contains(0) } ?? true }
      #expect(
        rows.count == told.count && missed * 10 <= rows.count, "\(metric.key): \(missed) of \(rows.count)")
    }
    print(
      "exercises laid over undisturbed rest, rests of \(rest) s: \(changed) of \(told.count) called changed")
  }
}
