import Glibc
import TestSupport
import Testing

/// Tables of many files, stored sessions and methods of `analyze`.
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
    #expect(all[0].suffix(4) == ["tinn_ms", "sdann_ms", "sdnn_index_ms", "ulf_ms2"])
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
