import Glibc
import TestSupport
import Testing

/// The baseline of a profile, estimated from its sessions and used by the next one.
@Suite(.ownThreads) struct BaselineTests {
  private let home: Home

  init() throws { home = try Home() }

  private func live(_ arguments: String...) throws -> Outcome {
    try home.start(
      ["live", "--simulate", "--speed", "max", "--duration", "5m", "--json"] + arguments
    ).outcome()
  }

  /// Moves the stored sessions `days` into the past.
  private func age(days: Int) throws {
    try Database(home.database).run(
      "UPDATE session SET started_us = started_us - \(days) * 86400000000, rest_found = NULL;"
        + "DELETE FROM resting_window")
  }

  private func baseline(_ arguments: String...) throws -> JSONValue {
    try JSONValue(try home.start(["baseline"] + arguments + ["--json"]).outcome().output)
  }

  /// The baseline RMSSD of the stress values of a session.
  private func usual(_ outcome: Outcome) throws -> Set<Double> {
    Set(try outcome.json().of(type: "measurement").compactMap { $0["baseline_rmssd_ms"]?.number })
  }

  @Test func anEmptyHistoryHasThePopulationBaseline() throws {
    let shown = try home.run("baseline")
    #expect(shown.status == .exited(0))
    #expect(shown.output.hasPrefix("Baseline of 'me': population default\n"))
    #expect(shown.output.contains("stressmon measure"))
    #expect(!exists(home.database))
    let json = try baseline()
    #expect(json["origin"]?.text == "prior" && json["baseline_rmssd_ms"]?.number == 50)
    #expect(json["maturity"]?.number == 0 && json["learned_rmssd_ms"] == .null)
    #expect(json["weight"]?.number == 0)
  }

  @Test func finishedSessionsUpdateTheBaselineOfTheNext() throws {
    let first = try live()
    #expect(first.status == .exited(0))
    #expect(try usual(first) == [50])
    for _ in 0..<5 {
      try age(days: 1)
      _ = try live("--seed", "7")
    }
    let learned = try baseline()
    #expect(learned["origin"]?.text == "learned" && learned["days"]?.number == 6)
    #expect(learned["maturity"]?.number == 0.2)
    let value = try #require(learned["baseline_rmssd_ms"]?.number)
    let own = try #require(learned["learned_rmssd_ms"]?.number)
    let weight = try #require(learned["weight"]?.number)
    let minutes = try #require(learned["resting_windows"]?.number)
    // T / (T + Sd / n + Sm / m), blended as logarithms.
    #expect(abs(weight - 0.25 / (0.25 + 0.0625 / 6 + 0.05 / minutes)) < 1e-9)
    #expect(abs(value / 50 - pow(own / 50, weight)) < 1e-9)
    #expect(try #require(learned["normal_rmssd_low_ms"]?.number) <= own)
    let percent = Int((100 * weight).rounded())
    let rest = percent < 95 ? " (\(percent) %) and the population default" : ""
    #expect(try home.run("baseline").output.contains("estimated from 6 days\(rest)\n"))
    let next = try live()
    #expect(try usual(next) == [value])
    #expect(try !next.json().of(type: "measurement").contains { $0["level_low"] != nil })
    #expect(try first.json().of(type: "measurement").last?["level_high"]?.number ?? 0 > 0)
    let explained = try home.run("explain", "--hrv", "20", "--hr", "90")
    #expect(explained.output.contains("estimated from 6 days"))
    // Recomputing from the stored beats gives identical bits. (The sixth day has grown since.)
    let today = try baseline()
    #expect(try baseline("recompute") == today)
  }

  @Test func aManualBaselineIsKeptUntilItIsRecomputed() throws {
    _ = try live()
    let set = try home.run("baseline", "set", "--rmssd", "42", "--resting-hr", "55.5")
    #expect(set.status == .exited(0) && set.output.contains("set manually"))
    #expect(try baseline()["baseline_rmssd_ms"]?.number == 42)
    let stored = try home.run("explain", "1")
    #expect(
      stored.output.contains("Measured against RMSSD 50.0 ms and 60.0 bpm, population default")
    )
    #expect(try baseline("recompute")["origin"]?.text == "learned")
    #expect(try baseline("reset")["origin"]?.text == "prior")
    #expect(try baseline()["origin"]?.text == "prior")
    #expect(try baseline("recompute")["days"]?.number == 1)
  }

  @Test(arguments: [true, false])
  func aHistoryOfAnOlderVersionIsUsed(byReader: Bool) throws {
    _ = try live()
    _ = try home.run("baseline", "set", "--rmssd", "42")
    try home.makeHistoryOlder()
    if byReader {
      let shown = try home.run("baseline", "--json")
      #expect(shown.status == .exited(0) && shown.errors.isEmpty)
      #expect(try shown.json().first?["baseline_rmssd_ms"]?.number == 42)
    }
    let next = try live()
    #expect(next.status == .exited(0) && next.diagnostics.isEmpty)
    #expect(try usual(next) == [42])
  }

  @Test func aReplayUsesTheRecordedBaseline() throws {
    let live = try live("--record", home.file("then.jsonl"))
    _ = try home.run("baseline", "set", "--rmssd", "99")
    let replay = try home.shell("$stressmon replay --speed max --json then.jsonl")
    #expect(replay.status == .exited(0) && replay.output == live.output)
    let today = try home.shell("$stressmon replay --speed max --json --use-baseline then.jsonl")
    #expect(try usual(today) == [99])
  }

  @Test(arguments: [
    (["set"], "--rmssd, --sdnn or --resting-hr"), (["set", "--rmssd", "0"], "'--rmssd 0.0' is out of range"),
    (["set", "--sdnn", "nan"], "is out of range"), (["set", "--resting-hr", "inf"], "is out of range"),
    (["set", "--rmssd", "much"], "much"), (["forget"], "forget"),
  ])
  func invalidInputIsReported(arguments: [String], words: String) throws {
    let outcome = try home.start(["baseline"] + arguments).outcome()
    #expect(outcome.status == .exited(64) && outcome.errors.contains(words))
    #expect(!exists(home.database))
  }

  @Test func anUnknownProfileIsAnError() throws {
    _ = try live()
    for command in ["show", "reset", "recompute"] {
      let outcome = try home.run("baseline", command, "--profile", "nobody")
      #expect(outcome.status == .exited(1) && outcome.output.isEmpty)
      #expect(outcome.errors.contains("there is no profile 'nobody', only: me."))
    }
    #expect(try baseline()["origin"]?.text == "learned")
  }

  @Test func aHistoryThatCannotBeWrittenIsReported() throws {
    _ = try live()
    let before = try baseline()
    try Database(home.database).run("PRAGMA wal_checkpoint(TRUNCATE)")
    for command in [["set", "--rmssd", "42"], ["reset"], ["recompute"]] {
      let outcome = try home.start(["baseline"] + command + ["--db", "/proc/none.db"]).outcome()
      #expect(outcome.status == .exited(1) && outcome.errors.contains("/proc/none.db"))
    }
    #expect(try baseline() == before)
  }
}
