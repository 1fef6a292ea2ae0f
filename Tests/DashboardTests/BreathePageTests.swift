import HeartRate
import History
import Platform
import Reports
import Testing

@testable import Dashboard

@Suite struct BreathePageTests {
  private func exercise(_ fixture: ServerFixture, before: Double, after: Double, daysAgo: Int64) throws
    -> StoredBreathing
  {
    var exercise = StoredBreathing(
      session: try fixture.session().info.id, profile: "me",
      time: SystemClock.wall.moved(seconds: -86_400 * daysAgo), pattern: "4-7-8", cycles: 4, plannedCycles: 4,
      seconds: 80)
    exercise.before = .init(rmssd: before, heartRate: 70, stress: 55)
    exercise.after = .init(rmssd: after, heartRate: 64, stress: 20)
    exercise.changed = after > 1.5 * before ? .yes : .no
    exercise.ratio = .init(value: after / before, low: 0.8, high: 2)
    exercise.smallestDetectableRatio = 1.5
    return exercise
  }

  @Test func earlierExercisesAreAListAndAChart() async throws {
    let fixture = try ServerFixture()
    #expect(!(try await fixture.page("/breathe").contains("Earlier exercises")))
    let writer = try HistoryWriter(fixture.location)
    try writer.add(try exercise(fixture, before: 40, after: 70, daysAgo: 3))
    #expect(!(try await fixture.page("/breathe").contains("id=\"exercises\"")))
    try writer.add(try exercise(fixture, before: 50, after: 45, daysAgo: 2))
    try writer.add(try exercise(fixture, before: 48, after: 52, daysAgo: 1))
    let page = try await fixture.page("/breathe")
    #expect(page.contains("HRV was higher after than before in 2 of 3 exercises, clearly so in 1."))
    #expect(page.ranges(of: "<circle class=\"pair-after\"").count == 4, "three values and the legend")
    #expect(
      page.contains("HRV 40 to 70 ms: clearly higher") && page.contains("HRV 50 to 45 ms: no clear change"))
    // The scale is from 40 to 70 ms.
    #expect(page.contains("cy=\"92.00%\"") && page.contains("cy=\"8.00%\""))
  }

  @Test func aResultIsOneSentenceAndTwoBuddies() async throws {
    let fixture = try ServerFixture()
    let context = try PageRenderer(
      status: StatusAPI(history: HistoryAPI(options: fixture.options), hub: fixture.hub)
    ).context(.none, nil)
    let html = BreathingResultCard(
      exercise: try exercise(fixture, before: 40, after: 70, daysAgo: 0), context: context
    ).html.text
    #expect(
      html.contains("<p class=\"judgement\">Your HRV rose clearly: 40 ms (RMSSD) before, 70 ms after.</p>"))
    #expect(html.contains("data-category=\"moderate\" data-mood=\"worried\""))
    #expect(html.contains("data-category=\"relaxed\" data-mood=\"calm\""))
    #expect(html.contains("<details><summary>Details</summary>") && html.contains("<td>70.0</td>"))
  }
}
