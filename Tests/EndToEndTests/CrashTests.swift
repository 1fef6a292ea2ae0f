import Glibc
import TestSupport
import Testing

/// `kill -9` during a session: all data except about the last second are stored.
@Suite(.ownThreads) struct CrashTests {
  /// Session seconds per second.
  private static let speed = 20.0

  @Test(arguments: 0..<6)
  func aKilledSessionLosesAtMostItsLastSeconds(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var lost = Double.infinity
    // One of four attempts must succeed: on a busy disk, a sync can take longer.
    for _ in 0..<4 where lost >= 3 { lost = try secondsLost(seed: seed, &generator) }
    #expect(lost < 3)
  }

  /// Kills a session, reads it back, and returns the missing wall-clock seconds at its end.
  private func secondsLost(seed: UInt64, _ generator: inout SeededGenerator) throws -> Double {
    let home = try Home()
    let path = home.file("session.jsonl")
    let command = seed.isMultiple(of: 2) ? ["live", "--record", path] : ["record", path]
    let program = try home.start(
      command + ["--json", "--simulate", "--seed", "\(seed)", "--speed", "\(Self.speed)"])
    try program.wait(for: Int.random(in: 1...120, using: &generator), "measurement")
    // A random moment between two beats.
    usleep(UInt32.random(in: 0...50_000, using: &generator))
    program.signal(SIGKILL)
    let killed = try program.outcome()
    #expect(killed.status == .signalled(SIGKILL))

    let recorded = try home.run("replay", path, "--speed", "max", "--json")
    #expect(recorded.status == .exited(0))
    #expect(
      recorded.errors.split(separator: "\n").allSatisfy {
        $0.hasSuffix("the last line is incomplete")
      })
    let unrecorded = try secondsMissing(of: killed, in: recorded)
    #expect(try home.run("analyze", path).status == .exited(0))

    let database = try Database(home.database)
    #expect(try database.run("PRAGMA integrity_check") == ["ok"])
    let row = try #require(home.run("history", "--sessions", "--json").json().first)
    let session = try #require(row["session"]?.text)
    #expect(row["outcome"] == .null && row["ended"] == .null)
    #expect(try home.run("history", "--sessions").output.contains("not ended"))
    let stored = try home.run("replay", "--session", session, "--speed", "max", "--json")
    #expect(stored.status == .exited(0))
    let unstored = try secondsMissing(of: killed, in: stored)

    // The next session marks this one as interrupted.
    #expect(try home.run("live", "--simulate", "--speed", "max", "--duration", "40").status == .exited(0))
    let rows = try home.run("history", "--sessions", "--json").json()
    #expect(rows.first { $0["session"]?.text == session }?["outcome"]?.text == "interrupted")
    return max(unrecorded, unstored)
  }

  /// Expects complete lines from the first on. Returns the wall-clock seconds from the last line to the kill.
  private func secondsMissing(of killed: Outcome, in kept: Outcome) throws -> Double {
    let shown = killed.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let read = kept.output.split(separator: "\n")
    // An event can be stored before it is printed.
    #expect(zip(shown, read).allSatisfy { $0 == $1 })
    let lastShown = try shown.last.flatMap { try JSONValue(String($0))["monotonic_s"]?.number } ?? 0
    let lastRead = try read.last.flatMap { try JSONValue(String($0))["monotonic_s"]?.number } ?? 0
    return (lastShown - lastRead) / Self.speed
  }

  /// `night` prints nothing before its end, so the lines of its live feed are compared with those that are stored.
  @Test func aKilledNightLosesAtMostItsLastSecond() throws {
    var lost = Double.infinity
    for seed in 1...4 as ClosedRange<UInt64> where lost >= 1 { lost = try secondsLostOfNight(seed: seed) }
    print("night: \(lost) s lost by kill -9")
    #expect(lost < 1)
  }

  private func secondsLostOfNight(seed: UInt64) throws -> Double {
    let home = try Home()
    let night = try home.start(["night", "--simulate", "--seed", "\(seed)", "--speed", "\(Self.speed)"])
    let reader = try home.start(["live", "--attach", "--json"])
    try reader.wait(for: 100, "measurement")
    night.signal(SIGKILL)
    #expect(try night.outcome().status == .signalled(SIGKILL))
    usleep(200_000)
    reader.signal(SIGTERM)
    let shown = try reader.outcome().output.split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast()
    let row = try #require(home.run("history", "--sessions", "--json").json().first)
    #expect(row["outcome"] == .null && row["ended"] == .null)
    let session = try #require(row["session"]?.text)
    let stored = try home.run("replay", "--session", session, "--speed", "max", "--json")
    #expect(stored.status == .exited(0))
    #expect(try Database(home.database).run("PRAGMA integrity_check") == ["ok"])
    let last = { (lines: [String]) in
      try lines.last.flatMap { try JSONValue($0)["monotonic_s"]?.number } ?? 0
    }
    return try (last(shown.map(String.init)) - last(stored.lines)) / Self.speed
  }

  @Test func aSessionKilledAtItsStartLeavesAReadableHistory() throws {
    let home = try Home()
    for delay in stride(from: 0, to: 60_000, by: 6_000) {
      let program = try home.start(["live", "--json", "--simulate", "--speed", "20"])
      usleep(UInt32(delay))
      program.signal(SIGKILL)
      try program.waitForExit()
      let history = try home.run("history", "--sessions")
      #expect(history.status == .exited(0), "\(history.errors)")
    }
    #expect(try home.run("live", "--simulate", "--speed", "max", "--duration", "40").status == .exited(0))
    #expect(try Database(home.database).run("PRAGMA integrity_check") == ["ok"])
  }
}
