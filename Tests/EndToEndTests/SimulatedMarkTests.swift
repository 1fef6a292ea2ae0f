import TestSupport
import Testing

/// Every output with a value of a simulated session states that it is simulated, and the numbers of one output agree (issue
/// 30).
@Suite(.ownThreads) struct SimulatedMarkTests {
  private let quick = ["--simulate", "--speed", "max"]

  @Test(arguments: [("65s", "1:05"), ("6m", "6:00"), ("20m", "20:00")])
  func theDurationIsTheRequestedOne(duration: String, shown: String) throws {
    let home = try Home()
    let live = try home.start(["live", "--duration", duration] + quick).outcome()
    #expect(live.lines.contains("Duration   \(shown) (simulated)"), "\(live.output)")
    #expect(try home.run("history", "--sessions").output.contains("  \(shown)  simulated"))
    let percents = live.output.matches(of: /(\d+) %\n/).compactMap { Int($0.1) }
    #expect(percents.count == 4 && percents.reduce(0, +) == 100, "\(live.output)")
    let main = try #require(live.output.firstMatch(of: /for (\d+) % of the measured time/)?.1)
    #expect(percents.max() == Int(main))
  }

  @Test func aRecordingEndsAtItsDuration() throws {
    let home = try Home()
    _ = try home.start(["record", home.file("a.jsonl"), "--duration", "90s"] + quick).outcome()
    let end = try JSONLinesFile(home.file("a.jsonl")).lines.last
    #expect(end?["type"]?.text == "end" && end?["monotonic_s"]?.number == 90)
  }

  @Test func measurements() throws {
    let home = try Home()
    let card = try home.start(["measure"] + quick).outcome()
    #expect(card.lines.first?.hasSuffix(" (simulated)") == true, "\(card.output)")
    let json = try home.start(["measure", "--json"] + quick).outcome().json()
    #expect(json[0]["simulated"]?.bool == true)
    let series = try home.start(["measure", "--every", "5m", "--count", "2"] + quick).outcome()
    #expect(
      series.lines.count == 2 && series.lines.allSatisfy { $0.hasSuffix("  simulated") }, "\(series.output)")
    #expect(try home.start(["measure", "--speak"] + quick).outcome().output.contains(" Simulated."))
    let listed = try home.run("history", "--json").json()
    #expect(listed.count == 5 && listed.allSatisfy { $0["simulated"]?.bool == true })
    let table = try home.run("history", "--csv").output.split(separator: "\r\n")
    let cells = table.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let column = try #require(cells.first?.firstIndex(of: "simulated"))
    #expect(cells.count == 6 && cells.dropFirst().allSatisfy { $0[column] == "true" })
    #expect(try home.run("history", "--measurements").output.contains("Simulated strap"))
    let id = try #require(listed[0]["id"]?.number)
    #expect(
      try home.run("show", "\(Int(id))").output.hasPrefix("Measurement \(Int(id)) of 'me' (simulated), "))
    #expect(try home.run("show", "\(Int(id))", "--json").json()[0]["simulated"]?.bool == true)
    let session = try #require(listed[0]["session"]?.text)
    #expect(try home.run("show", session).output.contains(" (simulated)\n"))
    #expect(try home.run("trends").output.hasPrefix("'me' (simulated), "))
    #expect(try home.run("report").output.contains(" (simulated)\n"))
    #expect(try home.run("status").output.contains("simulated"))
  }

  @Test func exercisesAndMornings() throws {
    let home = try Home()
    let breathing = try home.start(["breathe", "--cycles", "2"] + quick).outcome()
    #expect(breathing.output.contains(" (simulated)\n"), "\(breathing.output)")
    #expect(try home.run("history", "--breathing").output.contains("4-7-8 (simulated)"))
    #expect(try home.run("history", "--breathing", "--json").json()[0]["simulated"]?.bool == true)
    #expect(try home.run("history", "--breathing", "--csv").output.contains(",simulated\r\n"))
    let morning = try home.start(["morning"] + quick).outcome()
    #expect(morning.output.contains(" s (simulated), mean HR "), "\(morning.output)")
    #expect(try home.run("history", "--morning").output.contains("yes (simulated)"))
    let notes = try home.run("history").output
    #expect(notes.contains("breathing 4-7-8: 2 of 2 cycles") && notes.contains("(simulated)"), "\(notes)")
  }

  @Test("A typed value and a measurement have the same confidence with the same baseline")
  func explain() throws {
    let home = try Home()
    let measured = try home.start(["measure", "--json"] + quick).outcome().json()[0]
    let stored = try home.run("explain", "1", "--json").json()[0]
    let typed = try Home().run("explain", "--hrv", "45", "--hr", "62", "--samples", "60", "--json").json()[0]
    #expect(typed["confidence"]?.number == 0.9)
    #expect(typed["confidence_factors"]?["baseline"] == stored["confidence_factors"]?["baseline"])
    #expect(measured["confidence"]?.number == stored["confidence"]?.number)
    let own = try home.run(
      "explain", "--hrv", "45", "--hr", "62", "--baseline-hrv", "50", "--resting-hr", "60")
    #expect(own.output.contains("Confidence 1.00") && !own.output.contains("age of the baseline"))
  }
}
