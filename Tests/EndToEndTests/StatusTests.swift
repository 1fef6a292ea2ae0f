import FakeBlueZ
import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct StatusTests {
  @Test func anEmptyHistoryIsReportedAndNoFileIsCreated() throws {
    let home = try Home()
    let status = try home.run("status")
    #expect(status.status == .exited(0))
    #expect(status.output == "no measurement yet: stressmon measure\n")
    let json = try JSONValue(try home.run("status", "--json").output)
    #expect(json["state"]?.text == "nothing" && json["stress"] == .null)
    let waybar = try JSONValue(try home.run("status", "--format", "waybar").output)
    #expect(waybar["class"]?.text == "none" && waybar["percentage"] == nil)
    #expect(!exists(home.file("data")))
  }

  @Test func aSessionIsReportedAsLiveUntilItEnds() throws {
    let air = try Air()
    let strap = air.strap()
    let watch = try air.home.start(["status", "--watch"])
    try watch.waitForLine { $0.hasPrefix("no measurement") }
    let live = try air.live(strap)
    // At the rate of the beats: lost or duplicate notifications would make the values unusable.
    let rest = (0..<3000).map { UInt16(SteppedIntervals.interval($0, mean: 900, step: 30)) }
    strap.stream(beats(rest), rate: 1024 / 900)
    // The first stress value comes after 30 s, without another command.
    try watch.waitForLine { $0.hasSuffix("now") && !$0.hasPrefix("collecting") }
    let waybar = try waybarWithStress(air.home)
    #expect(["relaxed", "mild", "moderate", "high"].contains(waybar["class"]?.text))
    #expect(waybar["alt"] == waybar["class"] && waybar["percentage"]?.number != nil)
    live.signal(SIGINT)
    _ = try live.waitForExit()
    try watch.waitForLine { $0.hasPrefix("(") && $0.hasSuffix(" ago)") }
    let ended = try JSONValue(try air.home.run("status", "--json").output)
    #expect(ended["state"]?.text == "ended" && ended["stale"] == .bool(true))
    let stored = try #require(try air.home.run("history", "--json", "--limit", "1").json().first)
    for key in ["time", "stress", "category", "confidence", "mean_hr_bpm"] {
      #expect(ended[key] == stored[key])
    }
    watch.signal(SIGINT)
    #expect(try watch.waitForExit() == .signalled(SIGINT))
  }

  /// The status once it contains a stress value, which takes another 30 s after a gap caused by load.
  private func waybarWithStress(_ home: Home) throws -> JSONValue {
    for _ in 0..<300 {
      let waybar = try JSONValue(try home.run("status", "--format", "waybar").output)
      if waybar["percentage"]?.number != nil, waybar["class"]?.text != "stale" { return waybar }
      sleep(1)
    }
    return try JSONValue(try home.run("status", "--format", "waybar").output)
  }

  @Test func followingEndsWhenThePipeIsClosed() throws {
    let home = try Home()
    let watch = try home.start(["status", "--watch"])
    try watch.waitForLine { !$0.isEmpty }
    watch.closeReader(of: .output)
    #expect(try watch.waitForExit() == .exited(0))
  }

  @Test func usageErrorsContainTheCorrection() throws {
    let home = try Home()
    let size = try home.run("status", "--format", "huge")
    #expect(size.status == .exited(64))
    #expect(size.errors.contains("small") && size.errors.contains("large"))
    #expect(try home.run("status", "--json", "--waybar").status == .exited(64))
    #expect(try home.run("status", "--json", "--format", "waybar").status == .exited(64))
    let former = try home.run("status", "--waybar")
    #expect(former.errors == "stressmon: --waybar is replaced by: --format waybar\n")
    try home.folder.write("no database at all", to: "text.db")
    let foreign = try home.run("status", "--db", home.file("text.db"))
    #expect(foreign.status == .exited(1) && foreign.output.isEmpty)
    #expect(foreign.errors.contains("text.db"))
  }
}

@Suite(.ownThreads) struct TrendsTests {
  private let quick = ["live", "--simulate", "--speed", "max", "--duration", "90"]

  /// Waits for the next hour near the end of an hour: a session at maximum speed has measurements up to five minutes ahead,
  /// and periods end with the current hour.
  private func waitForRoomInTheHour() {
    let passed = UInt32(time(nil) % 3600)
    if passed > 3600 - 300 { sleep(3600 - passed) }
  }

  @Test func theWholePeriodHasTheMeanOfTheHistory() throws {
    let home = try Home()
    waitForRoomInTheHour()
    #expect(try home.start(quick).outcome().status == .exited(0))
    let stress = try home.run("history", "--json").json().compactMap { $0["stress"]?.number }
    for period in ["--day", "--week", "--month", "--year"] {
      let lines = try home.run("trends", period, "--json").json()
      let whole = try #require(lines.last)
      #expect(whole["step"]?.text == "whole" && whole["simulated"] == .bool(true))
      #expect(whole["scored"]?.number == Double(stress.count))
      let mean = try #require(whole["stress_mean"]?.number)
      #expect(abs(mean - stress.reduce(0, +) / Double(stress.count)) < 1e-9)
      #expect(lines.dropLast().reduce(0) { $0 + ($1["scored"]?.number ?? 0) } == Double(stress.count))
    }
    let text = try home.run("trends", with: ["COLUMNS": "80"])
    #expect(text.output.contains("(simulated)"))
    #expect(text.lines.filter { !$0.contains(". ") && !$0.hasSuffix(".") }.allSatisfy { $0.count <= 80 })
    let ascii = try home.run("trends", with: ["LANG": "C"])
    #expect(ascii.output.utf8.allSatisfy { $0 < 128 })
  }

  @Test func tablesAreLimitedOnlyByATerminalOrCOLUMNS() throws {
    let home = try Home()
    #expect(try home.start(quick).outcome().status == .exited(0))
    let session = try #require(try home.run("history", "--sessions", "--json").json().first?["session"]?.text)
    for command in [
      ["trends", "--year", "--by", "day"], ["trends", "--month"], ["history"], ["history", "--sessions"],
      ["show", session], ["profile", "list"],
    ] {
      let wide = try home.start(command).outcome().output
      #expect(!wide.contains("…") && !wide.contains("~\n"), "\(command)")
    }
    let year = try home.run("trends", "--year", "--by", "day")
    #expect(year.lines.map(\.count).max() ?? 0 > 365)
    for command in [["history"], ["history", "--sessions"], ["show", session]] {
      let narrow = try home.start(command, with: ["COLUMNS": "40"]).outcome().lines
      #expect(narrow.allSatisfy { $0.count <= 40 }, "\(command): \(narrow)")
    }
  }

  @Test func aPlotIsPrivateAndReplacedOnlyWithForce() throws {
    let home = try Home()
    #expect(try home.start(quick).outcome().status == .exited(0))
    let first = try home.run("trends", "--plot", home.file("week.svg"))
    #expect(first.status == .exited(0) && first.errors.contains("week.svg"))
    #expect(home.contents("week.svg")?.hasPrefix("<?xml") == true)
    var status = stat()
    #expect(stat(home.file("week.svg"), &status) == 0 && status.st_mode & 0o777 == 0o600)
    let again = try home.run("trends", "--plot", home.file("week.svg"))
    #expect(again.status == .exited(1) && again.output.isEmpty)
    #expect(try home.run("trends", "--plot", home.file("week.svg"), "--force").status == .exited(0))
    #expect(try home.run("trends", "--force").status == .exited(64))
    #expect(try home.run("trends", "--plot", home.file("week.jpg")).status == .exited(64))
    let mornings = home.file("mornings.svg")
    _ = try home.run("morning", "--simulate", "--speed", "max", "--plot", mornings)
    let picture = try #require(home.contents("mornings.svg"))
    #expect(picture.contains("HRV (RMSSD) of each morning") && picture.contains("<circle"))
    #expect(try home.run("trends", "--morning", "--plot", mornings).status == .exited(1))
    // An existing file is reported before the reading.
    let refused = try home.run("morning", "--simulate", "--speed", "max", "--plot", mornings)
    #expect(refused.status == .exited(1) && !refused.errors.contains("connect"), "\(refused.errors)")
    #expect(home.contents("mornings.svg") == picture)
  }

  @Test("A PNG is complete or absent, and a missing renderer is reported with its package")
  func portableNetworkGraphics() throws {
    let home = try Home()
    #expect(try home.start(quick).outcome().status == .exited(0))
    let path = home.file("week.png")
    let missing = try home.run("trends", "--plot", path, with: ["PATH": "/nowhere"])
    #expect(missing.status == .exited(1) && missing.errors.contains("apt install librsvg2-bin"))
    #expect(!exists(path))
    // The former options, which are replaced by --plot.
    let both = try home.run("trends", "--png", path, "--svg", home.file("week.svg"))
    #expect(both.status == .exited(0) && both.errors.contains("week.svg") && both.errors.contains("week.png"))
    #expect(both.errors.contains("--svg is replaced by: --plot "))
    #expect(try home.run("trends", "--plot", path).errors.contains("add --force to replace it"))
    // The existing file is kept if the new one cannot be drawn.
    let drawn = home.contents("week.png")
    #expect(drawn?.contains("IHDR") == true)
    #expect(
      try home.run("trends", "--plot", path, "--force", with: ["PATH": "/nowhere"]).status == .exited(1))
    #expect(home.contents("week.png") == drawn)
  }

  @Test(
    "Commands do not crash for any numbers in a damaged history",
    arguments: [
      "UPDATE quarter_hour SET measurements = 9223372036854775807, beats = 9223372036854775807, relaxed = 9223372036854775807",
      "UPDATE quarter_hour SET stress_sum = 9e999, stress_high = 1e308, rmssd_low = -1e308, hr_squares = -9e999",
      "UPDATE OR REPLACE quarter_hour SET mild = -9223372036854775808, stress_high = -1, quarter = 9223372036854775807",
      "UPDATE measurement SET stress = 9e999, rmssd_ms = 1e308, time_us = time_us - 20",
      "UPDATE measurement SET time_us = 9223372036854775807 - id",
      "UPDATE measurement SET time_us = -9223372036854775807",
    ])
  func damaged(sql: String) throws {
    let home = try Home()
    #expect(try home.start(quick).outcome().status == .exited(0))
    try Database(home.database).run(sql)
    for command in [
      ["status", "--format", "large"], ["status", "--json"], ["status", "--format", "waybar"],
      ["trends", "--day"],
      ["trends", "--year", "--json"], ["trends", "--plot", home.file("x.svg")],
      ["report", "--html", home.file("x.html")],
      ["report", "--json"],
    ] {
      let run = try home.start(command).outcome()
      #expect(run.status == .exited(0), "\(command): \(run.errors)")
    }
  }

  @Test func trendsOfAnEmptyHistoryAreReported() throws {
    let home = try Home()
    let trends = try home.run("trends", "--year")
    #expect(trends.status == .exited(0) && trends.output.contains("No stress value of 'me'"))
    #expect(try home.run("trends", "--day", "--week").status == .exited(64))
    #expect(try home.run("trends", "--details", "--json").status == .exited(64))
    #expect(try home.run("trends", "--day", "--by", "month").status == .exited(64))
  }
}
