import Glibc
import TestSupport
import Testing

/// Commands never show data of one profile under another.
@Suite(.ownThreads) struct ProfilesTests {
  private struct Person {
    let name: String
    var sessions: [String] = []
    var measurements: [Int] = []
    /// Texts that must not appear in the output for other profiles.
    var marks: [String] { sessions + ["secret-\(name)"] }
  }

  @Test("Every reading command shows only the data of the selected profile")
  func apart() throws {
    let home = try Home()
    try home.add(profiles: "anna")
    var people = [Person(name: "me"), Person(name: "anna")]
    for round in 0..<2 {
      for person in people.indices {
        let name = people[person].name
        _ = try home.run(
          "live", "--simulate", "--speed", "max", "--duration", "150", "--seed", "\(round * 2 + person)",
          "--profile", name)
        _ = try home.run(
          "journal", "add", "--profile", name, "--note", "secret-\(name)", "--trigger", "secret-\(name)",
          "--mood", "5")
      }
    }
    for person in people.indices {
      let rows = try home.run("history", "--json", "--limit", "999", "--profile", people[person].name).json()
      people[person].measurements = rows.compactMap { $0["id"]?.number }.map { Int($0) }
      people[person].sessions = try home.run(
        "history", "--sessions", "--json", "--profile", people[person].name
      ).json()
        .compactMap { $0["session"]?.text }
      #expect(people[person].sessions.count == 2 && !people[person].measurements.isEmpty)
    }
    for (own, other) in [(people[0], people[1]), (people[1], people[0])] {
      try expectApart(home, own, other)
    }
  }

  private func expectApart(_ home: Home, _ own: Person, _ other: Person) throws {
    func run(_ arguments: [String]) throws -> Outcome {
      try home.start(arguments + ["--profile", own.name]).outcome()
    }
    let reading = [
      ["history"], ["history", "--limit", "999"], ["history", "--from", "2001", "--json"],
      ["history", "--from", "2001", "--csv"],
      ["history", "--sessions"], ["history", "--sessions", "--json"], ["history", "--sessions", "--csv"],
      ["show", "\(own.measurements[0])"], ["show", "\(own.measurements[0])", "--json"],
      ["show", own.sessions[0]], ["show", own.sessions[0], "--json"],
      ["journal"], ["journal", "list", "--json"], ["journal", "insights"], ["journal", "insights", "--json"],
      ["baseline"], ["baseline", "--json"], ["explain", "\(own.measurements[0])"],
      ["replay", "--session", own.sessions[1], "--json", "--speed", "max"],
      ["compare", "session:" + own.sessions[0], "2001-01-01T00:00/2100-01-01T00:00", "--json"],
      ["delete", "--all", "--dry-run"], ["delete", "--from", "2001", "--dry-run"],
      ["status"], ["status", "--json"], ["status", "--waybar"], ["trends"], ["trends", "--json"],
      ["report"], ["report", "--json"],
      ["export", "--format", "jsonl", "--from", "2001", "--output", "-"],
      ["export", "--format", "csv", "--from", "2001", "--output", "-"],
    ]
    for arguments in reading {
      let outcome = try run(arguments)
      #expect(outcome.status == .exited(0), "\(arguments): \(outcome.errors)")
      for mark in other.marks { #expect(!(outcome.output + outcome.errors).contains(mark), "\(arguments)") }
    }
    // The status names the person, because there are several.
    #expect(try run(["status"]).output.contains("\(own.name): "))
    // Sessions and entries of another profile are not found by ID or number.
    let session = other.sessions[0]
    for arguments in [
      ["show", session], ["show", "\(other.measurements[0])"], ["explain", "\(other.measurements[0])"],
      ["replay", "--session", session, "--speed", "max"],
      ["compare", "session:" + session, "session:" + session],
      ["export", "--format", "jsonl", "--session", session, "--output", "-"],
      ["delete", "--session", session, "--yes"], ["journal", "add", "--mood", "3", "--session", session],
    ] {
      let outcome = try run(arguments)
      #expect(outcome.status == .exited(1), "\(arguments)")
      #expect(outcome.output.isEmpty, "\(arguments)")
    }
  }

  @Test("A command that reads reports an unknown profile, with the nearest name")
  func unknownProfile() throws {
    let home = try Home()
    _ = try home.run("profile", "add", "anna")
    for arguments in [
      ["history"], ["trends"], ["report"], ["status"], ["status", "--json"], ["show", "1"], ["explain", "1"],
      ["baseline"], ["journal"], ["journal", "insights"], ["compare", "01K", "01M"],
      ["history", "--breathing"],
      ["replay", "--session", "01K"], ["export", "--format", "csv", "--output", "-"],
      ["delete", "--today", "--yes"], ["doctor"],
    ] {
      let outcome = try home.start(arguments + ["--profile", "anan"]).outcome()
      #expect(outcome.status == .exited(1) && outcome.output.isEmpty, "\(arguments)")
      #expect(
        outcome.errors
          == "stressmon: there is no profile 'anan'. Did you mean: --profile anna; or create it with: stressmon profile add anan\n",
        "\(arguments)")
    }
    let strange = try home.run("trends", "--profile", "zacharias")
    #expect(
      strange.errors.contains(
        "there is no profile 'zacharias', only: me, anna. Create it with: stressmon profile add zacharias"))
  }

  @Test(
    "An unknown profile is an error before a command measures, stores or sends",
    arguments: [
      ["live", "--simulate", "--speed", "max", "--duration", "40"], ["live", "--strap", "A=anan"],
      ["live", "--attach"], ["measure", "--simulate", "--speed", "max"],
      ["measure", "--simulate", "--speed", "max", "--no-store"], ["morning", "--simulate", "--speed", "max"],
      ["record", "out.jsonl", "--simulate", "--speed", "max", "--duration", "9"],
      ["breathe", "--simulate", "--speed", "max"], ["calm", "--simulate", "--speed", "max"],
      ["calm", "--grounding"], ["service", "--simulate", "--speed", "max"], ["pair"],
      ["unpair", "A"], ["import", "rr.txt", "--at", "2026-11-01T08:00"],
      ["import", "rr.txt", "--at", "2026-11-01T08:00", "--dry-run"], ["journal", "add", "--mood", "3"],
      ["baseline", "set", "--rmssd", "40"], ["publish", "osc://127.0.0.1:9"], ["serve", "--port", "0"],
    ])
  func unknownProfileOfASession(arguments: [String]) throws {
    let home = try Home()
    try home.add(profiles: "anna")
    try home.folder.write("800\n810\n", to: "rr.txt")
    let isNamed = arguments.contains { $0.hasSuffix("=anan") }
    let words = arguments.map { $0.hasSuffix(".txt") || $0.hasSuffix(".jsonl") ? home.file($0) : $0 }
    let outcome = try home.start(words + (isNamed ? [] : ["--profile", "anan"])).outcome()
    #expect(outcome.status == .exited(1) && outcome.output.isEmpty, "\(outcome.errors)")
    let meant = isNamed ? "anna" : "--profile anna"
    #expect(
      outcome.errors
        == "stressmon: there is no profile 'anan'. Did you mean: \(meant); or create it with: stressmon profile add anan\n"
    )
    #expect(try home.run("profile", "list", "--json").json().map { $0["profile"]?.text } == ["me", "anna"])
    #expect(try home.run("history", "--sessions", "--json").output.isEmpty && !exists(home.file("out.jsonl")))
  }

  @Test("Before anything is stored, only the usual profile exists")
  func firstSession() throws {
    let home = try Home()
    let quick = ["live", "--simulate", "--speed", "max", "--duration", "40"]
    let other = try home.start(quick + ["--profile", "anna"]).outcome()
    #expect(other.status == .exited(1) && other.errors.contains("Create it with: stressmon profile add anna"))
    #expect(!exists(home.database))
    #expect(try home.start(quick + ["--profile", "me"]).outcome().status == .exited(0))
  }

  @Test("A file that names a profile is restored into an empty history")
  func importedProfile() throws {
    let home = try Home()
    try home.add(profiles: "anna")
    let file = home.file("session.jsonl")
    _ = try home.run(
      "live", "--simulate", "--speed", "max", "--duration", "90", "--profile", "anna", "--record", file)
    let other = home.file("other.db")
    #expect(try home.run("import", file, "--db", other).status == .exited(0))
    #expect(
      try home.run("profile", "list", "--json", "--db", other).json().map { $0["profile"]?.text }
        == ["me", "anna"])
  }

  @Test("The setting names a profile that exists, and follows it when it is renamed")
  func profileOfTheSetting() throws {
    let home = try Home()
    try home.add(profiles: "anna")
    let unknown = try home.run("config", "set", "profile", "anan")
    #expect(unknown.status == .exited(1) && unknown.errors.contains("Did you mean: anna; or create it with:"))
    #expect(try home.run("config", "set", "profile", "anna").status == .exited(0))
    let renamed = try home.run("profile", "rename", "anna", "Bea")
    #expect(renamed.status == .exited(0) && renamed.errors.contains("the setting 'profile' is 'Bea' now"))
    #expect(try home.run("config", "show", "--json").json().first?["profile"]?.text == "Bea")
    _ = try home.run("live", "--simulate", "--speed", "max", "--duration", "90")
    #expect(try home.run("status", "--json").json().first?["profile"]?.text == "Bea")
    // Another database does not change the setting.
    let other = home.file("other.db")
    _ = try home.run("profile", "add", "Bea", "--db", other)
    _ = try home.run("profile", "rename", "Bea", "zoe", "--db", other)
    #expect(try home.run("config", "show", "--json").json().first?["profile"]?.text == "Bea")
  }

  @Test("profile add creates a profile, and reports an existing one")
  func profileAdd() throws {
    let home = try Home()
    #expect(try home.run("profile", "add", "anna").status == .exited(0))
    #expect(try home.run("profile", "list", "--json").json().map { $0["profile"]?.text } == ["me", "anna"])
    let again = try home.run("profile", "add", "anna")
    #expect(again.status == .exited(1) && again.errors.contains("the profile 'anna' exists already"))
  }

  @Test func profilesAreListedRenamedAndDeleted() throws {
    let home = try Home()
    #expect(try home.run("profile").output.contains("There are no profiles yet."))
    try home.add(profiles: "anna")
    _ = try home.run("live", "--simulate", "--speed", "max", "--duration", "90", "--profile", "anna")
    let history = try home.run("history", "--csv", "--profile", "anna").output
    #expect(try home.run("profile", "list", "--json").json().map { $0["profile"]?.text } == ["me", "anna"])
    #expect(try home.run("profile", "rename", "anna", "Bea").status == .exited(0))
    #expect(
      try home.run("history", "--csv", "--profile", "Bea").output
        == history.replacing(",anna,", with: ",Bea,"))
    #expect(try home.run("history", "--json", "--profile", "anna").status == .exited(1))
    for (arguments, words) in [
      (["rename", "anna", "zoe"], "there is no profile 'anna'"),
      (["rename", "Bea", "me"], "a profile with this name exists"),
      (["delete", "anna", "--yes"], "there is no profile 'anna'"),
    ] {
      let outcome = try home.start(["profile"] + arguments).outcome()
      #expect(outcome.status == .exited(1) && outcome.errors.contains(words))
    }
    let renamed = try home.run("profile", "rename", "me", "x")
    #expect(renamed.errors.contains("the setting 'profile' is 'x' now"))
    #expect(
      try home.run("profile", "delete", "Bea", "--yes").output.contains(
        "profile 'Bea' with all of its data"))
    // The default profile is created again.
    #expect(try home.run("profile", "list", "--json").json().map { $0["profile"]?.text } == ["x", "me"])
  }
}
