import Glibc
import HeartRate
import TestSupport
import Testing

@Suite(.ownThreads) struct SimulatedTests {
  /// 90 s of the simulated strap at maximum speed.
  private let quick = ["--simulate", "--speed", "max", "--duration", "90"]

  @Test func equalSeedsGiveEqualSessions() throws {
    // Separate histories, because a session updates the baseline of the next one.
    func lines(seed: String) throws -> [String] {
      let live = try Home().start(["live", "--json", "--seed", seed] + quick).outcome()
      #expect(live.status == .exited(0))
      #expect(live.diagnostics.isEmpty, "\(live.errors)")
      return live.lines.map(withoutTimeAndSession)
    }
    let first = try lines(seed: "3")
    #expect(first.count > 150)
    #expect(try lines(seed: "3") == first)
    #expect(try lines(seed: "4") != first)
  }

  @Test func replaysOfRecordingAndHistoryEqualTheLiveOutput() throws {
    let home = try Home()
    let path = home.file("session.jsonl")
    let live = try home.start(["live", "--json", "--record", path] + quick).outcome()
    let session = try #require(try live.json()[0]["session"]?.text)
    let recorded = try home.run("replay", path, "--speed", "max", "--json")
    #expect(recorded.output == live.output)
    #expect(recorded.status == .exited(0))
    #expect(recorded.errors.isEmpty)
    let stored = try home.run("replay", "--session", session, "--speed", "max", "--json")
    #expect(stored.output == live.output)
    // A case-insensitive prefix of the ID suffices. A replay is not stored as a session.
    let prefix = String(session.prefix(8)).lowercased()
    #expect(try home.run("replay", "--session", prefix, "--speed", "max", "--json").output == live.output)
    #expect(try home.run("history", "--sessions", "--json").lines.count == 1)
  }

  @Test func aReplayUsesTheRecordedSettingsUnlessOptionsReplaceThem() throws {
    let home = try Home()
    let path = home.file("session.jsonl")
    let live = try home.start(["live", "--json", "--window", "30s", "--record", path] + quick).outcome()
    // The recorded settings take precedence over the configuration.
    #expect(try home.run("config", "set", "window", "2m").status == .exited(0))
    #expect(try home.run("replay", path, "--speed", "max", "--json").output == live.output)
    let wider = try home.run("replay", path, "--speed", "max", "--json", "--window", "60").json()
    #expect(wider.of(type: "measurement").allSatisfy { $0["window_s"]?.number == 60 })
  }

  @Test func aReplayInRealTimeTakesTheRecordedDuration() throws {
    let home = try Home()
    let path = home.file("session.jsonl")
    _ = try home.start(["live", "--json", "--record", path] + quick).outcome()
    let before = monotonicSeconds()
    let replay = try home.run("replay", path, "--speed", "60", "--json")
    #expect(monotonicSeconds() - before > 1.2)
    #expect(try replay.output == home.run("replay", path, "--speed", "max", "--json").output)
  }

  @Test(arguments: [["--speed", "max", "--duration", "30m"], ["--speed", "60", "--duration", "1m"]])
  func aSessionFasterThanRealTimeEndsNow(pace: [String]) throws {
    let home = try Home()
    let before = wallTime()
    let live = try home.start(["live", "--json", "--simulate"] + pace).outcome()
    let last = try #require(try JSONValue(live.lines.last ?? "")["time"]?.text)
    // Events arrive in each second, except for at most two at the end.
    let earliest = before.advanced(ticks: -2 * RRInterval.ticksPerSecond)
    #expect(earliest.rfc3339 < last && last <= wallTime().rfc3339)
    #expect(try #require(home.run("status", "--json").json().first?["age_s"]?.number) >= 0)
    let session = try #require(try home.run("history", "--sessions", "--json").json().first)
    #expect(try #require(session["ended"]?.text) <= wallTime().rfc3339)
  }

  @Test(arguments: [
    ["measure"], ["breathe", "--cycles", "1"], ["calm", "--minutes", "1"],
  ])
  func simulatedSessionsAreNotDatedInTheFuture(command: [String]) throws {
    let home = try Home()
    _ = try home.start(command + ["--simulate", "--speed", "max"]).outcome()
    let session = try #require(try home.run("history", "--sessions", "--json").json().first)
    #expect(try #require(session["ended"]?.text) <= wallTime().rfc3339)
    #expect(try #require(home.run("status", "--json").json().first?["age_s"]?.number) < 60)
  }

  @Test func plainLinesContainTheValuesAndTheStorageLocation() throws {
    let home = try Home()
    let path = home.file("session.jsonl")
    for arguments in [["live", "--plain", "--record", path], ["live"]] {
      let live = try home.start(arguments + quick).outcome()
      #expect(live.status == .exited(0))
      #expect(live.lines.contains { $0.contains("  Connected: Simulated strap") })
      let measured = live.lines.filter { $0.contains("  stress ") }
      #expect((55...62).contains(measured.count))
      #expect(live.output.contains("collecting: 14 of 30 s"))
      let form =
        /1:2\d  HR \d+ bpm  HRV [\d.]+ ms \(RMSSD\)  stress . \d+ \(\d+-\d+\) \w+  confidence \w+ \(\d+ %\).*/
      #expect(measured.last?.wholeMatch(of: form) != nil)
      #expect(live.errors.contains("is stored. List the sessions with: stressmon history"))
      #expect(live.errors.contains("Recorded to") == arguments.contains(path))
      #expect(!live.output.contains("\u{1B}"))
    }
  }

  @Test func aTerminalShowsTheScreenView() throws {
    let home = try Home()
    let command = "\(Program.stressmon) live " + quick.joined(separator: " ")
    let live = try home.start(
      "/usr/bin/script", ["-qefc", command, "/dev/null"], with: ["TERM": "xterm", "NO_COLOR": "1"]
    ).outcome()
    #expect(live.status == .exited(0))
    #expect(live.output.contains("Stress  "))
    #expect(live.output.contains("Stored in \(home.database). Ctrl-C ends the session."))
    // Lines are printed on a dumb terminal.
    let dumb = try home.start("/usr/bin/script", ["-qefc", command, "/dev/null"], with: ["TERM": "dumb"])
      .outcome()
    #expect(!dumb.output.contains("\u{1B}"))
    #expect(dumb.output.contains(" ms (RMSSD)  "))
  }

  @Test(arguments: ["29s", "301", "0", "6m", "-5", "1x", ""])
  func aWindowOutOfRangeIsAUsageError(window: String) throws {
    let home = try Home()
    for command in [["live", "--simulate"], ["measure", "--simulate"], ["replay", "x.jsonl"]] {
      let outcome = try home.start(command + ["--window=\(window)"]).outcome()
      #expect(outcome.status == .exited(64))
      #expect(outcome.errors.contains("--window"))
    }
    #expect(!exists(home.database))
  }

  @Test(arguments: ["30s", "5m", "120"])
  func aWindowWithinRangeIsAccepted(window: String) throws {
    let live = try Home().start(["live", "--json", "--window", window] + quick).outcome()
    #expect(live.status == .exited(0))
    let seconds = ["30s": 30.0, "5m": 300, "120": 120][window]
    #expect(try live.json().of(type: "measurement").allSatisfy { $0["window_s"]?.number == seconds })
  }

  @Test func oneMeasurementIsPrintedAndStored() throws {
    let home = try Home()
    let text = try home.run("measure", "--simulate", "--speed", "max")
    #expect(text.status == .exited(0))
    for name in ["Stress", "HRV", "Mean HR", "Confidence", "Next"] {
      #expect(text.lines.contains { $0.hasPrefix(name) }, "\(name)")
    }
    let details = try home.run("measure", "--simulate", "--speed", "max", "--details")
    for name in ["Stress", "Confidence", "Mean HR", "RMSSD", "SDNN", "pNN50", "Beats", "Baseline"] {
      #expect(details.lines.contains { $0.hasPrefix(name) }, "\(name)")
    }
    let json = try home.run("measure", "--simulate", "--speed", "max", "--json")
    #expect(json.status == .exited(0))
    #expect(json.errors.isEmpty)
    let lines = try json.json()
    #expect(lines.count == 1)
    #expect(lines.first?["type"]?.text == "measurement")
    #expect((lines.first?["monotonic_s"]?.number ?? 0) >= 60)
    #expect(lines.first?["stress"]?.number != nil)
    #expect(try home.run("history", "--sessions", "--json").lines.count == 3)
  }

  @Test func noStoreStoresNothing() throws {
    let home = try Home()
    let live = try home.start(["live", "--no-store"] + quick).outcome()
    #expect(live.status == .exited(0))
    #expect(!live.errors.contains("history"))
    #expect(!exists(home.database))
  }

  @Test func mutuallyExclusiveOptionsAreAUsageError() throws {
    let home = try Home()
    for arguments in [
      ["live", "--seed", "3"], ["live", "--speed", "2"], ["live", "--simulate", "--strap", "H10"],
      ["live", "--simulate", "--json", "--plain"], ["live", "--simulate", "--force"],
      ["live", "--simulate", "--speed", "0"], ["live", "--simulate", "--duration", "soon"],
      ["live", "--nonsense"],
      ["replay"], ["replay", "a.jsonl", "--session", "01K"], ["analyze"], ["explain", "--hrv", "20"],
      ["explain", "3", "--hrv", "2"],
      ["history", "--limit", "0"], ["measure", "--simulate", "--duration", "5s"],
      ["scan", "--duration", "0"], ["live", "--simulate", "--duration", "0"],
      ["record", "x.jsonl", "--simulate", "--duration", "0"], ["measure", "--every", "0"],
      ["calm", "--minutes", "0"], ["breathe", "--minutes", "3h"],
      ["live", "--simulate", "--profile", ""], ["record", "--simulate"], ["nonsense"],
    ] {
      let outcome = try home.start(arguments).outcome()
      #expect(outcome.status == .exited(64), "\(arguments): \(outcome.status)")
      #expect(outcome.output.isEmpty && !outcome.errors.isEmpty, "\(arguments)")
    }
    #expect(!exists(home.database))
  }

  private func withoutTimeAndSession(_ line: String) -> String {
    line.replacing(/"(time|session)":"[^"]*",?/, with: "")
  }
}

/// The current wall-clock time.
func wallTime() -> WallTime {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return WallTime(microseconds: Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000)
}
