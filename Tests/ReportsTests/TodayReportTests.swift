import Testing

@testable import Reports

@Suite struct TodayReportTests {
  @Test(
    "One thing is suggested, the most urgent one first",
    arguments: [
      (Habits(), .measure), (Habits(isMeasuring: true, isStressed: true), .attach),
      (Habits(isMorning: true, hasMornings: true, isStressed: true), .morning),
      (Habits(isMorning: true, hasMornings: true, hasMorningToday: true, hasMeasuredToday: true), .journal),
      (Habits(isMorning: true, hasMornings: false), .measure), (Habits(hasMornings: true), .measure),
      (Habits(hasMeasuredToday: true, isStressed: true), .breathe),
      (Habits(hasMeasuredToday: true), .journal),
      (Habits(hasEntryToday: true, hasMeasuredToday: true), .trends),
    ] as [(Habits, TodayReport.Suggestion)])
  func suggestion(habits: Habits, expected: TodayReport.Suggestion) {
    #expect(habits.suggestion == expected)
  }
}
