import Foundation
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
      let again =
        ["export", "--format", format, "--session", id, "--output", path]
        + (format == "bids" ? ["--participant", "01"] : [])
      #expect(try home.start(again).outcome().status == .exited(1))
      #expect(try home.start(again + ["--force"]).outcome().status == .exited(0))
    }
    for format in ["wfdb", "bids"] {
      #expect(
        try home.run("export", "--format", format, "--session", id, "--output", "-").status == .exited(64))
    }
  }
}

// MARK: - Several participants

extension ResearchFormatTests {
  private func files(_ folder: String) -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for path in FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [] {
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(path)") else { continue }
      found[path] = Array(data)
    }
    return found
  }

  /// Regression: the second participant replaced the beats of the first one.
  @Test("Two participants are in one BIDS dataset") func twoParticipants() throws {
    let home = try Home(zone: "Europe/Berlin")
    func take(_ profile: String, _ seed: Int) throws {
      let recording = home.file("\(profile).jsonl")
      let command = [
        "record", recording, "--duration", "60", "--simulate", "--speed", "max", "--seed", "\(seed)",
        "--no-store",
      ]
      #expect(try home.start(command).outcome().status == .exited(0))
      #expect(try home.run("profile", "add", profile).status == .exited(0))
      let rr = home.file("\(profile).txt")
      #expect(try home.run("export", "--help").status == .exited(0))
      let intervals = try home.start(["replay", recording, "--speed", "max", "--json"]).outcome().json()
        .of(type: "notification").flatMap { $0["rr_ms"]?.numbers ?? [] }
      try Data(intervals.map { "\($0)\n" }.joined().utf8).write(to: URL(filePath: rr))
      let imported = try home.run("import", rr, "--profile", profile, "--at", "2026-06-01T07:30")
      #expect(imported.status == .exited(0), "\(imported.errors)")
    }
    try take("ann", 1)
    try take("ben", 2)
    let dataset = home.file("dataset")
    func export(_ profile: String, _ more: String...) throws -> Outcome {
      try home.start(
        ["export", "--format", "bids", "--profile", profile, "--output", dataset] + more
      ).outcome()
    }
    #expect(try export("ann", "--participant", "P-01").status == .exited(0))
    let first = files(dataset)
    // Neither the participant of the first export nor another one is replaced.
    for more in [[], ["--force"]] {
      let refused = try home.start(
        ["export", "--format", "bids", "--profile", "ben", "--output", dataset] + more
      ).outcome()
      #expect(refused.status == .exited(64) && refused.errors.contains("--participant"))
    }
    let taken = try export("ben", "--participant", "P01")
    #expect(taken.status == .exited(64) && taken.errors.contains("P-01"))
    #expect(files(dataset) == first)
    #expect(try export("ben", "--participant", "P02").status == .exited(0))
    let both = files(dataset)
    for (path, content) in first where path != "participants.tsv" {
      #expect(both[path] == content, "\(path)")
    }
    #expect(
      String(decoding: both["participants.tsv"] ?? [], as: UTF8.self)
        == "participant_id\tcode\nsub-P01\tP-01\nsub-P02\tn/a\n")
    #expect(both.keys.count { $0.hasSuffix("_physioevents.tsv.gz") } == 2)
    // --force replaces the same session only; without it nothing changes.
    #expect(try export("ben", "--participant", "P02").status == .exited(1))
    #expect(try export("ben", "--participant", "P02", "--force").status == .exited(0))
    #expect(files(dataset) == both)
    // Another session of the same second has its own label and row.
    let again = try home.run("import", home.file("ann.txt"), "--profile", "ben", "--at", "2026-06-01T07:30")
    #expect(again.status == .exited(0), "\(again.errors)")
    #expect(try export("ben", "--participant", "P02", "--force").status == .exited(0))
    let three = files(dataset)
    #expect(three.keys.count { $0.hasSuffix("_physioevents.tsv.gz") } == 3)
    for (path, content) in both where !path.hasSuffix("P02_sessions.tsv") {
      #expect(three[path] == content, "\(path)")
    }
    let rows = String(decoding: three["sub-P02/sub-P02_sessions.tsv"] ?? [], as: UTF8.self).split(
      separator: "\n")
    #expect(rows.count == 3 && Set(rows.map { $0.prefix(24) }).count == 3)
    #expect(
      try home.run("export", "--format", "bids", "--participant", "a b", "--output", dataset).status
        == .exited(64))
    #expect(
      try home.run("export", "--format", "csv", "--participant", "P01", "--output", "-").status == .exited(64)
    )
  }

  @Test("Verdicts name the program's classification") func classification() throws {
    let (home, id) = try home()
    let path = try export(home, "bids", id)
    let sidecar = try #require(files(path).first { $0.key.hasSuffix("_physioevents.json") }?.value)
    let description =
      try JSONValue(String(decoding: sidecar, as: UTF8.self))["verdict"]?["Description"]?.text ?? ""
    #expect(description.contains("final classifier of stressmon ") && description.contains("engine 4"))
    #expect(description.contains("differs from it"))
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
