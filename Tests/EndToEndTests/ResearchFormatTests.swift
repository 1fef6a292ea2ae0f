import Glibc
import TestSupport
import Testing

/// EDF+, WFDB, BIDS, Open mHealth and XDF, with the program and with the libraries of others.
@Suite(.ownThreads) struct ResearchFormatTests {
  /// The name of the output of each format.
  private static let outputs = [
    "edf": "rest.edf", "wfdb": "rest.hea", "bids": "dataset", "open-mhealth": "rest.json",
  ]

  /// A home with a session of four minutes with acceleration.
  private func home() throws -> (home: Home, id: String) {
    let home = try Home(zone: "Europe/Berlin")
    let recording = [
      "record", home.file("recorded.jsonl"), "--duration", "240", "--simulate", "--speed", "max",
      "--activity",
      "breathing:120,walking:120",
    ]
    #expect(try home.start(recording).outcome().status == .exited(0))
    return (
      home, try #require(try home.run("history", "--sessions", "--json").json().first?["session"]?.text)
    )
  }

  private func rr(_ home: Home, _ arguments: String...) throws -> [Double] {
    try home.start(["replay", "--speed", "max", "--json"] + arguments).outcome().json().of(
      type: "notification"
    )
    .flatMap { $0["rr_ms"]?.numbers ?? [] }
  }

  private func export(_ home: Home, _ format: String, _ id: String) throws -> String {
    let path = home.file(Self.outputs[format] ?? "")
    let outcome = try home.run("export", "--format", format, "--session", id, "--output", path)
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    return path
  }

  @Test("An export is read back with the same RR intervals") func roundTrip() throws {
    let (home, id) = try home()
    let stored = try rr(home, "--session", id)
    let before = try #require(try home.run("analyze", home.file("recorded.jsonl"), "--json").json().first)
    for format in Self.outputs.keys.sorted() {
      let path = try export(home, format, id)
      #expect(try rr(home, path) == stored && stored.count > 150)
      let other = home.file("\(format).db")
      let imported = try home.run("import", path, "--db", other, "--json").json().first
      #expect(imported?["beats"]?.number == Double(stored.count) && imported?["format"]?.text == format)
      #expect(try home.run("import", path, "--db", other, "--json").json().first?["outcome"]?.text == "known")
      let after = try #require(try home.run("analyze", path, "--json").json().first)
      for key in ["beats", "rmssd_ms", "sdnn_ms", "mean_nn_ms", "pnn50_percent", "verdicts", "gaps"] {
        #expect(before[key] == after[key], "\(format): \(key)")
      }
    }
  }

  @Test("Exported files are private, and replaced only with --force") func files() throws {
    let (home, id) = try home()
    for format in Self.outputs.keys.sorted() {
      let path = try export(home, format, id)
      let file = format == "bids" ? "\(path)/dataset_description.json" : path
      var status = stat()
      #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
      let again = ["export", "--format", format, "--session", id, "--output", path]
      #expect(try home.start(again).outcome().status == .exited(1))
      #expect(try home.start(again + ["--force"]).outcome().status == .exited(0))
    }
    for format in ["wfdb", "bids"] {
      #expect(
        try home.run("export", "--format", format, "--session", id, "--output", "-").status == .exited(64))
    }
  }
}

// MARK: - Libraries of others

extension ResearchFormatTests {
  private func value(_ home: Home, _ script: String, _ arguments: String...) throws -> JSONValue {
    let outcome = try home.start(Python.interpreter, [Python.script(script)] + arguments).outcome()
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    return try JSONValue(outcome.output)
  }

  @Test(
    "Other libraries find the same RR intervals in exported files",
    .enabled(if: Python.hasResearch, "needs the libraries of: make oracles"), arguments: outputs.keys.sorted()
  )
  func readByOthers(format: String) throws {
    let (home, id) = try home()
    let found = try value(home, "read_research.py", format, try export(home, format, id))
    let stored = try rr(home, "--session", id)
    // EDFlib reads times in units of 100 ns, and all libraries compute differences of times in seconds.
    func check(_ numbers: [Double]?) {
      #expect(numbers?.count == stored.count)
      #expect(zip(numbers ?? [], stored).allSatisfy { ($0 - $1).magnitude < 0.0003 })
    }
    switch format {
    case "edf":
      check(found["edfio"]?["rr_ms"]?.numbers)
      check(found["pyedflib"]?["rr_ms"]?.numbers)
      #expect(found["pyedflib"]?["signals"]?.members.keys.sorted() == ["AccX", "AccY", "AccZ", "RR"])
    case "wfdb":
      check(found["wfdb"]?["rr_ms"]?.numbers)
      #expect(found["wfdb"]?["fs"]?.number == 1024)
    case "bids":
      #expect(found["validator"]?["errors"]?.elements.isEmpty == true)
      let session = found["pybids"]?["sessions"]?.members.values.first
      check(session?["rr_ms"]?.numbers)
      check(session?["onset_rr_ms"]?.numbers)
    default:
      #expect(found["jsonschema"]?["errors"]?.elements.isEmpty == true)
      check(found["jsonschema"]?["rr_ms"]?.numbers)
    }
  }

  @Test(
    "Files of other libraries are read with their RR intervals",
    .enabled(if: Python.hasResearch, "needs the libraries of: make oracles"))
  func writtenByOthers() throws {
    let home = try Home()
    let files = try value(home, "write_research.py", home.path).members
    #expect(files.count == 6)
    for (name, expected) in files {
      let expected = (expected.numbers ?? []).map { ($0 * 10).rounded() }
      #expect(try rr(home, home.file(name)).map { ($0 * 10).rounded() } == expected, "\(name)")
      #expect(expected.count == 120)
    }
  }
}
