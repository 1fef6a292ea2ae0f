import TestSupport
import Testing

/// Security findings T1 and W10: texts of files do not reach the terminal unchanged, and are no formulas in tables.
@Suite(.ownThreads) struct HostileTextTests {
  private static let escape = "\u{1B}"

  /// Exported lines whose profile, strap and mark contain control characters or are too long.
  private static func export(profile: String, strap: String, mark: String) -> String {
    """
    {"type":"header","format":"stressmon-sessions","version":1,"session":"01M854FWYHDJMV7GBR7SJHVSH9","profile":"\(profile)",\
    "time":"2026-06-01T07:30:00Z","zone":"+02:00","strap":"C0:00:00:00:00:01","strap_name":"\(strap)"}
    {"type":"link","monotonic_s":0,"state":"connected","strap":"C0:00:00:00:00:01","strap_name":"\(strap)"}
    \((1...60).map { "{\"type\":\"notification\",\"monotonic_s\":\($0),\"hex\":\"1048e403\"}" }.joined(separator: "\n"))
    {"type":"mark","monotonic_s":60,"text":"\(mark)"}
    {"type":"end","monotonic_s":61}

    """
  }

  @Test("Names of an imported file are printed without control characters, and the profile can be renamed")
  func names() throws {
    let home = try Home()
    let hostile = #"\u001b[31m\u001b]0;pwned\u0007\u202e"#
    let long = String(repeating: "x", count: 500_000)
    let file = try home.folder.write(
      Self.export(profile: "=\(hostile)", strap: "@\(hostile)", mark: "=\(long)"), to: "hostile.jsonl")
    let imported = try home.run("import", file)
    #expect(imported.status == .exited(0) && imported.output.contains("stored for =\u{FFFD}[31m"))
    let outputs = try [
      imported.output, imported.errors, home.run("profile", "list").output,
      home.run("history", "--sessions", "--csv", "--profile", "=\u{FFFD}[31m\u{FFFD}]0;pwned\u{FFFD}\u{FFFD}")
        .output,
    ]
    for output in outputs {
      #expect(!output.contains(Self.escape) && !output.contains("\u{202E}"), "\(output)")
    }
    #expect(outputs[3].contains(",'=\u{FFFD}[31m") && outputs[3].contains(",'@\u{FFFD}[31m"))
    #expect(outputs[3].contains(",'+02:00,"))
    let stored = try Database(home.database).run("SELECT max(length(payload)) FROM session_event")
    #expect(stored.first.flatMap { Int($0) } ?? .max <= 520)
    let rename = try home.run("profile", "rename", "=\u{FFFD}[31m\u{FFFD}]0;pwned\u{FFFD}\u{FFFD}", "anna")
    #expect(rename.status == .exited(0))
    #expect(try home.run("profile", "list").output.contains("anna"))
  }

  @Test("A profile whose stored name is not valid is displayed, selected and renamed by its printable name")
  func storedNames() throws {
    let home = try Home()
    try home.add(profiles: "anna", "ben")
    let long = String(repeating: "x", count: 5000)
    try Database(home.database).run(
      """
      UPDATE profile SET name = 'a' || char(27) || '[31m' WHERE name = 'anna';
      UPDATE profile SET name = '\(long)' WHERE name = 'ben'
      """)
    let list = try home.run("profile", "list")
    #expect(!list.output.contains(Self.escape) && list.output.utf8.count < 2000)
    let shown = "a\u{FFFD}[31m"
    #expect(list.output.contains(shown))
    #expect(try home.run("journal", "add", "--note", "x", "--profile", shown).status == .exited(0))
    #expect(try Database(home.database).run("SELECT count(*) FROM profile") == ["3"])
    #expect(try home.run("profile", "rename", shown, "anna").status == .exited(0))
    #expect(try home.run("profile", "delete", String(long.prefix(64)), "--yes").status == .exited(0))
    #expect(try Database(home.database).run("SELECT name FROM profile ORDER BY name") == ["anna", "me"])
  }

  @Test(
    "A new profile has a printable name",
    arguments: ["a\u{202E}b", "a\u{1B}b", String(repeating: "x", count: 65)])
  func newNames(name: String) throws {
    let home = try Home()
    #expect(try home.run("profile", "add", name).status == .exited(64))
    try home.add(profiles: "anna")
    #expect(try home.run("profile", "rename", "anna", name).status == .exited(64))
  }

  @Test("A table of beats restores a profile that begins like a formula") func tables() throws {
    let home = try Home()
    try home.add(profiles: "=1+1")
    _ = try home.run(
      "live", "--simulate", "--speed", "max", "--duration", "60", "--profile", "=1+1")
    let path = home.file("beats.csv")
    #expect(
      try home.run("export", "--format", "csv", "--profile", "=1+1", "--output", path).status == .exited(0))
    #expect(home.contents("beats.csv")?.contains(",'=1+1,") == true)
    let other = home.file("other.db")
    #expect(try home.run("import", path, "--db", other).output.contains("stored for =1+1"))
  }

  @Test("A message about a file shows its name without control characters") func paths() throws {
    let home = try Home()
    let outcome = try home.run("analyze", home.file("x\u{1B}[2J.txt"))
    #expect(outcome.status == .exited(1) && !outcome.errors.contains(Self.escape))
  }
}
