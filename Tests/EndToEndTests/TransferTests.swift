import Glibc
import TestSupport
import Testing

/// Import and export without loss and without duplicates. An interrupted transfer has no effect.
@Suite(.ownThreads) struct TransferTests {
  /// A file written by Tests/Oracles/formats.py.
  private static func fixture(_ name: String) -> String {
    "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
      + "/FormatsTests/Fixtures/formats/\(name)"
  }

  private static let files = [
    "chained.fit", "hrv_logger.csv", "polar_logger.txt", "polar.hrm", "export.zip", "monitor.btsnoop",
    "2026-06-01 07-30-00.txt",
  ].map(fixture)

  /// The rows of all sessions in a database, without row IDs.
  private static func contents(_ path: String) throws -> [String] {
    let database = try Database(path)
    let events = try database.run(
      """
      SELECT printf('\(Self.bars(11))', s.id, e.sequence, e.ticks, e.wall_us, e.kind, hex(e.payload), typeof(e.payload),
        l.state, l.strap_address, l.strap_name, l.reason)
      FROM session_event e JOIN session s ON s.number = e.session
        LEFT JOIN link_change l ON l.session = e.session AND l.sequence = e.sequence
      ORDER BY s.id, e.sequence
      """)
    let sessions = try database.run(
      """
      SELECT printf('\(Self.bars(19))', s.id, p.name, source, strap_address, strap_name, started_us, zone, utc_offset_s,
        monotonic_ns, window_ticks, metric, judging, quote(baseline_rmssd_ms), quote(baseline_sdnn_ms),
        quote(baseline_resting_hr_bpm), quote(baseline_days), baseline_origin, ended_us || '/' || ended_ticks, outcome)
      FROM session s JOIN profile p ON p.number = s.profile ORDER BY s.id
      """)
    let measurements = try database.run(
      """
      SELECT printf('\(Self.bars(11))', s.id, m.ticks, m.time_us, quote(m.stress), quote(m.rmssd_ms), quote(m.sdnn_ms),
        quote(m.mean_hr_bpm), m.beats, m.normal_beats, quote(m.confidence), m.sensor_class)
      FROM measurement m JOIN session s ON s.number = m.session ORDER BY s.id, m.ticks
      """)
    return events + sessions + measurements
  }

  private static func bars(_ count: Int) -> String {
    Array(repeating: "%s", count: count).joined(separator: "|")
  }

  private func home() throws -> Home {
    let home = try Home()
    let quick = ["--simulate", "--speed", "max"]
    _ = try home.start(["record", home.file("recorded.jsonl"), "--duration", "150"] + quick).outcome()
    _ = try home.start(["live", "--seed", "4", "--duration", "90", "--hrv", "sdnn"] + quick).outcome()
    return home
  }

  @Test("An import of exported JSON lines restores all data exactly") func jsonLines() throws {
    let home = try home()
    #expect(try home.start(["import"] + Self.files).outcome().status == .exited(0))
    let file = home.file("all.jsonl")
    #expect(try home.run("export", "--format", "jsonl", "--output", file).status == .exited(0))
    let other = home.file("other.db")
    #expect(try home.run("import", file, "--db", other).status == .exited(0))
    let before = try Self.contents(home.database)
    #expect(before.count > 500)
    #expect(try Self.contents(other) == before)
    // A second import adds no session to either database.
    let again = try home.run("import", file, "--db", other, "--json").json()
    #expect(!again.isEmpty && again.allSatisfy { $0["outcome"]?.text == "known" })
    #expect(try home.run("import", file).status == .exited(0))
    #expect(try Self.contents(home.database) == before && Self.contents(other) == before)
  }

  @Test("An exported recording equals the original byte for byte") func recording() throws {
    let home = try home()
    let recorded = try #require(home.contents("recorded.jsonl"))
    let header = try JSONValue(String(recorded.prefix { $0 != "\n" }))
    let id = try #require(header["session"]?.text)
    let exported = try home.run("export", "--format", "recording", "--session", id, "--output", "-")
    #expect(exported.output == recorded)
    #expect(
      try home.run("import", home.file("recorded.jsonl"), "--json").json().first?["outcome"]?.text == "known")
    let other = home.file("other.db")
    let session = try #require(
      try home.run("import", home.file("recorded.jsonl"), "--db", other, "--json").json().first)
    #expect(session["session"]?.text == id && session["source"]?.text == "simulated")
    // The history stores more columns of a session than a recording contains.
    let ours = try Self.contents(home.database).filter { $0.hasPrefix(id) && !$0.hasPrefix("\(id)|me|") }
    #expect(try Self.contents(other).filter { !$0.hasPrefix("\(id)|me|") } == ours && ours.count > 100)
  }

  @Test(
    "An import of an exported RR list restores every interval", arguments: ["csv", "rr", "kubios", "fit"])
  func lists(format: String) throws {
    let home = try home()
    let sessions = try home.run("history", "--sessions", "--json").json().compactMap { $0["session"]?.text }
    for (place, session) in sessions.enumerated() {
      let file = home.file("\(place).\(format)")
      #expect(
        try home.run("export", "--format", format, "--session", session, "--output", file).status
          == .exited(0))
      var status = stat()
      #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
      let stored = try rr(home.run("replay", "--session", session, "--speed", "max", "--json"))
      let read = try rr(home.run("replay", file, "--speed", "max", "--json"))
      let expected = ["csv", "rr"].contains(format) ? stored : stored.map { $0.rounded() }
      #expect(read == expected && read.count > 50)
      let imported = try home.run(
        "import", file, "--db", home.file("\(place).db"), "--at", "2026-01-01T00:00", "--json")
      #expect(try imported.json().first?["beats"]?.number == Double(read.count))
    }
  }

  private func rr(_ outcome: Outcome) throws -> [Double] {
    try outcome.json().of(type: "notification").flatMap { $0["rr_ms"]?.numbers ?? [] }
  }

  @Test(
    "Two other libraries read exported FIT files",
    .enabled(if: Python.hasFIT, "needs fitdecode and fitparse: make oracles")) func fitByOthers() throws
  {
    let home = try home()
    let file = home.file("run.fit")
    let id = try #require(try home.run("history", "--sessions", "--json").json().first?["session"]?.text)
    #expect(try home.run("export", "--format", "fit", "--session", id, "--output", file).status == .exited(0))
    let outcome = try home.start(Python.interpreter, [Python.script("read_fit.py"), file]).outcome()
    let value = try JSONValue(outcome.output)
    let stored = try rr(home.run("replay", "--session", id, "--speed", "max", "--json")).map { $0.rounded() }
    for library in ["fitdecode", "fitparse"] {
      #expect(value[library]?["rr_ms"]?.numbers == stored, "\(library)")
    }
    #expect(value["fitdecode"] == value["fitparse"])
  }
}

// MARK: - Backup

extension TransferTests {
  @Test("A restored backup equals the original database") func backup() throws {
    let home = try home()
    let copy = home.file("copy.db")
    #expect(try home.run("export", "--all", "--output", copy).status == .exited(0))
    let other = home.file("new/other.db")
    #expect(try home.run("import", copy, "--db", other).status == .exited(0))
    let before = try Self.contents(home.database)
    #expect(try Self.contents(other) == before)
    let baseline = try home.run("baseline", "--json").output
    #expect(try home.run("baseline", "--json", "--db", other).output == baseline)
    // A backup does not replace an existing history, even an identical one.
    #expect(try home.run("import", copy).status == .exited(1))
    #expect(try home.run("export", "--all", "--output", copy).status == .exited(1))
    #expect(try Self.contents(home.database) == before)
    try home.folder.write("SQLite format 3\u{0}and nothing of it", to: "broken.db")
    #expect(
      try home.run("import", home.file("broken.db"), "--db", home.file("third.db")).status == .exited(3))
  }

  @Test("A live session and a simultaneous import are both complete") func besideALiveSession()
    throws
  {
    let home = try Home()
    let live = try home.start(["live", "--json", "--simulate", "--speed", "40", "--duration", "120"])
    try live.wait(for: 20, "measurement")
    #expect(try home.start(["import"] + Self.files).outcome().status == .exited(0))
    let shown = try live.outcome()
    #expect(shown.status == .exited(0))
    let sessions = try home.run("history", "--sessions", "--json").json()
    #expect(sessions.count == 10)
    let id = try #require(sessions.first { $0["source"]?.text == "simulated" }?["session"]?.text)
    #expect(try home.run("replay", "--session", id, "--speed", "max", "--json").output == shown.output)
  }

  @Test("A dry run lists the sessions and creates no history") func dryRun() throws {
    let home = try Home()
    let outcome = try home.start(["import", "--dry-run", "--json"] + Self.files).outcome()
    #expect(outcome.status == .exited(0))
    let sessions = try outcome.json()
    #expect(sessions.count == 9 && sessions.allSatisfy { $0["outcome"]?.text == "would-store" })
    #expect(!exists(home.database))
  }

  @Test("An invalid line of RR text creates no history") func badText() throws {
    let home = try Home()
    try home.folder.write("800\n810\noops\n", to: "rr.txt")
    let outcome = try home.run("import", home.file("rr.txt"), "--at", "file")
    #expect(outcome.status == .exited(3) && outcome.errors.contains("line 3"))
    #expect(!exists(home.database))
  }

  @Test("A start in the future is refused, because the session would count as the latest for years")
  func futureStart() throws {
    let home = try Home()
    try home.folder.write("800\n810\n", to: "rr.txt")
    let outcome = try home.run("import", home.file("rr.txt"), "--at", "2999-01-01T07:30")
    #expect(outcome.status == .exited(64) && outcome.errors.contains("is in the future"))
    #expect(!exists(home.database))
  }

  @Test("An invalid file is reported with the place of the error, and the other files are imported")
  func badFile() throws {
    let home = try Home()
    try home.folder.write(
      "session,profile,time,monotonic_s,rr_ms,verdict\na,me,2026-01-01T00:00:00Z,1,800,normal\nb,me,,1,x,normal\n",
      to: "bad.csv")
    let outcome = try home.run("import", home.file("bad.csv"), Self.files[0])
    #expect(outcome.status == .exited(3))
    #expect(outcome.errors.contains("line 3"))
    let sessions = try home.run("history", "--sessions", "--json").json()
    #expect(sessions.count == 2)
    try home.folder.write("date,rr\n9999-12-31 00:00:00,800\n", to: "never.csv")
    #expect(try home.run("import", home.file("never.csv")).status == .exited(3))
    try home.folder.write("800\n810\n", to: "rr.txt")
    let undated = try home.run("import", home.file("rr.txt"))
    #expect(undated.status == .exited(3) && undated.errors.contains("--at"))
    #expect(try home.run("import", home.file("rr.txt"), "--at", "file").status == .exited(0))
    // The file contains no source of the beats, and no link events.
    let id = try #require(home.run("history", "--sessions", "--json").json().last?["session"]?.text)
    #expect(try home.run("show", id, "--details").lines.contains("  source         imported, file rr.txt"))
    #expect(try home.run("import", home.file("rr.txt"), "--at", "sometime").status == .exited(64))
  }

  @Test("An import updates the baseline of its profile") func baseline() throws {
    let home = try Home()
    // Ten minutes of rest.
    let text = (0..<700).map { "\(860 + ($0 % 5) * 12 - ($0 % 3) * 9)\n" }.joined()
    try home.folder.write(text, to: "rest.txt")
    try home.add(profiles: "bea")
    let arguments = ["import", home.file("rest.txt"), "--at", "2026-11-01T08:00", "--profile", "bea"]
    #expect(try home.start(arguments).outcome().status == .exited(0))
    #expect(try home.run("baseline", "--json", "--profile", "bea").json().first?["days"] != .number(0))
    #expect(try home.run("history", "--json").output == "")
  }

  @Test("Files of other programs can be analyzed, replayed and compared directly") func elsewhere() throws {
    let home = try Home()
    for name in ["polar.hrm", "monitor.btsnoop", "hrv_logger.csv", "polar_logger.txt"] {
      let file = Self.fixture(name)
      #expect(try home.run("analyze", "--json", file).json().first?["beats"]?.number ?? 0 > 50)
      #expect(
        try home.run("replay", file, "--speed", "max", "--json").json().of(type: "measurement").count > 50)
      #expect(try home.run("compare", file, file + "@-30", "--json").json().count == 1)
    }
    #expect(try home.run("analyze", "--json", Self.fixture("chained.fit")).json().count == 2)
    let two = try home.run("replay", Self.fixture("chained.fit"))
    #expect(two.status == .exited(3) && two.errors.contains("2 sessions"))
    #expect(!exists(home.database))
  }

  @Test(arguments: ["folder/", "folder"])
  func filesInAFolderAreNamedByTheDateAndTimeOfTheirSessions(output: String) throws {
    let home = try home()
    mkdir(home.file("folder"), 0o700)
    let sessions = try home.run("history", "--sessions", "--json").json().compactMap { $0["session"]?.text }
    let names = try home.run("history", "--sessions", "--json").json().compactMap { session in
      session["time"]?.text.map { Self.name($0) }
    }
    #expect(sessions.count > 1 && Set(names).count == sessions.count)
    for (format, ending) in [("rr", "txt"), ("fit", "fit"), ("kubios", "hrm"), ("recording", "jsonl")] {
      let all = try home.run("export", "--format", format, "-o", home.file(output))
      #expect(all.status == .exited(0))
      for name in names { #expect(exists(home.file("folder/\(name).\(ending)")), "\(format) \(name)") }
    }
    let one = try home.run("export", "--format", "rr", "--session", sessions[0], "-o", home.file(output))
    #expect(one.status == .exited(1) && one.errors.contains("\(names[0]).txt exists already"))
    #expect(try home.run("export", "--format", "csv", "-o", home.file(output)).status == .exited(0))
    #expect(exists(home.file("folder/\(names[0]).csv")))
    #expect(try home.run("export", "--format", "rr", "-o", home.file("walk")).status == .exited(0))
    for session in sessions { #expect(exists(home.file("walk-\(session).txt"))) }
  }

  /// The name of the file of a session that starts at a time in UTC, the time zone of the tests.
  private static func name(_ time: String) -> String {
    String(time.prefix(19).map { $0 == "T" ? "_" : $0 == ":" ? "-" : $0 })
  }

  @Test func theExtensionOfTheOutputDeterminesTheFormat() throws {
    let home = try home()
    let session = try #require(
      try home.run("history", "--sessions", "--json").json().first?["session"]?.text)
    for (ending, format) in [
      ("csv", "csv"), ("jsonl", "jsonl"), ("txt", "rr"), ("hrm", "kubios"), ("FIT", "fit"),
    ] {
      let (derived, given) = (home.file("derived.\(ending)"), home.file("given-\(ending)"))
      #expect(try home.run("export", "--session", session, "--output", derived).status == .exited(0))
      #expect(
        try home.run("export", "--format", format, "--session", session, "--output", given).status
          == .exited(0))
      #expect(home.contents("derived.\(ending)") == home.contents("given-\(ending)"), "\(ending)")
    }
    let unknown = try home.run("export", "--session", session, "--output", home.file("beats.xyz"))
    #expect(unknown.status == .exited(64) && unknown.errors.contains("an --output with the extension"))
  }

  @Test func theStressOfImportsDoesNotDependOnTheirOrderAfterRecompute() throws {
    func stress(_ order: [Int]) throws -> [[Double]] {
      let home = try Home()
      for place in order {
        // Three rests on successive days with a different level and RMSSD each.
        let (mean, step) = (Double(820 + 40 * place), Double(30 + 20 * place))
        let rr = (0..<500).map { SteppedIntervals.interval($0, mean: mean, step: step) }
        let path = try home.folder.write(rr.map { "\($0)\n" }.joined(), to: "rest\(place).txt")
        let outcome = try home.run("import", path, "--at", "2026-06-0\(place + 1)T07:30")
        #expect(outcome.status == .exited(0) && outcome.errors.contains("stressmon baseline recompute"))
      }
      let sessions = try home.run("history", "--sessions", "--json").json()
      #expect(Set(sessions.compactMap { $0["file"]?.text }) == ["rest0.txt", "rest1.txt", "rest2.txt"])
      let recomputed = try home.run("baseline", "recompute")
      #expect(recomputed.errors.contains("computed the stress of 3 imported sessions again"))
      return try sessions.sorted { ($0["time"]?.text ?? "") < ($1["time"]?.text ?? "") }.map { session in
        try home.run("show", session["session"]?.text ?? "", "--json").json()[0]["minutes"]?.elements
          .compactMap {
            $0["stress"]?.number
          } ?? []
      }
    }
    let (forward, backward) = (try stress([0, 1, 2]), try stress([2, 0, 1]))
    #expect(forward == backward && forward.allSatisfy { !$0.isEmpty })
  }

  @Test func showAndAnalyzeCountTheSameArtefacts() throws {
    let home = try Home()
    let rr = (0..<400).map { place in
      // Occasional premature beats with compensatory pauses, some of them consecutive.
      let base = 800 + 30 * (place % 5)
      return place % 37 == 5 || place % 53 == 7 ? base - 330 : place % 37 == 6 ? base + 300 : base
    }
    let path = try home.folder.write(rr.map { "\($0)\n" }.joined(), to: "rr.txt")
    _ = try home.run("import", path, "--at", "2026-11-20T07:30")
    let session = try #require(try home.run("history", "--sessions", "--json").json().first?["session"]?.text)
    let analysis = try JSONValue(try home.run("analyze", "--json", path).output)
    let shown = try JSONValue(try home.run("show", session, "--json").output)
    #expect(shown["final_verdicts"] == analysis["verdicts"])
    #expect(shown["final_artefact_percent"] == analysis["artefact_percent"])
    #expect(shown["verdicts"] != analysis["verdicts"], "the provisional verdicts differ for these beats")
    #expect(shown["verdict_kind"]?.text == "provisional")
    let words = try #require(
      try home.run("analyze", path).lines.last { $0.hasPrefix("artefacts ") }?.split(separator: ";").first)
    let text = try home.run("show", session, "--details").lines
    #expect(text.contains { $0.hasPrefix("  beats ") && $0.hasSuffix(", \(words)") }, "\(text)")
    #expect(text.contains { $0.hasPrefix("  provisional ") && $0.hasSuffix("as judged live") })
  }

  @Test func severalSessionsAreExportedToOneFileEach() throws {
    let home = try home()
    let outcome = try home.run("export", "--format", "rr", "--output", home.file("rr.txt"))
    #expect(outcome.status == .exited(0))
    for session in try home.run("history", "--sessions", "--json").json() {
      #expect(home.contents("rr-\(session["session"]?.text ?? "").txt") != nil)
    }
    #expect(try home.run("export", "--format", "rr", "--output", "-").status == .exited(64))
    #expect(try home.run("export", "--format", "rr", "--output", home.file("rr.txt")).status == .exited(1))
    #expect(
      try home.run("export", "--format", "csv", "--to", "2020-01-01", "--output", "-").status == .exited(1))
  }
}

/// The Python environment that Tests/Oracles/environment creates.
enum Python {
  private static let folder =
    "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Oracles"
  static let interpreter = "\(folder)/.cache/bin/python"
  static let hasFIT = exists(interpreter)
  /// Whether the libraries for research formats are installed too.
  static let hasResearch = exists("\(folder)/.cache/bin/bids-validator-deno")
  static func script(_ name: String) -> String { "\(folder)/\(name)" }
}
