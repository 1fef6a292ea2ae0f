import Testing

@testable import Terminal

@Suite struct ProgressLineTests {
  @Test func barShowsTheFractionWithinItsLimits() {
    #expect(
      ProgressLine.line("importing", 0.5, "3 sessions")
        == "importing [###############...............] 50 %  3 sessions")
    #expect(ProgressLine.line("importing", 7, "") == "importing [##############################] 100 %  ")
    #expect(ProgressLine.line("importing", nil, "3 sessions") == "importing  3 sessions")
  }
}
