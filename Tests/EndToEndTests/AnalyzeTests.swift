import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct AnalyzeTests {
  /// 800, 850, 780, 820, 810 ms: differences 50, -70, 40, -10.
  private static let rr = "800\n850\n780\n820\n810\n"

  @Test func comparisonWithoutAnElectrocardiogramNamesTheCommandThatRecordsOne() throws {
    let home = try Home()
    let path = try home.folder.write(Self.rr, to: "rr.txt")
    for arguments in [["analyze", "--ecg", path], ["analyze", "--ecg", "--json", path]] {
      let outcome = try home.start(arguments).outcome()
      #expect(outcome.status == .exited(3))
      #expect(outcome.errors.contains("record one with an H10: stressmon record FILE --ecg"))
      #expect(outcome.output.isEmpty)
    }
    #expect(try home.start(["analyze", "--ecg", "--raw", path]).outcome().status == .exited(64))
  }

  @Test func metricsOfAShortListEqualTheValuesCalculatedByHand() throws {
    let home = try Home()
    let path = try home.folder.write(Self.rr, to: "rr.txt")
    let json = try JSONValue(try home.run("analyze", "--raw", "--json", path).output)
    let expected: [String: Double] = [
      "beats": 5, "duration_s": 4.06, "mean_nn_ms": 812, "mean_hr_bpm": 60_000.0 / 812,
      // Deviations -12, 38, -32, 8, -2: squares 144 + 1444 + 1024 + 64 + 4 = 2680, over 4.
      "sdnn_ms": (2680.0 / 4).squareRoot(),
      // Squares 2500 + 4900 + 1600 + 100 = 9100, over 4.
      "rmssd_ms": (9100.0 / 4).squareRoot(),
      // Mean difference 2.5: 9100 - 4 * 6.25 = 9075, over 3.
      "sdsd_ms": (9075.0 / 3).squareRoot(),
      // More than 50 ms: 70. More than 20 ms: 50, 70, 40.
      "pnn50_percent": 25, "pnn20_percent": 75,
      "min_hr_bpm": 60_000.0 / 850, "max_hr_bpm": 60_000.0 / 780, "gaps": 0, "gap_s": 0,
    ]
    for (key, value) in expected {
      #expect(abs((json[key]?.number ?? .nan) - value) <= 1e-9 * max(1, value), "\(key)")
    }
    #expect(json["file"]?.text == path)
    #expect(json["format"]?.text == "rr-text (ms)")
    #expect(json["raw"]?.bool == true)
    #expect(json["series"]?["raw"]?["beats"]?.number == 5)
  }

  @Test func theTableNamesEachMetricWithItsUnit() throws {
    let home = try Home()
    let path = try home.folder.write(Self.rr, to: "rr.txt")
    let table = try home.run("analyze", path)
    #expect(table.status == .exited(0))
    #expect(table.lines[0] == "\(path): rr-text (ms), 5 beats in 0:04")
    for (name, unit) in [
      ("Mean NN", "ms"), ("Mean HR", "bpm"), ("SDNN", "ms"), ("RMSSD", "ms"), ("ln RMSSD", ""),
      ("SDSD", "ms"),
      ("pNN50", "%"), ("pNN20", "%"), ("SD1", "ms"), ("SD2", "ms"), ("Min HR (beat)", "bpm"),
      ("Max HR (beat)", "bpm"),
    ] { #expect(table.lines.contains { $0.hasPrefix(name + " ") && $0.hasSuffix(unit) }, "\(name)") }
    #expect(
      table.lines.last == "artefacts 0.00 % (normal 5); no gaps"
        || table.lines.last == "artefacts 0.00 %; no gaps")
  }

  /// The same five intervals in other notations.
  @Test(arguments: [
    "0.8\n0.85\n0.78\n0.82\n0.81\n", "0,8\n0,85\n0,78\n0,82\n0,81", "800\r\n850\r\n780\r\n820\r\n810\r\n",
    "# a comment\n\nRR (ms)\n800\n  850 \n780.0000\n# between\n8.2e2\n810\n\n",
    "\u{FEFF}800\n850\n780\n820\n810\n",
  ])
  func differentNotationsGiveEqualResults(text: String) throws {
    let home = try Home()
    let metrics = [
      "beats", "mean_nn_ms", "sdnn_ms", "rmssd_ms", "sdsd_ms", "pnn50_percent", "sd2_ms", "duration_s",
    ]
    func values(_ text: String) throws -> [Double?] {
      let path = try home.folder.write(text, to: "rr.txt")
      let json = try JSONValue(try home.run("analyze", "--raw", "--json", path).output)
      return metrics.map { json[$0]?.number }
    }
    #expect(try values(text) == values(Self.rr))
  }

  @Test func anInvalidLineIsReportedWithItsNumber() throws {
    let home = try Home()
    let path = try home.folder.write("# rest\n800\n850\n78O\n820\n", to: "rr.txt")
    for command in ["analyze", "replay"] {
      let outcome = try home.run(command, path)
      #expect(outcome.status == .exited(3))
      #expect(outcome.output.isEmpty)
      #expect(
        outcome.errors
          == "stressmon: \(path): line 4 is not an RR interval: \"78O\"; correct the line, or add "
          + "--skip-bad-lines to skip such lines\n")
    }
  }

  /// Seven invalid files, and the expected message for each.
  private static let broken: [(bytes: String, words: String)] = [
    ("", "is empty"), ("800\n78O\n810\n", "line 2 is not an RR interval"),
    ("\u{1}\u{2}", "has an unknown format"),
    ("# nothing\n", "contains no RR interval"),
    ("{\"format\":\"other\"}\n", "without the header of a recording"),
    ("time,hr\n1,72\n2,73\n3,71\n", "no column contains RR intervals (columns: time, hr)"),
    ("id;a;b\n1;812;912\n2;790;890\n", "2 columns are plausible as RR intervals (columns: id, a, b)"),
  ]

  @Test(arguments: [[], ["--json"]])
  func sevenInvalidFilesOfAHundredAreReportedAndTheOthersAnalyzed(options: [String]) throws {
    let home = try Home()
    let files = try (0..<100).map { place in
      let text = place % 14 == 1 && place < 98 ? Self.broken[place / 14].bytes : Self.rr
      return try home.folder.write(text, to: "rr\(place).txt")
    }
    let outcome = try home.start(["analyze", "--raw"] + options + files).outcome()
    #expect(outcome.status == .exited(3))
    let found =
      options.isEmpty
      ? outcome.lines.filter { $0.contains(": rr-text") }.compactMap {
        $0.split(separator: ":").first.map(String.init)
      }
      : try outcome.json().compactMap { $0["file"]?.text }
    #expect(found.count == 93)
    let errors = outcome.errors.split(separator: "\n").map(String.init)
    #expect(errors.count == 8)
    for (place, broken) in Self.broken.enumerated() {
      #expect(errors[place].hasPrefix("stressmon: \(files[place * 14 + 1])"), "\(errors[place])")
      #expect(errors[place].contains(broken.words), "\(errors[place])")
    }
    #expect(errors.last == "stressmon: 7 of 100 files could not be analyzed")
  }

  @Test func aMissingFileAmongOthersIsReportedAndTheOthersAnalyzed() throws {
    let home = try Home()
    let path = try home.folder.write(Self.rr, to: "rr.txt")
    let outcome = try home.run("analyze", "--json", home.file("missing.txt"), path)
    #expect(outcome.status == .exited(1))
    #expect(try outcome.json().map { $0["file"]?.text } == [path])
    #expect(outcome.errors.contains("no such file or folder"))
  }

  @Test func theColumnOfATableIsDetectedOrSelected() throws {
    let home = try Home()
    let path = try home.folder.write("index,RR\n1,812\n2,790\n3,805\n4,811\n", to: "rr.csv")
    let json = try JSONValue(try home.run("analyze", "--raw", "--json", path).output)
    #expect(json["mean_nn_ms"]?.number == 804.5 && json["column"]?.text == "RR")
    #expect(json["format"]?.text == "rr-text (ms)")
    #expect(try home.run("analyze", path).lines[0] == "\(path): rr-text (ms), column RR, 4 beats in 0:03")
    let chosen = try home.run("analyze", "--raw", "--json", "--column", "1", "--unit", "s", path)
    #expect(try JSONValue(chosen.output)["mean_nn_ms"]?.number == 2500)
    let wrong = try home.run("analyze", "--column", "IBI", path)
    #expect(wrong.status == .exited(3))
    #expect(
      wrong.errors.contains(
        "there is no column IBI (columns: index, RR); select the column with: --column"))
    #expect(
      try home.run("analyze", "--raw", "--json", "-", input: text(ofFile: path)).json()[0]["beats"]?.number
        == 4)
  }

  /// A window of 1 minute contains slightly less than 60 s of beats.
  @Test func windowsOfOneMinuteHaveHF() throws {
    let home = try Home()
    let rr = (0..<400).map { "\(900 + 40 * ($0 % 4 == 0 ? 1 : $0 % 4 == 2 ? -1 : 0) + $0 % 3)\n" }.joined()
    let path = try home.folder.write(rr, to: "rr.txt")
    let windows = try home.run("analyze", "--json", "--window", "1m", path).json()
    #expect(windows.count == 6)
    #expect(windows.allSatisfy { $0["hf_ms2"]?.number != nil })
  }

  @Test func invalidLinesAreSkippedAndCountedOnRequest() throws {
    let home = try Home()
    let path = try home.folder.write("800\n850\n78O\n-3\n820\nnan\n", to: "rr.txt")
    let analysis = try home.run("analyze", "--skip-bad-lines", path)
    #expect(analysis.status == .exited(0))
    #expect(analysis.lines.last?.hasSuffix("values left out: 3") == true)
    let json = try JSONValue(try home.run("analyze", "--skip-bad-lines", "--json", path).output)
    #expect(json["skipped_lines"]?.number == 3)
    let replay = try home.run("replay", "--skip-bad-lines", "--speed", "max", "--json", path)
    #expect(replay.errors == "stressmon: bad lines skipped: 3\n")
    #expect(try replay.json().rr == [800, 850, 820])
  }

  @Test func theUnitCanBeSpecified() throws {
    let home = try Home()
    let path = try home.folder.write("8\n9\n8\n", to: "rr.txt")
    func meanNN(_ arguments: String...) throws -> Double? {
      try JSONValue(try home.start(["analyze", "--raw", "--json", path] + arguments).outcome().output)[
        "mean_nn_ms"]?.number
    }
    #expect(abs((try meanNN("--unit", "ms") ?? 0) - 25.0 / 3) < 1e-9)
    #expect(abs((try meanNN() ?? 0) - 25_000.0 / 3) < 1e-6)
    #expect(try home.run("analyze", path, "--unit", "min").status == .exited(64))
  }

  @Test func severalFilesAndStandardInputAreAnalyzed() throws {
    let home = try Home()
    let path = try home.folder.write(Self.rr, to: "rr.txt")
    let json = try home.run("analyze", "--json", path, "-", path, input: "900\n910\n").json()
    #expect(json.map { $0["file"]?.text } == [path, "-", path])
    #expect(json.map { $0["beats"]?.number } == [5, 2, 5])
    let replay = try home.run("replay", "--speed", "max", "--json", "-", input: "900\n910\n")
    #expect(try replay.json().rr == [900, 910])
    // A recording through a pipe.
    _ = try home.run("record", home.file("a.jsonl"), "--simulate", "--speed", "max", "--duration", "40")
    let recording = try #require(home.contents("a.jsonl"))
    #expect(
      try home.run("replay", "--speed", "max", "--json", "-", input: recording).output
        == home.run("replay", "--speed", "max", "--json", home.file("a.jsonl")).output)
  }

  @Test func inputWithoutIntervalsIsReported() throws {
    let home = try Home()
    let missing = home.file("nowhere.txt")
    try home.folder.write("", to: "empty.txt")
    try home.folder.write("# nothing\n\n", to: "comments.txt")
    try home.folder.write("{\"a\":1}\n", to: "other.json")
    _ = try home.shell("printf '\\177ELF\\001\\000\\000' > binary; chmod 000 binary; chmod 600 binary")
    for (path, status, words) in [
      (missing, 1, "no such file or folder: \(missing)"), (home.path, 1, "\(home.path) is a folder"),
      (home.file("empty.txt"), 3, "empty.txt is empty"),
      (home.file("comments.txt"), 3, "contains no RR interval"),
      (home.file("binary"), 3, "has an unknown format"),
      (home.file("other.json"), 3, "without the header of a recording"),
    ] as [(String, CInt, String)] {
      for command in ["analyze", "replay"] {
        let outcome = try home.run(command, path)
        #expect(outcome.status == .exited(status), "\(path)")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
      }
    }
  }

  @Test func aDamagedRecordingIsReadUpToTheDamage() throws {
    let home = try Home()
    let path = home.file("a.jsonl")
    _ = try home.run("record", path, "--simulate", "--speed", "max", "--duration", "40")
    let whole = try home.run("replay", path, "--speed", "max", "--json")
    _ = try home.shell("truncate -s -30 a.jsonl")
    let torn = try home.run("replay", path, "--speed", "max", "--json")
    #expect(torn.status == .exited(0))
    #expect(torn.errors.contains("the last line is incomplete"))
    #expect(whole.output.hasPrefix(torn.output.split(separator: "\n").dropLast().joined(separator: "\n")))
    let lines = try #require(home.contents("a.jsonl")).split(
      separator: "\n", omittingEmptySubsequences: false)
    try home.folder.write(
      (lines[..<10] + ["what is this?"] + lines[10...]).joined(separator: "\n"), to: "b.jsonl")
    let foreign = try home.run("replay", home.file("b.jsonl"), "--speed", "max", "--json")
    #expect(foreign.errors.contains("line 11: skipped: not a JSON object"))
    #expect(foreign.output == torn.output)
    #expect(try home.run("analyze", home.file("b.jsonl")).errors.contains("line 11"))
  }

  @Test func beatsAreClassifiedUnlessRawIsGiven() throws {
    let home = try Home()
    var rr = Array(repeating: ["800", "810", "790"], count: 20).flatMap { $0 }
    rr[30] = "400"
    let path = try home.folder.write(rr.joined(separator: "\n"), to: "rr.txt")
    let judged = try JSONValue(try home.run("analyze", "--json", path).output)
    #expect((judged["artefact_percent"]?.number ?? 0) > 0)
    #expect((judged["beats"]?.number ?? 60) < 60)
    #expect(judged["series"]?["raw"]?["beats"]?.number == 60)
    let raw = try JSONValue(try home.run("analyze", "--json", "--raw", path).output)
    #expect(raw["beats"]?.number == 60)
    #expect(judged["series"]?["raw"] == raw["series"]?["raw"])
  }

  /// Beats of 0.8 s: a window of 8 s contains ten.
  @Test func windowsAreHalfOpenAndComplete() throws {
    let home = try Home()
    let path = try home.folder.write(String(repeating: "800\n", count: 55), to: "rr.txt")
    let lines = try home.run("analyze", path, "--window", "8s", "--json", "--metrics", "time").json()
    #expect(lines.map { $0["start_s"]?.number } == [0, 8, 16, 24, 32])
    #expect(lines.allSatisfy { $0["beats"]?.number == 10 && $0["duration_s"]?.number == 8 })
    let steps = try home.run("analyze", path, path, "--window", "8s", "--step", "4s", "--json").json()
    #expect(steps.count == 2 * 10 && steps[1]["start_s"]?.number == 4)
    #expect(steps.allSatisfy { $0["absent"]?["hf_ms2"]?.text?.contains("60 s needed") == true })
    let table = try home.run("analyze", path, "--window", "20s")
    #expect(table.lines[0] == "\(path): normal beats, 2 windows of 20s")
    #expect(table.lines[1].hasPrefix("start  beats  artefacts %  Mean NN ms"))
    #expect(table.output.contains("no HF: longest stretch without a gap 20 s, 60 s needed"))
    let long = try home.run("analyze", path, "--window", "45s")
    #expect(long.status == .exited(3))
    #expect(long.errors.contains("lasts 44.0 s, too short for a window of 45s"))
    for arguments in [
      ["--step", "5"], ["--window", "0"], ["--window", "60", "--step", "0.5"], ["--force"],
    ] {
      #expect(try home.start(["analyze", path] + arguments).outcome().status == .exited(64), "\(arguments)")
    }
  }

  @Test func theWindowsOfARecordingHaveTheTimeOfDay() throws {
    let home = try Home()
    let path = home.file("a.jsonl")
    _ = try home.run("record", path, "--simulate", "--speed", "max", "--duration", "3m")
    let whole = try JSONValue(try home.run("analyze", path, "--json").output)
    let windows = try home.run("analyze", path, "--json", "--window", "60s").json()
    #expect(windows.count == 2 && windows.allSatisfy { $0["time"]?.text?.hasSuffix("Z") == true })
    #expect(windows.allSatisfy { $0["artefact_percent"]?.number != nil })
    #expect((whole["beats"]?.number ?? 0) > windows.compactMap { $0["beats"]?.number }.reduce(0, +))
    for series in ["raw", "corrected"] {
      let lines = try home.run("analyze", path, "--json", "--window", "60s", "--\(series)").json()
      #expect(lines.count == 2 && lines.allSatisfy { $0["series"]?.text == series })
      #expect((lines[0]["artefact_percent"] == nil) == (series == "raw"))
    }
  }

  @Test func everyBeatIsWrittenWithItsVerdict() throws {
    let home = try Home()
    var rr = Array(repeating: ["800", "810.5", "790"], count: 20).flatMap { $0 }
    rr[30] = "400"
    rr[50] = "3500"
    let path = try home.folder.write(rr.joined(separator: "\n"), to: "rr.txt")
    let outcome = try home.run("analyze", path, "--beats", home.file("beats.csv"))
    #expect(outcome.status == .exited(0) && outcome.errors == "stressmon: wrote \(home.file("beats.csv"))\n")
    let rows = try #require(home.contents("beats.csv")).split(separator: "\n")
    #expect(rows.count == 61 && rows[0] == "index,time_s,rr_ms,verdict")
    #expect(rows[1] == "0,0.8,800,normal" && rows[2] == "1,1.6105,810.5,normal")
    #expect(rows[51].hasSuffix(",3500,gap"))
    #expect(rows[31].contains(",400,") && !rows[31].hasSuffix("normal"))
    var status = stat()
    #expect(stat(home.file("beats.csv"), &status) == 0 && status.st_mode & 0o777 == 0o600)
    // Existing files are not replaced, and no partial file remains.
    let again = try home.run("analyze", path, "--beats", home.file("beats.csv"), "--plot", home.file("p.svg"))
    #expect(again.status == .exited(1) && again.errors.contains("add --force to replace it"))
    #expect(!exists(home.file("p.svg")))
    #expect(
      try home.run("analyze", path, "--beats", home.file("beats.csv"), "--force").status == .exited(0))
    let missing = try home.run("analyze", home.file("none"), "--beats", home.file("none.csv"))
    #expect(missing.status == .exited(1) && !exists(home.file("none.csv")))
    #expect(try home.run("analyze", path, "--raw", "--beats", home.file("x")).status == .exited(64))
  }

  @Test func plotsAndTablesOfSeveralFilesContainTheirNames() throws {
    let home = try Home()
    for name in ["a", "b"] { try home.folder.write(Self.rr, to: "\(name).txt") }
    let outcome = try home.run(
      "analyze", home.file("a.txt"), home.file("b.txt"), "--plot", home.file("p.svg"), "--beats",
      home.file("t.csv"))
    #expect(outcome.status == .exited(0))
    for name in ["p-a.svg", "p-b.svg"] {
      #expect(home.contents(name)?.contains("RR interval (ms)") == true)
      #expect(home.contents(name)?.hasSuffix("</svg>\n") == true)
    }
    #expect(home.contents("t-a.csv") == home.contents("t-b.csv") && home.contents("t-a.csv") != nil)
    let twice = try home.run("analyze", home.file("a.txt"), home.file("a.txt"), "--plot", home.file("q.svg"))
    #expect(twice.status == .exited(1) && twice.errors.contains("two inputs have the same name"))
    #expect(!exists(home.file("q-a.svg")))
    let raw = try home.run("analyze", "--raw", home.file("a.txt"), "--plot", home.file("raw.svg"))
    #expect(raw.status == .exited(0) && home.contents("raw.svg")?.contains("5 beats, 0 of them") == true)
    for (name, value) in [("figure-width", "85mm"), ("figure-colours", "grey")] {
      #expect(try home.run("config", "set", name, value).status == .exited(0))
    }
    #expect(
      try home.run("analyze", home.file("a.txt"), "--plot", home.file("grey.svg")).status == .exited(0))
    let grey = try #require(home.contents("grey.svg"))
    #expect(grey.contains("width=\"85mm\""))
    #expect(grey.matches(of: /"#(..)(..)(..)"/).allSatisfy { $0.1 == $0.2 && $0.2 == $0.3 })
    let drawn = try home.run("analyze", home.file("a.txt"), "--plot", home.file("a.png"))
    #expect(drawn.status == .exited(0) && home.contents("a.png")?.contains("IHDR") == true)
    let neither = try home.run("analyze", home.file("a.txt"), "--plot", home.file("c.jpg"))
    #expect(
      neither.status == .exited(64)
        && neither.errors.contains("c.jpg' is neither an .svg, a .png nor a .pdf file")
    )
    #expect(!exists(home.file("c.jpg")))
    let missing = try home.run(
      "analyze", home.file("a.txt"), "--plot", home.file("b.png"), with: ["PATH": "/nowhere"])
    #expect(
      missing.status == .exited(1) && missing.errors.contains("rsvg-convert") && !exists(home.file("b.png")))
  }
}
