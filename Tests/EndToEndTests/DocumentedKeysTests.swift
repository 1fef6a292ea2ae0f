import FakeBlueZ
import TestSupport
import Testing

/// docs/reference/json.md has a row for every key that is printed, in the section of the command that prints it.
@Suite(.ownThreads) struct DocumentedKeysTests {
  /// The sections of the documentation by the words of their headings.
  private static let sections = whole.split(separator: "\n## ").map { section in
    (heading: String(section.prefix { $0 != "\n" }), text: String(section))
  }
  private static let whole: String = {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return text(ofFile: "/\(root)/docs/reference/json.md") ?? ""
  }()

  /// The keys named in the first column of the section's table.
  private static func keys(of command: String) throws -> Set<String> {
    let section = try #require(sections.first { $0.heading.contains("`\(command)`") }, "\(command)")
    let cells = section.text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map {
      $0.split(separator: "|")[0]
    }
    return Set(cells.flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.1) } })
  }

  private static func allKeys(_ value: JSONValue) -> [String] {
    value.members.flatMap { [$0] + allKeys($1) } + value.elements.flatMap(allKeys)
  }

  private func expectDocumented(_ values: [JSONValue], _ command: String, whole: Bool = true) throws {
    let keys = try Self.keys(of: command)
    let printed = Set(values.flatMap(\.members.keys))
    #expect(!printed.isEmpty)
    #expect(printed.subtracting(keys) == [], "\(command)")
    // The documentation has no rows for absent keys.
    if whole { #expect(keys.subtracting(printed) == [], "\(command)") }
    // Keys of nested objects are documented where the object first appears.
    let within = Set(values.flatMap { $0.members.values }.flatMap(Self.allKeys))
    #expect(within.filter { !Self.whole.contains("`\($0)`") } == [], "\(command)")
  }

  @Test func keysOfStoredAndAnalyzedDataAreDocumented() throws {
    let home = try Home()
    let quick = ["--simulate", "--speed", "max", "--duration", "90"]
    let live = try home.start(["live", "--json"] + quick).outcome().json()
    try expectDocumented(live, "live", whole: false)
    try expectDocumented(
      try home.run("live", "--json", "--hrv", "sdnn", "--simulate", "--speed", "max", "--duration", "60")
        .json(), "live", whole: false)
    try expectDocumented(try home.run("history", "--json").json(), "history")
    try expectDocumented(try home.run("history", "--sessions", "--json").json(), "history --sessions")
    try home.add(profiles: "anna", "eva")
    _ = try home.run("breathe", "--profile", "anna", "--simulate", "--speed", "max", "--json")
    let exercises = try home.run("history", "--profile", "anna", "--breathing", "--json").json()
    try expectDocumented(exercises, "history --breathing")
    let morning = try home.run("morning", "--profile", "eva", "--simulate", "--speed", "max", "--json")
    try expectDocumented(try morning.json(), "morning", whole: true)
    let mornings = try home.run("history", "--profile", "eva", "--morning", "--json").json()
    try expectDocumented(mornings, "history --morning")
    try expectDocumented(
      try home.run("trends", "--profile", "eva", "--morning", "--json").json(), "trends --morning")
    try expectDocumented(try home.run("status", "--json").json(), "status")
    try expectDocumented(try home.run("trends", "--json").json(), "trends")
    try expectDocumented(try home.run("report", "--json").json(), "report")
    try expectDocumented(try home.run("explain", "1", "--json").json(), "explain")
    try expectDocumented(try home.run("show", "1", "--json").json(), "show 42", whole: false)
    let session = try #require(try home.run("history", "--json").json().first?["session"]?.text)
    try expectDocumented(try home.run("show", session, "--json").json(), "show 01K")
    try expectDocumented(
      try home.run("journal", "add", "--trigger", "coffee", "--note", "x", "--mood", "3", "--json").json(),
      "journal")
    try expectDocumented(
      try home.run("journal", "insights", "--json").json(), "journal insights", whole: false)
    try expectDocumented(try home.run("profile", "--json").json(), "profile")
    try expectDocumented(try home.run("delete", "--all", "--dry-run", "--json").json(), "delete")
    try expectDocumented(try home.run("config", "show", "--json").json(), "config show")
    try expectDocumented(try home.run("baseline", "--json").json(), "baseline")

    _ = try home.start(["record", home.file("a.jsonl")] + quick).outcome()
    let damaged = try #require(home.contents("a.jsonl")).replacing(
      /"hex":"[0-9a-f]+"/, with: "\"hex\":\"\"", maxReplacements: 1)
    try home.folder.write(damaged, to: "b.jsonl")
    try home.folder.write("800\nx\n810\n", to: "rr.txt")
    let analyses = try home.run(
      "analyze", "--json", "--skip-bad-lines", home.file("b.jsonl"), home.file("rr.txt"))
    try expectDocumented(try analyses.json(), "analyze")
    let imported = try home.run(
      "import", "--json", "--as", "morning", "--skip-bad-lines", "--at", "2026-01-01T00:00", "--db",
      home.file("new.db"),
      home.file("b.jsonl"),
      home.file("rr.txt"))
    try expectDocumented(try imported.json(), "import")
    let windows = try home.run("analyze", "--json", home.file("a.jsonl"), "--window", "30s")
    try expectDocumented(try windows.json(), "analyze --window")
    let compared = try home.run("compare", "--json", home.file("a.jsonl"), home.file("a.jsonl") + "@-30")
    try expectDocumented(try compared.json(), "compare", whole: false)
  }

  @Test func keysOfSyncAreDocumented() throws {
    let home = try Home()
    try home.folder.write("correct horse\n", to: "passphrase")
    let vault = home.file("vault")
    let created = try home.run("sync", "init", vault, "--yes", "--passphrase-file", home.file("passphrase"))
    #expect(created.status == .exited(0), "\(created.errors)")
    for command in ["now", "status", "devices"] {
      try expectDocumented(try home.run("sync", command, "--json").json(), "sync \(command)")
    }
  }

  @Test func keysOfLiveDataAreDocumented() throws {
    let air = try Air()
    air.strap()
    try expectDocumented(try air.home.run("scan", "--duration", "1s", "--json").json(), "scan")
    try expectDocumented(try air.home.run("doctor", "--json").json(), "doctor")
  }
}
