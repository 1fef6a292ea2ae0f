import FakeBlueZ
import TestSupport
import Testing

@Suite(.ownThreads) struct BreatheTests {
  private let quick = ["--simulate", "--seed", "3", "--speed", "max"]

  @Test func theJSONOutputIsOneObject() throws {
    let home = try Home()
    let run = try home.start(["breathe", "--json", "--record", home.file("b.jsonl")] + quick).outcome()
    #expect(run.status == .exited(0) && run.errors.isEmpty)
    let result = try #require(try run.json().first)
    #expect(run.lines.count == 1)
    #expect(result["pattern"]?.text == "4-7-8" && result["cycles"]?.number == 4)
    for part in ["before", "during", "after"] {
      #expect(result[part]?["rmssd_ms"]?.number != nil && result[part]?["stress"]?.number != nil, "\(part)")
    }
    for (key, difference) in try #require(result["difference"]).members {
      let (low, high) = (difference["low"]?.number, difference["high"]?.number)
      let value = try #require(difference["difference"]?.number)
      #expect(try #require(low) <= value && value <= #require(high), "\(key)")
    }
    #expect(result["changed"]?.bool != nil)
    #expect(try #require(result["smallest_detectable_ratio"]?.number) > 1)
    #expect(try #require(result["coherence"]?.number) > 0.2)

    // The recording contains the marks, so it gives the same rests.
    let again = try #require(try home.run("breathe", "--json", "--from", home.file("b.jsonl")).json().first)
    for key in ["before", "during", "after", "difference", "changed", "coherence"] {
      #expect(again[key] == result[key], "\(key)")
    }
    let listed = try home.run("history", "--breathing", "--json").json()
    #expect(listed.count == 1)
    #expect(listed.first?["session"] == result["session"] && listed.first?["changed"] == result["changed"])
    #expect(listed.first?["before"]?["rmssd_ms"] == result["before"]?["rmssd_ms"])
    // The baseline excludes the breathing and the rest after it: at most one resting minute.
    #expect((try home.run("baseline", "--json").json().first?["resting_windows"]?.number ?? 9) <= 1)
  }

  @Test func theHistoryContainsTheExercise() throws {
    let home = try Home()
    let done = try home.start(["breathe", "--json"] + quick).outcome().json()
    let result = try #require(done.first)
    let id = try #require(result["session"]?.text)
    let row = "breathing 4-7-8: 4 of 4 cycles; HRV "
    let timeline = try home.run("history", "--measurements", "--from", "2001").lines
    let place = try #require(timeline.firstIndex { $0.contains(row) })
    let isChanged = result["changed"]?.bool == true
    #expect(timeline[place].hasSuffix(", no clear change (simulated)") == !isChanged)
    // The exercise is listed between the rest before and the later measurements.
    #expect(timeline[..<place].contains { $0.contains("session \(id)") } && place < timeline.count - 1)
    #expect(try !home.run("history", "--to", "2001").output.contains(row))

    let listed = try home.run("history", "--breathing", "--json").json()
    #expect(try listed == home.run("history", "--breathing", "--json").json() && listed.count == 1)
    for (filter, count) in [
      (["--from", "2001"], 1), (["--strap", "simulated strap"], 1), (["--strap", "none"], 0),
      (["--to", "2001"], 0),
    ] {
      let found = try home.start(["history", "--breathing", "--json"] + filter).outcome()
      #expect(found.lines.count == count, "\(filter)")
    }
    let csv = try home.run("history", "--breathing", "--csv").output.split(separator: "\r\n")
    let cells = zip(
      csv[0].split(separator: ","), csv[1].split(separator: ",", omittingEmptySubsequences: false))
    for (name, cell) in cells {
      let part = name.prefix { $0 != "_" }
      let json =
        ["before", "during", "after"].contains(String(part))
        ? listed[0][String(part)]?[String(name.dropFirst(part.count + 1))] : listed[0][String(name)]
      #expect(
        json?.text ?? json?.number?.description ?? "" == cell || Double(cell) == json?.number, "\(name)")
    }
    #expect(
      try home.run("history", "--breathing", "--to", "2001").output.contains(
        "No breathing exercise of 'me' matches"))
    #expect(try home.run("history", "--breathing", "--sessions").status == .exited(64))

    let shown = try JSONValue(try home.run("show", id, "--json").output)
    #expect(shown["breathing"]?.elements == listed)
    #expect(try home.run("show", id).output.contains("stressmon compare \(id)@before \(id)@after"))
    // A comparison of the rests gives the result of the exercise.
    let compared = try #require(try home.run("compare", "\(id)@before", "\(id)@after", "--json").json().first)
    for key in ["rmssd_ratio", "rmssd_ratio_low", "rmssd_ratio_high", "smallest_detectable_ratio"] {
      #expect(compared[key] != nil && compared[key] == result[key], "\(key)")
    }
  }

  @Test func aSessionWithoutExerciseHasNoExerciseSpans() throws {
    let home = try Home()
    try home.folder.write("800\n810\n790\n", to: "rr.txt")
    let run = try home.run("compare", home.file("rr.txt") + "@before", home.file("rr.txt"))
    #expect(run.status == .exited(3) && run.errors.contains("no rest before a breathing exercise"))
  }

  @Test func plainLinesGuideTheExercise() throws {
    let home = try Home()
    let run = try home.start(["breathe", "--pattern", "box", "--cycles", "2", "--no-store"] + quick).outcome()
    #expect(run.status == .exited(0))
    for words in [
      "Breathe in for 4 s (cycle 2 of 2)", "Hold for 4 s", "Rest again", "too few cycles", "HRV ms",
    ] {
      #expect(run.output.contains(words), "\(words)")
    }
    #expect(!run.output.contains("\u{1B}"))
    #expect(try home.run("history", "--breathing").output.contains("No breathing exercise"))
  }

  @Test func theSimulatedResonanceIsReportedBesideTheEstimate() throws {
    let home = try Home()
    let run = try home.start(["breathe", "--json", "--no-store", "--find-resonance"] + quick).outcome()
    let result = try #require(try run.json().first)
    let found = try #require(result["resonance_brpm"]?.number)
    #expect(abs(found - (try #require(result["simulated_resonance_brpm"]?.number))) <= 0.25)
    #expect(result["changed"] == .null)
  }

  @Test(arguments: [
    ["--pattern", "4-x"], ["--pattern", "0-4"], ["--cycles", "0"], ["--minutes", "nan"], ["--before", "5"],
    ["--cycles", "2", "--minutes", "2"], ["--find-resonance", "--pattern", "box"], ["--limit", "3"],
    ["--force"],
    ["--from", "x", "--simulate"], ["--list", "--simulate"],
  ])
  func invalidOptionsAreRejected(arguments: [String]) throws {
    #expect(try Home().start(["breathe"] + arguments).outcome().status == .exited(64))
  }

  @Test func aFileThatIsTooShortIsReported() throws {
    let home = try Home()
    try home.folder.write("800\n810\n790\n", to: "rr.txt")
    let run = try home.run("breathe", "--from", home.file("rr.txt"))
    #expect(run.status == .exited(3) && run.errors.contains("too short"))
    #expect(try home.run("breathe", "--from", home.file("none.txt")).status == .exited(1))
  }

  @Test func calmWorksWithoutAStrap() throws {
    let home = try Home()
    let run = try home.run("calm", "--minutes", "0.1")
    #expect(run.status == .exited(0) && run.output.contains("Breathe in for 4 s"))
    let led = try home.start(["calm", "--minutes", "0.5"] + quick).outcome()
    #expect(led.status == .exited(0) && led.output.contains("bpm"))
    let kept = try home.run("history", "--breathing", "--json").json()
    #expect(kept.count == 1 && kept.first?["cycles"] == kept.first?["planned_cycles"])
    #expect(
      kept.first?["during"]?["rmssd_ms"]?.number != nil && kept.first?["changed"] == .null)
    #expect(kept.first?["before"]?["rmssd_ms"] == .null && kept.first?["after"]?["rmssd_ms"] == .null)
    #expect(try home.run("history").output.contains("3 of 3 cycles; HRV "))
    #expect(
      try home.start(["calm", "--minutes", "0.2", "--no-store"] + quick).outcome().status == .exited(0))
    #expect(try home.run("history", "--breathing", "--json").lines.count == 1)
    let grounded = try home.start(["calm", "--grounding"])
    #expect(grounded.shows("Name 5 things"))
    grounded.signal(2)
    #expect(try grounded.waitForExit() == .signalled(2))
  }

  @Test func dataOfAStrapDuringCalmAreStored() throws {
    let air = try Air()
    let strap = air.strap()
    strap.stream(beats(madeUpRR(10_000)), rate: 4)
    // On a busy machine the strap can respond late, so the exercise is repeated with a greater length.
    let kept = try givenTime { seconds in
      let minutes = 0.2 + Double(seconds) / 60
      let run = try air.home.run("calm", "--strap", strap.address, "--minutes", "\(minutes)")
      #expect(run.status == .exited(0))
      return (run, try air.home.run("history", "--breathing", "--json").json())
    } until: {
      !$0.1.isEmpty
    }
    #expect(kept.0.errors.contains("Stored. List the exercises with: stressmon history --breathing"))
    let exercise = try #require(kept.1.first)
    #expect(exercise["cycles"] == exercise["planned_cycles"] && exercise["pattern"]?.text == "4-0-6-0")
    #expect(exercise["during"]?["mean_hr_bpm"]?.number != nil)
    #expect(holds { !strap.isConnected })
  }

  /// On a terminal, q ends the exercise and the terminal mode is restored.
  @Test func theTerminalModeIsRestored() throws {
    let home = try Home()
    let script =
      "printf q | script -qec \"stty -a > a; $stressmon breathe --simulate --no-store; stty -a > b\" /dev/null > shown; cmp a b && grep -q 'Getting ready' shown && echo same"
    let run = try home.shell(script, with: ["TERM": "xterm"])
    #expect(run.output.contains("same"), "\(run.errors)")
  }
}
