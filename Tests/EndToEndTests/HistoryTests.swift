import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct HistoryTests {
  private let quick = ["--simulate", "--speed", "max", "--duration", "90"]

  @Test func measurementsAreListedAndExplained() throws {
    let home = try Home()
    let live = try home.start(["live", "--json"] + quick).outcome()
    let stored = try home.run("history", "--json").json()
    // One every ten seconds from the first score on, the latest last.
    #expect((5...7).contains(stored.count))
    let shown = try live.json().of(type: "measurement")
    for row in stored {
      let same = try #require(shown.first { $0["monotonic_s"] == row["monotonic_s"] })
      for key in [
        "time", "session", "profile", "stress", "category", "confidence", "confidence_factors", "rmssd_ms",
        "sdnn_ms",
        "mean_nn_ms", "mean_hr_bpm", "pnn50_percent", "beats", "coverage", "window_s",
      ] { #expect(row[key] == same[key], "\(key)") }
    }
    // The rows follow the headings, the day and the session.
    let table = try home.run("history", "--measurements")
    #expect(table.lines.count == stored.count + 3)
    let csv = try home.run("history", "--csv").output.split(separator: "\r\n")
    #expect(csv.count == stored.count + 1)
    let names = csv[0].split(separator: ",").map(String.init)
    for (row, json) in zip(csv.dropFirst(), stored) {
      let cells = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      #expect(cells.count == names.count)
      for (name, cell) in zip(names, cells) {
        let value = json[name] ?? json["confidence_factors"]?[String(name.dropFirst("confidence_".count))]
        #expect(
          value?.text ?? value?.number.map { $0.description } ?? "" == cell || Double(cell) == value?.number)
      }
    }

    let id = try #require(stored.last?["id"]?.number.map { Int($0) })
    let explanation = try home.run("explain", "\(id)")
    #expect(explanation.status == .exited(0))
    #expect(explanation.output.contains("Measurement \(id) of 'me'"))
    #expect(explanation.output.contains("baselineHRV"))
    let json = try JSONValue(try home.run("explain", "\(id)", "--json").output)
    #expect(json["stress"] == stored.last?["stress"])
    #expect(json["confidence"] == stored.last?["confidence"])
  }

  @Test func anEmptyHistoryIsReportedWithTheNextCommand() throws {
    let home = try Home()
    for arguments in [["history"], ["history", "--sessions"]] {
      let history = try home.start(arguments).outcome()
      #expect(history.status == .exited(0))
      #expect(history.output.contains("is stored in \(home.database) yet. Start one with: stressmon measure"))
      #expect(try home.start(arguments + ["--json"]).outcome().output.isEmpty)
    }
    // A command that reads creates no file.
    #expect(!exists(home.file("data")))
    let explain = try home.run("explain", "3")
    #expect(explain.status == .exited(1))
    #expect(explain.errors.contains("there is no measurement 3"))
    let replay = try home.run("replay", "--session", "01K")
    #expect(replay.status == .exited(1))
    #expect(replay.errors.contains("no session ID of 'me' begins with '01K'"))
    #expect(replay.errors.contains("stressmon history --sessions"))
  }

  @Test func profilesAreSeparate() throws {
    let home = try Home()
    try home.add(profiles: "anna")
    #expect(try home.start(["live", "--profile", "anna"] + quick).outcome().status == .exited(0))
    #expect(try home.run("history", "--json").output.isEmpty)
    let annas = try home.run("history", "--json", "--profile", "anna").json()
    #expect(!annas.isEmpty && annas.allSatisfy { $0["profile"]?.text == "anna" })
    #expect(try home.run("config", "set", "profile", "anna").status == .exited(0))
    #expect(try home.run("history", "--json").json() == annas)
  }

  @Test func theDatabasePathIsConfigurable() throws {
    let home = try Home()
    func sessions(_ arguments: [String] = [], _ environment: [String: String] = [:]) throws -> Int {
      try home.start(["history", "--sessions", "--json"] + arguments, with: environment).outcome().lines.count
    }
    _ = try home.start(["live", "--db", home.file("a.db")] + quick).outcome()
    _ = try home.start(["live"] + quick, with: ["STRESSMON_DB": home.file("b.db")]).outcome()
    #expect(try home.run("config", "set", "database", "~/c.db").status == .exited(0))
    _ = try home.start(["live"] + quick).outcome()
    _ = try home.start(["live"] + quick).outcome()
    #expect(!exists(home.database))
    for name in ["a.db", "b.db", "c.db"] { #expect(exists(home.file(name))) }
    #expect(try sessions() == 2)
    // The environment takes precedence over the configuration, and the command line over both.
    #expect(try sessions([], ["STRESSMON_DB": home.file("b.db")]) == 1)
    let missing = try home.run(
      "history", "--db", home.file("none.db"), with: ["STRESSMON_DB": home.file("b.db")])
    #expect(missing.status == .exited(1) && missing.errors.contains("there is no such file"))
  }

  @Test func theDatabaseIsReadableByItsOwnerOnly() throws {
    let home = try Home()
    _ = try home.shell("umask 000; \"$stressmon\" live --simulate --speed max --duration 40")
    var status = stat()
    #expect(stat(home.database, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(stat(home.file("data/stressmon"), &status) == 0 && status.st_mode & 0o777 == 0o700)
  }

  @Test func aSecondRunForAProfileReportsTheHolderOfTheLock() throws {
    let home = try Home()
    let first = try home.start(["live", "--json", "--simulate"])
    try first.wait(for: 1, "notification")
    let second = try home.start(["live"] + quick).outcome()
    #expect(second.status == .exited(1))
    #expect(
      second.errors.contains(
        "profile 'me' is in use: process \(first.processID) measures for profile 'me' since"))
    #expect(second.errors.contains("kill -INT \(first.processID)"))
    try home.add(profiles: "anna")
    // The lock does not affect other profiles, or sessions that are not stored.
    #expect(try home.start(["live", "--profile", "anna"] + quick).outcome().status == .exited(0))
    #expect(try home.start(["live", "--no-store"] + quick).outcome().status == .exited(0))
    #expect(try home.run("history", "--json").status == .exited(0))
    first.signal(SIGKILL)
    try first.waitForExit()
    #expect(try home.start(["live"] + quick).outcome().status == .exited(0))
  }

  @Test func explainShowsTheFormulaWithTheGivenValues() throws {
    let home = try Home()
    for (hrv, rate, stress) in [
      ("50", "60", 0), ("50", "100", 17.7), ("20", "90", 61.5), ("0", "60", 70), ("50", "200", 26.0),
    ] {
      let json = try JSONValue(try home.run("explain", "--hrv", hrv, "--hr", rate, "--json").output)
      #expect(((json["stress"]?.number ?? -1) * 10).rounded() / 10 == stress)
    }
    let wrong = try home.run("explain", "--hrv", "nan", "--hr", "60")
    #expect(wrong.status == .exited(3))
    #expect(wrong.errors.contains("HRV"))
    #expect(try home.run("explain", "--hrv", "20", "--hr", "0").status == .exited(3))
  }
}
