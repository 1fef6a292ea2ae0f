import Glibc
import TestSupport
import Testing

/// Imports and exports that are killed.
@Suite(.ownThreads) struct KilledTransferTests {
  @Test("A killed import is complete or has no effect, and a killed export leaves a complete file or none")
  func killed() throws {
    let home = try Home()
    var random = SeededGenerator(seed: 5)
    let text = (0..<20_000).map { _ in "\(Int.random(in: 780...860, using: &random))\n" }.joined()
    try home.folder.write(text, to: "long.txt")
    let load = ["import", home.file("long.txt"), "--at", "2026-11-01T08:00"]
    let began = monotonicSeconds()
    #expect(try home.start(load + ["--db", home.file("first.db")]).outcome().status == .exited(0))
    let length = monotonicSeconds() - began
    let whole = try counts(home.file("first.db"))
    for round in 0..<8 {
      let program = try home.start(load)
      usleep(UInt32(length * Double.random(in: 0.1...1.1, using: &random) * 1e6))
      program.signal(SIGKILL)
      _ = try program.outcome()
      guard exists(home.database) else { continue }
      let counts = try counts(home.database)
      #expect(counts == whole || counts.allSatisfy { $0 == "0" }, "round \(round)")
    }
    #expect(try home.start(load).outcome().status == .exited(0))
    #expect(try counts(home.database) == whole)

    let target = home.file("long.csv")
    for _ in 0..<5 {
      let program = try home.start(["export", "--format", "csv", "--output", target, "--force"])
      usleep(UInt32(length * Double.random(in: 0.05...0.6, using: &random) * 1e6))
      program.signal(SIGKILL)
      _ = try program.outcome()
      if let lines = home.contents("long.csv") { #expect(lines.utf8.count { $0 == 10 } == 20_001) }
    }
  }

  /// The numbers of sessions, events and measurements; 0 before the tables exist.
  private func counts(_ path: String) throws -> [String] {
    let database = try Database(path)
    #expect(try database.run("PRAGMA integrity_check") == ["ok"])
    guard try database.run("SELECT count(*) FROM sqlite_master WHERE name = 'import'") == ["1"] else {
      return ["0", "0", "0", "0"]
    }
    return try ["session", "session_event", "measurement", "import"].map {
      try database.run("SELECT count(*) FROM \($0)").first ?? ""
    }
  }
}
