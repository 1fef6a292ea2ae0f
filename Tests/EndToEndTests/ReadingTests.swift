import Glibc
import HeartRate
import TestSupport
import Testing

/// Regression: `measure` prints one value, and every other command has exactly that value.
@Suite(.ownThreads) struct ReadingTests {
  /// Keys that `measure --json` and `history --json` have in common.
  private static let shared = [
    "time", "monotonic_s", "session", "profile", "window_s", "beats", "mean_nn_ms", "mean_hr_bpm", "sdnn_ms",
    "rmssd_ms", "pnn50_percent", "artefact_percent", "coverage", "sensor_class", "stress", "stress_low",
    "stress_high", "stress_range_low", "stress_range_high", "category", "confidence",
    "confidence_factors",
  ]

  @Test(
    "Thirty simulated mornings: printed values, history, trends, status and export agree to the last digit")
  func thirtyMornings() throws {
    let home = try Home(zone: Home.earlyZone)
    let series = ["measure", "--simulate", "--speed", "max", "--every", "1d", "--count", "30", "--json"]
    let outcome = try home.start(series).outcome()
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    let printed = try outcome.json()
    #expect(printed.count == 30 && Set(printed.compactMap { $0["rmssd_ms"]?.number }).count == 30)

    let stored = try home.run("history", "--json", "--limit", "99").json()
    #expect(stored.count == 30)
    // The baseline is young in the first mornings only.
    #expect(stored.first?["level_low"]?.number != nil && stored.last?["level_low"] == .null)
    for (printed, stored) in zip(printed, stored) {
      for key in Self.shared { #expect(printed[key] == stored[key] && stored[key] != nil, "\(key)") }
      for key in ["level_low", "level_high"] {
        #expect(printed[key]?.number == stored[key]?.number, "\(key)")
      }
      #expect(stored["reading"] == JSONValue.bool(true) && stored["usable"] == JSONValue.bool(true))
    }

    let days = try home.run("trends", "--month", "--json").json().filter { $0["step"]?.text == "day" }
    #expect(days.count == 30)
    for (printed, day) in zip(printed, days) {
      #expect(day["usable"]?.number == 1 && day["measurements"]?.number == 1)
      #expect(day["confidence"] == printed["confidence"])
      for kind in ["mean", "min", "max"] {
        #expect(day["stress_\(kind)"] == printed["stress"])
        #expect(day["rmssd_\(kind)_ms"] == printed["rmssd_ms"])
        #expect(day["unpaced_rmssd_\(kind)_ms"] == printed["rmssd_ms"])
        #expect(day["stress_low_mean"] == printed["stress_low"])
        #expect(day["stress_high_mean"] == printed["stress_high"])
        #expect(day["sdnn_\(kind)_ms"] == printed["sdnn_ms"])
        #expect(day["hr_\(kind)_bpm"] == printed["mean_hr_bpm"])
      }
    }

    let status = try #require(try home.run("status", "--json").json().first)
    for key in ["time", "stress", "category", "confidence", "mean_hr_bpm"] {
      #expect(status[key] == printed.last?[key], "\(key)")
    }
    #expect(status["hrv_ms"] == printed.last?["rmssd_ms"])

    let copy = home.file("copy.db")
    #expect(try home.run("export", "--all", "--output", copy).status == .exited(0))
    #expect(try home.run("history", "--json", "--limit", "99", "--db", copy).json() == stored)
    for printed in printed {
      let session = try #require(printed["session"]?.text)
      let file = home.file("\(session).jsonl")
      let export = try home.run("export", "--format", "jsonl", "--session", session, "--output", file)
      #expect(export.status == .exited(0))
      let replay = try home.run("replay", file, "--speed", "max", "--json")
      // A replay also contains the strap.
      var last = try #require(try replay.json().of(type: "measurement").last).members
      last["strap"] = nil
      // The normal range depends on the history, and is printed for readings only. The strap of a replay is the simulated one.
      #expect(last == printed.members.filter { !$0.key.hasPrefix("normal_") && $0.key != "simulated" })
    }
  }

  @Test(
    "A series of simulated readings has the times of its interval, whatever its speed, and ends now",
    arguments: [
      (["--speed", "max", "--every", "15m", "--count", "4"], 900),
      (["--speed", "100", "--every", "20m", "--count", "2"], 1200),
    ])
  func timesOfASeries(pace: [String], interval: Int) throws {
    let home = try Home()
    let before = wallTime()
    let outcome = try home.start(["measure", "--simulate", "--json"] + pace).outcome()
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    let sessions = try home.run("history", "--sessions", "--json").json()
    let begun = try sessions.map { try #require($0["time"]?.text.flatMap { WallTime(rfc3339: $0) }) }
    let apart = zip(begun, begun.dropFirst()).map { $1.microseconds - $0.microseconds }
    #expect(!apart.isEmpty && apart.allSatisfy { $0 == Int64(interval) * 1_000_000 })
    let times = try outcome.json().map { try #require($0["time"]?.text.flatMap { WallTime(rfc3339: $0) }) }
    for (start, time) in zip(begun, times) {
      #expect((60...70).contains((time.microseconds - start.microseconds) / 1_000_000))
    }
    let last = try #require(times.last)
    #expect(last.microseconds <= wallTime().microseconds)
    #expect(last.microseconds > before.microseconds - 10_000_000)
  }

  @Test("A single reading stores one measurement, marked, and all of its beats")
  func oneReading() throws {
    let home = try Home()
    let printed = try #require(try home.run("measure", "--simulate", "--speed", "max", "--json").json().first)
    let stored = try home.run("history", "--json", "--limit", "99").json()
    #expect(stored.count == 1 && stored.first?["reading"] == JSONValue.bool(true))
    for key in Self.shared { #expect(stored.first?[key] == printed[key], "\(key)") }
    #expect(try home.run("history", "--sessions", "--json").json().first?["events"]?.number ?? 0 > 60)
    // The measurements of a session are not marked as readings.
    try home.add(profiles: "anna")
    _ = try home.run("live", "--simulate", "--speed", "max", "--duration", "90", "--profile", "anna")
    let samples = try home.run("history", "--json", "--profile", "anna").json()
    #expect(samples.count > 3 && samples.allSatisfy { $0["reading"] == JSONValue.bool(false) })
  }

  @Test("A reading shorter than 30 s is a usage error")
  func shortReadings() throws {
    let home = try Home()
    let short = try home.run("measure", "--simulate", "--speed", "max", "--duration", "10s")
    #expect(short.status == .exited(64) && short.errors.contains("expected 30s to 1h"))
    #expect(short.errors.contains("a stress value requires at least 30 s of beats"))
    let least = try home.run("measure", "--simulate", "--speed", "max", "--duration", "30s", "--json")
    #expect(try least.json().first?["stress"]?.number != nil && least.status == .exited(0))
  }

  @Test("The comparison of HRV with the range at rest excludes paced breathing")
  func pacedBreathing() throws {
    let home = try Home()
    _ = try home.run("breathe", "--simulate", "--speed", "max", "--pattern", "coherent", "--minutes", "5")
    let stored = try home.run("history", "--json", "--limit", "99").json()
    let rest = stored.filter { $0["paced"] == JSONValue.bool(false) && $0["usable"] == JSONValue.bool(true) }
    #expect(!rest.isEmpty && rest.count < stored.count)
    let whole = try #require(try home.run("trends", "--json").json().last)
    let rmssd = rest.compactMap { $0["rmssd_ms"]?.number }
    let mean = rmssd.reduce(0, +) / Double(rmssd.count)
    #expect(abs(try #require(whole["unpaced_rmssd_mean_ms"]?.number) - mean) < 1e-9)
    #expect(whole["unpaced_rmssd_mean_ms"] != whole["rmssd_mean_ms"])
    let table = try home.run("trends").lines.first { $0.hasPrefix("all ") }
    #expect(try #require(table).contains(" \(Int(mean.rounded())) "))
  }
}
