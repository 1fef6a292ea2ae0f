import Glibc
import TestSupport
import Testing

/// `stressmon mark`: events of experiments in a running session.
@Suite(.ownThreads) struct MarkCommandTests {
  @Test func marksHaveTheirTextAndTimeAndAreNoJournalEntries() throws {
    let home = try Home()
    #expect(try home.run("mark", "x").status == .exited(2))
    let live = try home.start(["live", "--json", "--simulate", "--speed", "20"])
    try live.wait(for: 30, "measurement")
    let first = try home.run("mark", "stimulus", "--json").json()
    let text = try home.run("mark", "two  words")
    for time in ["2020-01-01T00:00:00Z", "9999-12-31T00:00:00Z", "0001-01-01T00:00:00Z"] {
      let far = try home.run("mark", "x", "--at", time)
      #expect(far.status == .exited(1) && far.errors.contains("more than 10 s"), "\(time): \(far.errors)")
    }
    #expect(try home.run("mark", "x", "--session", "01NONE").status == .exited(2))
    try live.wait(for: 60, "measurement")
    live.signal(SIGINT)
    let lines = try live.outcome().output.split(separator: "\n").map(String.init)
    let marks = try lines.filter { $0.hasPrefix("{\"type\":\"mark\"") }.json()
    #expect(marks.map { $0["text"]?.text } == ["stimulus", "two words"])
    let at = try #require(marks.first?["monotonic_s"]?.number)
    #expect(first.count == 1 && first[0]["mark"]?.text == "stimulus")
    // The time of the answer is limited to the next event.
    #expect(first[0]["monotonic_s"]?.number.map { abs($0 - at) < 2 } == true)
    #expect(first[0]["time"]?.text != nil)
    #expect(try Schema("mark").differences(from: first[0]) == [])
    #expect(text.output.hasPrefix("marked 'two words' at "))
    #expect(try home.run("journal", "list", "--json").output.isEmpty)
  }
}
