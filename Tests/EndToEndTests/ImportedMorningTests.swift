import Foundation
import TestSupport
import Testing

/// Recordings of other programs as morning readings (`import --as morning`), and trends of any days.
@Suite(.ownThreads) struct ImportedMorningTests {
  private let home: Home

  init() throws {
    home = try Home()
    for day in 1...6 { try write(day, seconds: 61) }
    try write(7, seconds: 20)
  }

  /// Writes the RR intervals of a heart at rest that breathes 12 times a minute, as Elite HRV names its files.
  private func write(_ day: Int, seconds: Double) throws {
    var random = SeededGenerator(seed: UInt64(day))
    var (time, text) = (0.0, "")
    while time < seconds * 1000 {
      let rr = (960 + 45 * sin(time / 5000 * 2 * .pi) + .random(in: -25...25, using: &random)).rounded()
      time += rr
      text += "\(Int(rr))\n"
    }
    _ = try home.folder.write(text, to: "2026-06-0\(day) 07-30-00.txt")
  }

  private func imported(_ options: String) throws -> Outcome {
    try home.shell("\"$stressmon\" import 2026-06-*.txt --json \(options)")
  }

  private func mornings() throws -> [JSONValue] { try home.run("history", "--morning", "--json").json() }

  @Test func recordingsBecomeMorningsAlsoIfTheyAreInTheHistory() throws {
    let shown = try imported("--as morning --dry-run").json()
    #expect(shown.compactMap { $0["morning"]?["day"]?.text } == (1...6).map { "2026-06-0\($0)" })
    #expect(!exists(home.database))

    #expect(try imported("").status == .exited(0))
    #expect(try mornings().isEmpty)
    let again = try imported("--as morning").json()
    #expect(again.allSatisfy { $0["outcome"]?.text == "known" })
    #expect(again.last?["morning"] == .null)
    let stored = try mornings()
    #expect(stored.count == 6 && stored.allSatisfy { $0["counted"]?.bool == true })
    #expect(
      Set(stored.compactMap { $0["rmssd_ms"]?.number })
        == Set(again.compactMap { $0["morning"]?["rmssd_ms"]?.number }))
    _ = try imported("--as morning --posture sitting")
    #expect(try mornings() == stored)
  }

  @Test func aNewReadingIsStoredInTheGivenPosture() throws {
    _ = try imported("--as morning --posture sitting")
    #expect(try mornings().allSatisfy { $0["posture"]?.text == "sitting" })
    let plain = try home.shell("\"$stressmon\" import 2026-06-07*.txt --as morning")
    #expect(plain.output.contains("no morning reading, which is 50 s to 15 min long: this session has"))
    let refused = try home.run("import", "x", "--posture", "sitting")
    #expect(refused.status == .exited(64) && refused.errors.contains("--posture requires --as morning"))
  }

  @Test func trendsShowAnyDays() throws {
    _ = try imported("--as morning")
    let days = try home.run("trends", "--from", "2026-06-01", "--to", "2026-06-07", "--json").json()
    #expect(days.count == 8 && days[0]["from"]?.text == "2026-06-01T00:00:00.000000Z")
    #expect(days.last?["step"]?.text == "whole" && days.last?["to"]?.text == "2026-06-08T00:00:00.000000Z")
    #expect(days.prefix(6).allSatisfy { $0["rmssd_mean_ms"]?.number ?? 0 > 0 })
    let steps = try ["2026-06-01": "hour", "2026-06": "hour", "2026-05": "day", "2026": "week"].map {
      try home.run("trends", "--from", $0, "--to", "2026-06-01", "--json").json()[0]["step"]?.text == $1
    }
    #expect(steps == [true, true, true, true])
    // Without --from, the seven days up to --to.
    let week = try home.run("trends", "--to", "2026-06-07", "--json").json()
    #expect(week.map { $0["from"] } == days.map { $0["from"] })
    let mornings = try home.run("trends", "--morning", "--from", "2026-06", "--to", "2026-06", "--json")
      .json()
    #expect(mornings.count { $0["rmssd_ms"]?.number != nil } >= 6)
    for (arguments, message) in [
      (["--today", "--week"], "exclude each other"),
      (["--from", "2026-06", "--month"], "exclude each other"),
      (["--from", "2026-06-02", "--to", "2026-06-01"], "--from is not before --to"),
      (["--from", "1990"], "more than 20 years apart"),
    ] {
      let refused = try home.start(["trends"] + arguments).outcome()
      #expect(refused.status == .exited(64) && refused.errors.contains(message), "\(refused.errors)")
    }
  }
}
