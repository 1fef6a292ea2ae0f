import TestSupport
import Testing

@Suite(.ownThreads) struct CompareTests {
  /// Five minutes of intervals of about 800 ms with successive differences of at most `swing` ms.
  private static func rr(swing: Double, beats: Int = 375, seed: UInt64 = 1) -> String {
    var random = SeededGenerator(seed: seed)
    return (0..<beats).map { _ in "\(800 + Double.random(in: -swing...swing, using: &random))\n" }.joined()
  }

  private static func home() throws -> Home {
    let home = try Home()
    try home.folder.write(rr(swing: 20), to: "a.txt")
    try home.folder.write(rr(swing: 60, seed: 2), to: "b.txt")
    try home.folder.write(rr(swing: 24, seed: 3), to: "c.txt")
    return home
  }

  @Test func aLargeRiseIsAChangeAndASmallOneIsNot() throws {
    let home = try Self.home()
    let large = try JSONValue(
      try home.run("compare", "--json", home.file("a.txt"), home.file("b.txt")).output)
    #expect(large["changed"]?.bool == true)
    let (a, b) = (large["a"]?["ln_rmssd"]?.number ?? 0, large["b"]?["ln_rmssd"]?.number ?? 0)
    let difference = large["differences"]?["ln_rmssd"]
    #expect(abs((difference?["difference"]?.number ?? 0) - (b - a)) < 1e-12)
    #expect((difference?["low"]?.number ?? 0) > 0 && (difference?["high"]?.number ?? 0) > b - a)
    #expect(large["sentence"]?.text?.hasPrefix("Clear rise: RMSSD ") == true)
    #expect(large["variability_sd"]?.number == 0.265 && large["variability_windows"]?.number == 0)
    // Eight minutes give intervals for other metrics, which are never reported as changed.
    #expect(large["differences"]?["sdnn_ms"]?["low"]?.number != nil)
    #expect(large["differences"]?["lf_ms2"]?["reason"]?.text?.contains("300 s") == true)

    let small = try home.run("compare", home.file("a.txt"), home.file("c.txt"))
    #expect(small.status == .exited(0))
    #expect(small.output.contains("No clear change: RMSSD "))
    #expect(small.output.contains("Smallest detectable change: a rise to 1.5"))
    #expect(small.output.hasSuffix("\nAll metrics: --details\n") && !small.output.contains("SampEn"))
    let details = try home.run("compare", home.file("a.txt"), home.file("c.txt"), "--details")
    #expect(details.output.hasPrefix("No clear change: RMSSD ") && details.output.contains("\nSampEn "))
    let fall = try home.run("compare", home.file("b.txt"), home.file("a.txt"))
    #expect(fall.output.contains("Clear fall: RMSSD "))
  }

  @Test func spansOfAFileAreComparedSeparately() throws {
    let home = try Self.home()
    try home.folder.write(Self.rr(swing: 20) + Self.rr(swing: 60, seed: 2), to: "both.txt")
    let both = home.file("both.txt")
    let json = try JSONValue(try home.run("compare", "--json", both + "@-5:00", both + "@5:00-").output)
    #expect(json["changed"]?.bool == true)
    #expect(abs((json["a"]?["duration_s"]?.number ?? 0) - 300) < 2)
    #expect(json["a"]?["name"]?.text == both + "@-5:00")
    let beyond = try home.run("compare", both, both + "@1h-2h")
    #expect(beyond.status == .exited(3))
    #expect(beyond.errors.contains("@1h-2h contains no beat"))
    let same = try JSONValue(try home.run("compare", "--json", both, both).output)
    #expect(same["changed"]?.bool == false && same["rmssd_ratio"]?.number == 1)
  }

  @Test func shortOrBadDataGiveNoConclusion() throws {
    let home = try Self.home()
    try home.folder.write(Self.rr(swing: 20, beats: 20), to: "short.txt")
    try home.folder.write(String(repeating: "800\n", count: 300), to: "even.txt")
    var bad = Self.rr(swing: 20).split(separator: "\n").map(String.init)
    for place in stride(from: 3, to: bad.count, by: 4) { bad[place] = "250" }
    try home.folder.write(bad.joined(separator: "\n"), to: "bad.txt")
    for (name, words) in [
      ("short.txt", "B contains 15 s of successive normal beats, 25 s are required"),
      ("even.txt", "all intervals of B are equal"), ("bad.txt", "the data quality of B is too low"),
    ] {
      let outcome = try home.run("compare", home.file("a.txt"), home.file(name))
      #expect(outcome.status == .exited(0))
      #expect(
        outcome.output.contains("It cannot be told whether your HRV changed: \(words)"), "\(outcome.output)")
      let json = try JSONValue(try home.run("compare", "--json", home.file("a.txt"), home.file(name)).output)
      #expect(json["changed"] == .null)
    }
    for (arguments, status, words) in [
      (["nowhere.txt", home.file("a.txt")], 1, "no such file or folder: nowhere.txt"),
      ([home.file("a.txt"), "session:01K"], 1, "no session ID begins with '01K'"),
      ([home.file("a.txt"), "2026-11-20T10:00/10:10"], 1, "'me' has no session within"),
      ([home.file("a.txt"), home.file("b.txt") + "@5-1"], 64, "is not a span such as 1:00-6:00"),
      (["-", "-"], 64, "only one of the two inputs can be standard input"),
    ] as [([String], CInt, String)] {
      let outcome = try home.start(["compare"] + arguments).outcome()
      #expect(outcome.status == .exited(status), "\(arguments)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test func sessionsAndTimesOfTheHistoryGiveTheResultsOfTheirRecording() throws {
    let home = try Self.home()
    _ = try home.run("record", home.file("s.jsonl"), "--simulate", "--speed", "max", "--duration", "10m")
    let stored = try #require(try home.run("history", "--sessions", "--json").json().first)
    let session = try #require(stored["session"]?.text)
    let before = try Database(home.database).run("SELECT count(*) FROM measurement")
    func side(_ source: String) throws -> JSONValue {
      let outcome = try home.run("compare", "--json", source, home.file("a.txt"))
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      return try #require(try JSONValue(outcome.output)["a"])
    }
    func metrics(_ side: JSONValue) -> [JSONValue?] {
      ["beats", "rmssd_ms", "sdnn_ms", "lf_ms2", "confidence", "coverage", "duration_s", "artefact_percent"]
        .map { side[$0] }
    }
    let recorded = try side(home.file("s.jsonl"))
    #expect((recorded["beats"]?.number ?? 0) > 400)
    for name in [session, "session:\(session)", session.lowercased()] {
      #expect(metrics(try side(name)) == metrics(recorded))
    }
    let date = try #require(stored["time"]?.text).prefix(4)
    let all = try side("\(date)-01-01T00:00/\(date)-12-31T23:59:59")
    #expect(metrics(all) == metrics(recorded) && all["kind"]?.text == "history")
    #expect(all["source"]?.text == "simulated")
    let part = try side("session:\(session)@2m-4m")
    #expect(abs((part["duration_s"]?.number ?? 0) - 120) < 3)
    // The comparison does not write to the history.
    #expect(try Database(home.database).run("SELECT count(*) FROM measurement") == before)
    let file = home.file("s.jsonl")
    _ = try home.run("profile", "add", "you")
    let elsewhere = try home.run("compare", file, file, "--profile", "you")
    #expect(elsewhere.status == .exited(0) && elsewhere.output.contains("population default"))
    #expect(try home.run("compare", "session:\(session)", file, "--profile", "you").status == .exited(1))
  }
}
