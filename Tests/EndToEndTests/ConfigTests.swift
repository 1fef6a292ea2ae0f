import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct ConfigTests {
  @Test func getPrintsTheValueInForceAndUnsetRestoresTheDefault() throws {
    let home = try Home()
    #expect(try home.run("config", "get", "window").output == "60s\n")
    _ = try home.run("config", "set", "strap", "Polar H10")
    _ = try home.run("config", "set", "window", "2m")
    #expect(try home.run("config", "get", "window").output == "2m\n")
    #expect(try home.run("config", "get", "strap").output == "Polar H10\n")
    #expect(try home.run("config", "unset", "strap").status == .exited(0))
    #expect(home.contents("config/stressmon/config.toml") == "window = \"2m\"\n")
    let strap = try home.run("config", "get", "strap")
    #expect(
      strap.status == .exited(1)
        && strap.errors.contains("strap is not set. Example: stressmon config set strap"))
    #expect(try home.run("config", "unset", "strap").status == .exited(0))
    for command in ["get", "unset"] {
      let outcome = try home.run("config", command, "windw")
      #expect(
        outcome.status == .exited(64)
          && outcome.errors.contains("unknown setting 'windw' (config \(command))"))
    }
  }

  @Test func showStatesTheOriginOfEachValue() throws {
    let home = try Home()
    _ = try home.run("config", "set", "window", "2m")
    let lines = try home.run("config").output.split(separator: "\n").map {
      $0.split(separator: " ").prefix(3)
    }
    #expect(
      lines.contains { $0 == ["window", "2m", "file"] }
        && lines.contains { $0 == ["hrv", "rmssd", "default"] })
    #expect(lines.contains { $0 == ["strap", "-", "-"] })
    let named = try home.start(["config"], with: ["STRESSMON_DB": "/x/y.db"]).outcome()
    #expect(named.output.contains(/\/x\/y\.db +environment/))
  }

  /// A shorter window that is removed could make the readings of the service longer than their interval.
  @Test func unsetKeepsReadingsWithinTheInterval() throws {
    let home = try Home()
    for (key, value) in [("window", "30s"), ("service", "1m")] {
      _ = try home.run("config", "set", key, value)
    }
    #expect(try home.run("config", "unset", "window").status == .exited(64))
    #expect(try home.run("config", "get", "window").output == "30s\n")
  }

  @Test func settingsAreSetShownAndUsed() throws {
    let home = try Home()
    #expect(try home.run("config", "path").output == home.configuration + "\n")
    #expect(!exists(home.configuration))
    let set = try home.run("config", "set", "window", "2m")
    #expect(set.status == .exited(0))
    #expect(home.contents("config/stressmon/config.toml") == "window = \"2m\"\n")
    let shown = try JSONValue(try home.run("config", "show", "--json").output)
    #expect(shown["window"]?.text == "2m")
    #expect(shown["strap"] == .null)
    #expect(try home.run("config").output.contains(/window +2m/))
    let live = try home.run("live", "--json", "--simulate", "--speed", "max", "--duration", "30")
    #expect(try live.json().of(type: "measurement").allSatisfy { $0["window_s"]?.number == 120 })
    // The command line takes precedence.
    let other = try home.run(
      "live", "--json", "--simulate", "--speed", "max", "--duration", "30", "--window", "30s")
    #expect(try other.json().of(type: "measurement").allSatisfy { $0["window_s"]?.number == 30 })
  }

  @Test func storeEverySetsTheIntervalOfStoredMeasurements() throws {
    let home = try Home()
    #expect(try home.run("config", "set", "store-every", "30s").status == .exited(0))
    _ = try home.run("live", "--simulate", "--speed", "max", "--duration", "90")
    #expect((2...3).contains(try home.run("history", "--json").lines.count))
  }

  @Test func invalidSettingsAreReported() throws {
    let home = try Home()
    let value = try home.run("config", "set", "window", "3h")
    #expect(value.status == .exited(64))
    #expect(
      value.errors.contains("'3h' is not valid for window (config set); expected a duration from 30s to 5m."))
    #expect(value.errors.contains("Example: stressmon config set window 60s"))
    let key = try home.run("config", "set", "windw", "60s")
    #expect(key.status == .exited(64))
    #expect(
      key.errors.contains("unknown setting 'windw' (config set); the settings are: profile, window"))
    #expect(!exists(home.configuration))
  }

  @Test func aServiceIntervalShorterThanAReadingIsRejected() throws {
    let home = try Home()
    let short = try home.run("config", "set", "service", "1m")
    #expect(short.status == .exited(64))
    #expect(
      short.errors
        == "stressmon: a reading of 60s does not fit into an interval of 60s. Choose a longer interval: stressmon config "
        + "set service 2m; or a shorter window: stressmon config set window 30s\n")
    #expect(!exists(home.configuration))
    // The recommended commands succeed in either order.
    #expect(try home.run("config", "set", "service", "2m").status == .exited(0))
    #expect(try home.run("config", "set", "window", "2m").status == .exited(64))
    #expect(try home.run("config", "set", "window", "30s").status == .exited(0))
    #expect(try home.run("config", "set", "service", "1m").status == .exited(0))
    #expect(try home.run("config", "show", "--json").json()[0]["service"]?.text == "1m")
  }

  @Test(arguments: [
    ("window = \"60s\"\nprofile = \n", "line 2"), ("window = \"60s\"\nwindow = \"90s\"\n", "line 2"),
    ("window = \"9h\"\n", "'9h' is not valid for window"),
    ("[window]\nx = 1\n", "not valid for window"),
  ])
  func anInvalidFileIsReportedWithItsPath(text: String, words: String) throws {
    let home = try Home()
    mkdir(home.file("config"), 0o700)
    mkdir(home.file("config/stressmon"), 0o700)
    try home.folder.write(text, to: "config/stressmon/config.toml")
    for arguments in [
      ["config"], ["live", "--simulate", "--speed", "max", "--duration", "30"], ["history"], ["scan"],
      ["doctor"],
      ["config", "set", "hrv", "sdnn"],
    ] {
      let outcome = try home.start(arguments).outcome()
      #expect(outcome.status == .exited(3), "\(arguments)")
      #expect(outcome.errors.contains(home.configuration), "\(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
    #expect(home.contents("config/stressmon/config.toml") == text)
    // The path is printed nevertheless.
    #expect(try home.run("config", "path").status == .exited(0))
  }

  @Test("An unknown setting is ignored with one warning, and kept")
  func unknownSetting() throws {
    let home = try Home()
    mkdir(home.file("config"), 0o700)
    mkdir(home.file("config/stressmon"), 0o700)
    let text = "colour = \"red\"\nwindwo = \"2m\"\n"
    try home.folder.write(text, to: "config/stressmon/config.toml")
    let warning =
      "stressmon: the unknown setting 'windwo' in \(home.configuration) is ignored. Did you mean: window\n"
    for arguments in [
      ["status"], ["history"], ["config"], ["live", "--simulate", "--speed", "max", "--duration", "30"],
    ] {
      let outcome = try home.start(arguments).outcome()
      #expect(outcome.status == .exited(0) && !outcome.output.contains("windwo"), "\(outcome.errors)")
      #expect(
        outcome.errors.contains("'colour' in \(home.configuration) is ignored; the settings are: profile"))
      #expect(outcome.errors.split(separator: warning, omittingEmptySubsequences: false).count == 2)
    }
    #expect(try home.run("config", "set", "hrv", "sdnn").status == .exited(0))
    #expect(home.contents("config/stressmon/config.toml") == text + "hrv = \"sdnn\"\n")
  }

  @Test("A log level that does not exist is a usage error")
  func logLevel() throws {
    let home = try Home()
    let live = ["live", "--simulate", "--speed", "max", "--duration", "30"]
    let outcome = try home.start(live, with: ["STRESSMON_LOG": "bogus"]).outcome()
    #expect(outcome.status == .exited(64) && outcome.output.isEmpty)
    #expect(
      outcome.errors.contains("STRESSMON_LOG is 'bogus'; the levels are: trace, debug, info, notice, warning")
    )
    for level in ["debug", "INFO", ""] {
      #expect(try home.start(live, with: ["STRESSMON_LOG": level]).outcome().status == .exited(0))
    }
  }

  @Test func anUnwritableConfigurationIsReported() throws {
    let home = try Home()
    try home.folder.write("in the way", to: "config")
    let set = try home.run("config", "set", "window", "60s")
    #expect(set.status != .exited(0))
    #expect(set.errors.contains("configuration \(home.configuration)"))
  }
}
