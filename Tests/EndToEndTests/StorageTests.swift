import TestSupport
import Testing

/// Regression: `--no-store` changes what is stored, and neither the results nor the truth of a message.
@Suite(.ownThreads) struct StorageTests {
  private static let simulated = ["--simulate", "--seed", "7", "--speed", "max"]

  /// A person whose usual values differ from the population default.
  private func person() throws -> Home {
    let home = try Home()
    _ = try home.run("baseline", "set", "--rmssd", "90", "--sdnn", "100", "--resting-hr", "48")
    return home
  }

  /// The lines of a run, without what differs from run to run: times, IDs and versions.
  private static func results(_ outcome: Outcome) throws -> [[String: JSONValue]] {
    try outcome.json().map { line in
      var values: [String: JSONValue] = [:]
      for key in [
        "type", "stress", "stress_low", "stress_high", "category", "confidence", "rmssd_ms", "rr_ms",
        "rmssd_ratio", "changed", "origin",
      ] { values[key] = line[key] }
      return values
    }
  }

  @Test(
    "Results do not depend on storing",
    arguments: [
      ["measure"], ["live", "--duration", "90"], ["breathe", "--before", "30s", "--cycles", "2"], ["morning"],
    ])
  func results(command: [String]) throws {
    let home = try person()
    let arguments = command + Self.simulated + ["--json"]
    let unstored = try home.start(arguments + ["--no-store"]).outcome()
    let stored = try home.start(arguments).outcome()
    #expect(unstored.status == .exited(0) && stored.status == .exited(0), "\(unstored.errors)")
    let results = try Self.results(stored)
    #expect(try Self.results(unstored) == results && !results.isEmpty)
    #expect(try home.run("history", "--sessions", "--json").lines.count == 1)
  }

  @Test("A recording contains the baseline of the person, stored or not")
  func recordedBaseline() throws {
    let home = try person()
    for (name, options) in [("a", []), ("b", ["--no-store"])] {
      let file = home.file("\(name).jsonl")
      _ = try home.start(["record", file, "--duration", "40"] + Self.simulated + options).outcome()
      let header = try #require(home.contents("\(name).jsonl")?.split(separator: "\n").first)
      #expect(header.contains("manual"), "\(header)")
    }
  }

  @Test(
    "With --no-store, no command says that something is stored",
    arguments: [
      ["measure"], ["live", "--duration", "90"], ["breathe", "--before", "30s", "--cycles", "2"], ["morning"],
      ["calm", "--minutes", "1"],
    ])
  func messages(command: [String]) throws {
    let home = try person()
    let outcome = try home.start(command + Self.simulated + ["--no-store"]).outcome()
    #expect(outcome.status == .exited(0))
    let text = outcome.output + outcome.errors
    for claim in ["Stored", "is stored. ", "It is stored", "stressmon show "] {
      #expect(!text.contains(claim), "\(claim): \(text)")
    }
  }
}
