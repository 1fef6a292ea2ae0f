import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct DeleteTests {
  private let quick = ["--simulate", "--speed", "max", "--duration", "90"]

  private func sessions(_ home: Home) throws -> [String] {
    try home.run("history", "--sessions", "--json").json().compactMap { $0["session"]?.text }
  }

  @Test func deletionListsTheDataAndRequiresConfirmation() throws {
    let home = try Home()
    #expect(
      try home.run("delete", "--all", "--yes").output.contains(
        "No matching data are stored in \(home.database)."))
    #expect(!exists(home.file("data")))
    for _ in 0..<3 { _ = try home.start(["live"] + quick).outcome() }
    let before = try sessions(home)
    let dry = try home.run("delete", "--session", before[0], "--dry-run")
    #expect(dry.status == .exited(0) && dry.output.hasPrefix("Would delete:\n  1 session\n"))
    let silent = try home.run("delete", "--session", before[0])
    #expect(silent.status == .exited(64) && silent.errors.contains("Add --yes"))
    #expect(try sessions(home) == before)

    // On a terminal, the command requests confirmation.
    func ask(_ answer: String) throws -> Outcome {
      try home.shell("echo \(answer) | script -qec \"'$stressmon' delete --session \(before[0])\" /dev/null")
    }
    #expect(try ask("no").output.contains("nothing was deleted"))
    #expect(try sessions(home) == before)
    #expect(try ask("y").output.contains("Deleted:"))
    #expect(try sessions(home) == Array(before.dropFirst()))

    let all = try JSONValue(try home.run("delete", "--all", "--yes", "--json").output)
    #expect(all["sessions"]?.number == 2 && all["deleted"] == .bool(true))
    #expect(try sessions(home).isEmpty)
    let gone = try home.run("delete", "--session", before[1], "--yes")
    #expect(gone.status == .exited(1) && gone.errors.contains("no session ID of 'me' begins with"))
  }

  @Test(arguments: [
    [], ["--all", "--today"], ["--session", "01K", "--all"], ["--session", "01K", "--week"],
    ["--dry-run", "--yes", "--all"],
    ["--category", "none"], ["--yes"],
  ])
  func ambiguousDeletionsAreRejected(arguments: [String]) throws {
    let home = try Home()
    #expect(try home.start(["delete"] + arguments).outcome().status == .exited(64))
  }

  @Test("Deletion skips a running session and deletes the others")
  func whileLive() throws {
    let home = try Home()
    _ = try home.start(["live"] + quick).outcome()
    try home.add(profiles: "anna")
    _ = try home.start(["live", "--profile", "anna"] + quick).outcome()
    let live = try home.start(["live", "--simulate", "--json", "--speed", "20"])
    let id = try #require(try live.wait(for: 5, "notification").first?["session"]?.text)
    // Waits until the first events are stored.
    while try !sessions(home).contains(id) { usleep(50_000) }
    let mine = try home.run("delete", "--session", id, "--yes")
    #expect(mine.status == .exited(1))
    #expect(
      mine.errors.contains(
        "session \(id) is running and was not deleted: profile 'me' is in use: process \(live.processID)"))
    let all = try home.run("delete", "--all", "--yes")
    #expect(all.status == .exited(1) && all.output.contains("profile 'anna' with all of its data"))
    #expect(try sessions(home) == [id])
    let seen = try live.wait(for: 40, "notification").count
    live.signal(SIGINT)
    try live.waitForExit()
    let shown = live.outputLines.count { $0.hasPrefix("{\"type\":\"notification\"") }
    let stored = try JSONValue(try home.run("show", id, "--json").output)
    #expect(stored["notifications"]?.number == Double(shown) && shown >= seen)
    #expect(try home.run("delete", "--session", id, "--yes").status == .exited(0))
    #expect(try sessions(home).isEmpty)
  }
}
