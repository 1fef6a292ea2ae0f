import Glibc
import TestSupport
import Testing

/// Tables of many files, groups of sessions, stored sessions and methods of `analyze`.
@Suite(.ownThreads) struct BatchTests {
  /// A rest of about five minutes with a respiration of `amplitude` ms.
  private static func rest(_ level: Int, _ amplitude: Int, seed: Int) -> String {
    (0..<360).map { "\(level + amplitude * [0, 1, 0, -1][$0 % 4] + ($0 * 7 + seed) % 13)\n" }.joined()
  }

  /// The fields of each line of a table without quotation marks.
  private static func table(_ text: String) -> [[String]] {
    text.split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test func aTableOfFilesHasOneRowPerFileAndTheSameColumnsAlways() throws {
    let home = try Home()
    let files = try (1...3).map {
      try home.folder.write(Self.rest(800, 10 * $0, seed: $0), to: "rr\($0).txt")
    }
    let all = Self.table(try home.run("analyze", "--raw", "--csv", files[0], files[1], files[2]).output)
    #expect(all.count == 4 && Set(all.map(\.count)).count == 1)
    #expect(all[0].starts(with: ["file", "format", "time", "start_s", "duration_s", "series"]))
    #expect(all[0].suffix(4) == ["triangular_index", "tinn_ms", "sdann_ms", "sdnn_index_ms"])
    let time = Self.table(try home.run("analyze", "--raw", "--csv", "--metrics", "time", files[0]).output)
    #expect(time[0] == all[0])
    let (rmssd, hf) = (
      try #require(all[0].firstIndex(of: "rmssd_ms")), try #require(all[0].firstIndex(of: "hf_ms2"))
    )
    #expect(time[1][rmssd] == all[1][rmssd] && time[1][hf].isEmpty && !all[1][hf].isEmpty)
    let json = try JSONValue(try home.run("analyze", "--raw", "--json", files[0]).output)
    #expect(json["rmssd_ms"]?.number == Double(all[1][rmssd]))
  }

  @Test func aTableOfWindowsHasOneRowPerFileAndWindow() throws {
    let home = try Home()
    let path = try home.folder.write(Self.rest(800, 20, seed: 1), to: "rr.txt")
    let table = Self.table(try home.run("analyze", "--csv", "--window", "1m", path, path).output)
    #expect(table.count == 1 + 2 * 4)
    let start = try #require(table[0].firstIndex(of: "start_s"))
    #expect(table[1...4].map { $0[start] } == ["0.0", "60.0", "120.0", "180.0"])
  }

  @Test func anUnreadableFileOfATableIsReportedAndTheOthersHaveRows() throws {
    let home = try Home()
    let path = try home.folder.write(Self.rest(800, 20, seed: 1), to: "a, \"b\".txt")
    let outcome = try home.run("analyze", "--csv", home.file("missing.txt"), path)
    #expect(outcome.status == .exited(1) && outcome.errors.contains("missing.txt"))
    #expect(outcome.output.contains("\"\(path.split(separator: "\"").joined(separator: "\"\""))\","))
    #expect(try home.run("analyze", "--csv", "--json", path).status == .exited(64))
  }

  @Test func groupsAreComparedWithEffectSizeAndTest() throws {
    let home = try Home()
    let a = try (1...4).map { try home.folder.write(Self.rest(900, 40 + $0, seed: $0), to: "a\($0).txt") }
    let b = try (1...4).map { try home.folder.write(Self.rest(800, 15 + 2 * $0, seed: $0), to: "b\($0).txt") }
    let outcome = try home.start(["compare", "--json", "--groups"] + a + ["--with"] + b).outcome()
    let json = try JSONValue(outcome.output)
    let row = try #require(json["comparison"]?["ln_rmssd"])
    let values = try (a + b).map { file in
      try #require(
        JSONValue(try home.run("analyze", "--json", "--metrics", "time", file).output)["ln_rmssd"]?.number)
    }
    let means = (values[..<4].reduce(0, +) / 4, values[4...].reduce(0, +) / 4)
    #expect(json["design"]?.text == "independent" && json["effect"]?.text == "g")
    #expect(abs((row["mean_a"]?.number ?? .nan) - means.0) < 1e-9)
    #expect(abs((row["difference"]?.number ?? .nan) - (means.1 - means.0)) < 1e-9)
    #expect((row["p"]?.number ?? 1) < 0.001 && (row["effect_size"]?.number ?? 0) < -3)
    let paired = try home.start(["compare", "--csv", "--paired", "--groups"] + a + ["--with"] + b).outcome()
    let table = Self.table(paired.output)
    #expect(table[0].starts(with: ["metric", "design", "effect", "count_a", "count_b", "mean_a"]))
    #expect(table[1].starts(with: ["ln_rmssd", "paired", "dz", "4", "4"]))
    let text = try home.start(["compare", "--groups"] + a + ["--with"] + b).outcome()
    #expect(text.lines[0] == "A: 4 sessions, B: 4 sessions" && text.lines[2].hasPrefix("ln RMSSD"))
  }

  /// Regression: pairs were formed by position, so that a missing file shifted all pairs after it.
  @Test func pairsAreFormedByParticipantAndPrinted() throws {
    let home = try Home()
    func file(_ name: String, _ spread: Int) throws -> String {
      try home.folder.write(Self.rest(900, 20 + spread, seed: spread), to: name)
    }
    let pre = try (1...8).map { try file("P0\($0)_pre.txt", $0) }
    let post = try (1...8).map { try file("P0\($0)_post.txt", $0 + 5) }
    let (a, b) = (pre.filter { !$0.contains("P03") }, Array(post.filter { !$0.contains("P07") }.reversed()))
    let command = ["compare", "--paired", "--metrics", "time", "--groups"] + a + ["--with"] + b
    let json = try JSONValue(try home.start(command + ["--json"]).outcome().output)
    let pairs = try #require(json["pairs"]?.elements)
    #expect(pairs.count == 6)
    for pair in pairs {
      let (first, second) = (pair["a"]?.text ?? "", pair["b"]?.text ?? "")
      #expect(first.replacing("_pre", with: "") == second.replacing("_post", with: ""))
      #expect(first.contains(pair["participant"]?.text ?? "none"))
    }
    #expect(json["unpaired_a"]?.elements.compactMap(\.text) == [pre[6]])
    #expect(json["unpaired_b"]?.elements.compactMap(\.text) == [post[2]])
    #expect(json["comparison"]?["ln_rmssd"]?["count_a"]?.number == 6)
    let text = try home.start(command).outcome()
    #expect(text.lines[0].hasPrefix("6 pairs") && text.output.contains("without a partner in B: \(pre[6])"))
    // The same pairs from a list.
    let list = pairs.map { "\($0["a"]?.text ?? "")\t\($0["b"]?.text ?? "")\n" }.joined()
    let path = try home.folder.write("A\tB\n" + list, to: "pairs.tsv")
    let listed = try JSONValue(
      try home.run("compare", "--json", "--metrics", "time", "--pairs", path).output)
    #expect(listed["comparison"] == json["comparison"])
    // Ambiguity, no participant in common, and a damaged list.
    let twice = try home.start(
      ["compare", "--paired", "--groups", pre[0], pre[0], pre[1], "--with"] + post
    ).outcome()
    #expect(twice.status == .exited(64) && twice.errors.contains("--pairs"))
    let other = try home.run("compare", "--paired", "--groups", pre[0], pre[1], "--with", post[2], post[3])
    #expect(other.status == .exited(64) && other.errors.contains("no session of A"))
    let bad = try home.folder.write("\(pre[0])\n", to: "bad.csv")
    let damaged = try home.run("compare", "--pairs", bad)
    #expect(damaged.status == .exited(3) && damaged.errors.contains("line 1"))
  }

  @Test func anUnreadableFileIsExcluded() throws {
    let home = try Home()
    let files = try (1...3).map {
      try home.folder.write(Self.rest(850, 20 + $0, seed: $0), to: "rr\($0).txt")
    }
    #expect(try home.run("compare", "--groups", files[0]).status == .exited(64))
    let bad = try home.folder.write("800\nx\n", to: "bad.txt")
    let outcome = try home.run(
      "compare", "--json", "--groups", files[0], files[1], bad, "--with", files[1], files[2])
    #expect(outcome.status == .exited(3) && outcome.errors.contains("bad.txt"))
    #expect(try JSONValue(outcome.output)["comparison"]?["ln_rmssd"]?["count_a"]?.number == 2)
  }

  @Test func storedSessionsAndTheirPartsAreAnalyzedLikeTheFile() throws {
    let home = try Home()
    let path = try home.folder.write(Self.rest(850, 20, seed: 3), to: "rr.txt")
    #expect(try home.run("import", path, "--at", "2026-06-01T07:30").status == .exited(0))
    let session = try #require(try home.run("history", "--sessions", "--json").json().first?["session"]?.text)
    let (file, stored) = (
      try JSONValue(try home.run("analyze", "--json", path).output),
      try JSONValue(try home.run("analyze", "--json", String(session.prefix(8))).output)
    )
    #expect(stored["file"]?.text == session && stored["format"]?.text == "session")
    for key in ["beats", "rmssd_ms", "hf_ms2", "dfa_alpha1", "duration_s"] {
      #expect(stored[key] == file[key], "\(key)")
    }
    let (part, same) = (
      try JSONValue(try home.run("analyze", "--json", "\(session)@1:00-3:00").output),
      try JSONValue(try home.run("analyze", "--json", "\(path)@1:00-3:00").output)
    )
    #expect(part["rmssd_ms"] == same["rmssd_ms"] && (part["duration_s"]?.number ?? 0) > 118)
    #expect((part["duration_s"]?.number ?? 0) < 122)
    #expect(
      try home.run("analyze", session, "--plot", home.file("plot.svg")).status == .exited(0)
        && home.contents("plot.svg") != nil)
    let unknown = try home.run("analyze", "01ZZ")
    #expect(unknown.status != .exited(0) && unknown.errors.contains("history --sessions"))
  }

  @Test func methodsOfSpectrumAndCorrectionChangeTheResultAndAreStated() throws {
    let home = try Home()
    var lines = Self.rest(850, 20, seed: 3).split(separator: "\n").map(String.init)
    lines[100] = "1050"
    let path = try home.folder.write(lines.joined(separator: "\n"), to: "rr.txt")
    var powers: Set<Double> = []
    for method in ["lomb", "welch", "ar"] {
      for trend in ["window", "smoothness-priors"] {
        let json = try JSONValue(
          try home.run("analyze", "--json", "--psd", method, "--detrend", trend, path).output)
        #expect(json["psd"]?.text == method && json["detrend"]?.text == trend)
        powers.insert(try #require(json["hf_ms2"]?.number))
      }
    }
    #expect(powers.count == 6)
    for (level, artefacts) in [("low", 0.0), ("strong", 1)] {
      let json = try JSONValue(try home.run("analyze", "--json", "--correction", level, path).output)
      #expect(json["correction"]?.text == level && json["verdicts"]?["long"]?.number == artefacts)
    }
    #expect(
      try JSONValue(try home.run("analyze", "--json", "--correction", "none", path).output)["raw"]?.bool
        == true)
    #expect(try home.run("analyze", "--psd", "welch", "--metrics", "time", path).status == .exited(64))
  }

  @Test func alpha1OverTimeStatesWhyThereIsNoCrossing() throws {
    let home = try Home()
    let path = try home.folder.write(Self.rest(600, 20, seed: 3), to: "ride.txt")
    let json = try JSONValue(try home.run("analyze", "--alpha1", "--json", "--step", "15", path).output)
    #expect(json["threshold_hr_bpm"] == .null && json["threshold_absent"]?.text?.isEmpty == false)
    #expect((json["windows"]?.elements.count ?? 0) > 5)
    #expect(try home.run("analyze", "--alpha1", path).lines.last?.hasPrefix("no crossing of 0.75: ") == true)
  }
}
