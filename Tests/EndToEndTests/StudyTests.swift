import Glibc
import TestSupport
import Testing

/// Studies, segments between marks, provenance and methods, with the program.
@Suite(.ownThreads) struct StudyTests {
  /// Five minutes with a respiration of `amplitude` ms.
  private static func rest(_ level: Int, _ amplitude: Int, seed: Int) -> String {
    (0..<360).map { "\(level + amplitude * [0, 1, 0, -1][$0 % 4] + ($0 * 7 + seed) % 13)\n" }.joined()
  }

  /// A study of four participants in the folder `study`.
  private func home(without missing: String? = nil) throws -> Home {
    let home = try Home()
    #expect(try home.run("study", "new", home.file("study")).status == .exited(0))
    mkdir(home.file("study/recordings"), 0o700)
    for number in 1...4 {
      for (condition, amplitude) in [("rest", 40), ("task", 20)] where "P\(number)_\(condition)" != missing {
        let text = Self.rest(850, amplitude + 3 * number, seed: number)
        _ = try home.folder.write(text, to: "study/recordings/P\(number)_\(condition).txt")
      }
    }
    return home
  }

  @Test func aNewStudyRunsWithItsExample() throws {
    let home = try home()
    let check = try home.run("study", "check", home.file("study"))
    #expect(check.status == .exited(0) && check.output.hasPrefix("recordings: 8, participants: 4,"))
    let run = try home.run("study", "run", home.file("study"))
    #expect(run.status == .exited(0), "\(run.errors)")
    let lines = (home.contents("study/results/segments.csv") ?? "").split(separator: "\r\n")
    #expect(lines.count == 9 && lines[0].hasPrefix("participant,condition,session,segment,epoch,file,"))
    #expect(home.contents("study/results/report.html")?.contains("<svg") == true)
    #expect(home.contents("study/results/segments.csv.unfinished") == nil)
    let provenance = try JSONValue(home.contents("study/results/provenance.json") ?? "")
    #expect(provenance["provenance"]?["parameters"]?["psd"]?.text == "lomb")
    // A second run with --resume gives the same table.
    let table = home.contents("study/results/segments.csv")
    #expect(try home.run("study", "run", home.file("study"), "--resume").status == .exited(0))
    #expect(home.contents("study/results/segments.csv") == table)
    #expect(try home.run("study", "new", home.file("study")).status == .exited(1))
  }

  /// Rows of a run that was interrupted are used by --resume.
  @Test func anInterruptedRunIsResumed() throws {
    let home = try home()
    let study = home.file("study")
    #expect(try home.run("study", "run", study).status == .exited(0))
    let whole = try #require(home.contents("study/results/segments.csv"))
    let half = String(whole.prefix(whole.count / 2)).replacing(",beat-to-beat,", with: ",kept,")
    unlink(home.file("study/results/segments.csv"))
    _ = try home.folder.write(half, to: "study/results/segments.csv.unfinished")
    #expect(try home.run("study", "run", study, "--resume").status == .exited(0))
    let resumed = try #require(home.contents("study/results/segments.csv"))
    #expect(resumed.contains(",kept,") && resumed.contains(",beat-to-beat,"))
    #expect(resumed.replacing(",kept,", with: ",beat-to-beat,") == whole)
  }

  @Test func missingRecordingsAreListedAndHaveRows() throws {
    let home = try home(without: "P2_task")
    let check = try home.run("study", "check", home.file("study"), "--json")
    #expect(check.status == .exited(3))
    let findings = try JSONValue(check.output)["findings"]?.elements ?? []
    #expect(findings.map { $0["recording"]?.text } == ["P2, task"])
    #expect(try home.run("study", "run", home.file("study")).status == .exited(3))
    #expect(home.contents("study/results/segments.csv")?.contains(",no recording,") == true)
    #expect(home.contents("study/results/comparison.csv")?.contains(",P2,") == true)
  }

  @Test func mistypedSettingsAreErrors() throws {
    let home = try home()
    for (text, part) in [
      ("recordings = \"{participant}.txt\"\nconditons = [\"a\"]\n", "'conditons'"),
      ("recordings = \"{name}.txt\"\n", "'recordings'"), ("title = \"x\"\n", "'recordings'"),
      ("recordings = \"*.txt\"\nsegments = [\"a\"]\n", "'segments'"),
      ("recordings = \"*.txt\"\noutcomes = [\"rmsd\"]\n", "'rmsd'"),
      ("recordings = \"*.txt\"\n[analysis]\npsd = \"fft\"\n", "'analysis.psd'"), ("= 1\n", "line 1"),
    ] {
      _ = try home.folder.write(text, to: "study/study.toml")
      let check = try home.run("study", "check", home.file("study"))
      #expect(check.status == .exited(3) && check.errors.contains(part), "\(text): \(check.errors)")
    }
    let none = try home.run("study", "check", home.file("other"))
    #expect(none.status == .exited(1) && none.errors.contains("stressmon study new"))
  }

  /// A second participant never changes the files of the first one.
  @Test func aStudyIsOneDatasetAndParticipantsAreSeparate() throws {
    let home = try home()
    let (study, dataset) = (home.file("study"), home.file("dataset"))
    #expect(try home.run("study", "bids", study, "--output", dataset).status == .exited(0))
    let participants = home.contents("dataset/participants.tsv")
    #expect(participants == "participant_id\nsub-P1\nsub-P2\nsub-P3\nsub-P4\n")
    let sums = "cd dataset; find sub-P1 -type f | sort | xargs sha256sum"
    let before = try home.shell(sums).output
    #expect(
      before.split(separator: "\n").count == 10 && before.contains("sub-P1_ses-01_task-task_recording-rr"))
    // Another participant, and the others again, of which only the same files may change.
    unlink(home.file("study/recordings/P1_rest.txt"))
    unlink(home.file("study/recordings/P1_task.txt"))
    _ = try home.folder.write(Self.rest(700, 30, seed: 9), to: "study/recordings/P9_rest.txt")
    #expect(try home.run("study", "bids", study, "--output", dataset).status == .exited(1))
    #expect(try home.run("study", "bids", study, "--output", dataset, "--force").status == .exited(0))
    #expect(try home.shell(sums).output == before)
    #expect(home.contents("dataset/participants.tsv")?.hasSuffix("sub-P4\nsub-P9\n") == true)
    // The values are those of the recordings.
    let exported = try home.run(
      "analyze", "--json",
      home.file("dataset/sub-P2/ses-01/beh/sub-P2_ses-01_task-rest_recording-rr_physioevents.tsv.gz"))
    let original = try home.run("analyze", "--json", home.file("study/recordings/P2_rest.txt"))
    #expect(try JSONValue(exported.output)["rmssd_ms"] == JSONValue(original.output)["rmssd_ms"])
  }

  /// A recording with the marks begin, stimulus (twice) and end.
  private func marked(_ home: Home) throws -> String {
    let path = home.file("marked.jsonl")
    #expect(
      try home.run("record", path, "--simulate", "--speed", "max", "--duration", "300").status == .exited(0))
    let marks = [(60.0, "mark 1: begin"), (100, "stimulus"), (150, "stimulus"), (200, "end")]
    var rest = marks[...]
    let lines = try #require(home.contents("marked.jsonl")).split(separator: "\n").flatMap { line in
      let time = try JSONValue(String(line))["monotonic_s"]?.number
      var before: [String] = []
      while let mark = rest.first, let time, time >= mark.0 {
        before.append("{\"type\":\"mark\",\"monotonic_s\":\(mark.0),\"text\":\"\(mark.1)\"}")
        rest = rest.dropFirst()
      }
      return before + [String(line)]
    }
    return try home.folder.write(lines.map { $0 + "\n" }.joined(), to: "marked.jsonl")
  }

  @Test func partsBetweenMarksAreAnalyzedInEachFormat() throws {
    let home = try Home()
    let path = try marked(home)
    let times = try JSONValue(try home.run("analyze", "--json", path + "@60s-200s").output)
    let marks = try home.run("analyze", "--json", path + "@begin-end")
    #expect(try JSONValue(marks.output)["rmssd_ms"] == times["rmssd_ms"], "\(marks.errors)")
    let segments = try home.run(
      "analyze", "--json", "--segment", "task=begin..end", "--epoch", "stimulus -10s +60s", path
    ).json()
    #expect(segments.map { $0["segment"]?.text } == ["task", "stimulus", "stimulus"])
    #expect(segments.map { $0["epoch"]?.number } == [nil, 1, 2])
    #expect(segments[0]["rmssd_ms"] == times["rmssd_ms"])
    #expect(segments.map { $0["start_s"]?.number } == [60, 90, 140])
    #expect(segments.map { $0["duration_s"]?.number } == [140, 70, 70])
    // The history of the recording contains its session without marks.
    let other = try Home()
    #expect(try other.run("import", path).status == .exited(0))
    let id = try #require(try other.run("history", "--sessions", "--json").json().first?["session"]?.text)
    for (format, output) in [("edf", "m.edf"), ("bids", "dataset")] {
      let export = try other.run(
        "export", "--session", id, "--format", format, "--output", other.file(output))
      #expect(export.status == .exited(0), "\(export.errors)")
      let part = try other.run("analyze", "--json", other.file(output) + "@begin..end")
      #expect(try JSONValue(part.output)["beats"] == times["beats"], "\(format): \(part.errors)")
    }
    let compare = try home.run(
      "compare", "--json", path + "@..begin", path + "@begin..end", "--psd", "welch", "--raw")
    let compared = try JSONValue(compare.output)
    #expect(compared["provenance"]?["parameters"]?["psd"]?.text == "welch", "\(compare.errors)")
    let missing = try home.run("analyze", path + "@begin..finish")
    #expect(missing.status == .exited(3) && missing.errors.contains("only: begin, stimulus, end"))
    for arguments in [["--segment", "task"], ["--epoch", "stimulus"]] {
      #expect(try home.start(["analyze", path] + arguments).outcome().status == .exited(64))
    }
  }

  @Test func outputsStateWhatTheyWereComputedWith() throws {
    let home = try Home()
    let path = try home.folder.write("810\n790\n800\n", to: "rr.txt")
    let digest = try home.shell("sha256sum rr.txt").output.prefix(64)
    let json = try JSONValue(try home.run("analyze", "--json", "--psd", "welch", path).output)
    #expect(json["provenance"]?["input_sha256"]?.text == String(digest))
    #expect(json["provenance"]?["parameters"]?["window_s"]?.text == "300.0")
    let csv = try home.run("analyze", "--csv", path).output
    #expect(csv.contains(",\(digest),") && csv.contains("series=normal classifier=stressmon"))
    let plot = try home.run("analyze", "--plot", home.file("a.svg"), "--title", "Rest & task", path)
    #expect(plot.status == .exited(0), "\(plot.errors)")
    #expect(home.contents("a.svg")?.contains("<title id=\"title\">Rest &amp; task</title>") == true)
    let sidecar = try JSONValue(home.contents("a.svg.json") ?? "")
    #expect(sidecar["provenance"]?["input_sha256"]?.text == String(digest))
    // The folder of the file is not in the figure.
    #expect(try home.run("analyze", "--plot", home.file("b.svg"), path).status == .exited(0))
    #expect(home.contents("b.svg")?.contains(home.path) == false)
  }

  @Test func methodsNameTheParametersAndReferences() throws {
    let home = try home()
    let study = try home.run("methods", home.file("study")).output
    #expect(study.contains("Lomb-Scargle") && study.contains("Holm (1979)") && study.contains("[Holm1979]"))
    let file = try home.run(
      "methods", home.file("study/recordings/P1_rest.txt"), "--psd", "ar", "--detrend", "smoothness-priors"
    ).output
    #expect(file.contains("order 16 (Burg 1975)") && file.contains("lambda = 500") && !file.contains("Lomb"))
    let like = try home.run(
      "methods", home.file("study/recordings/P1_rest.txt"), "--like", "kubios", "--json")
    #expect(like.errors.contains("--corrected --psd welch --detrend smoothness-priors"))
    #expect(try JSONValue(like.output)["provenance"]?["parameters"]?["series"]?.text == "corrected")
    #expect(try home.run("methods", home.file("none.txt")).status == .exited(1))
  }

  @Test func aComparisonDependsOnTheHistoryOnlyOnRequest() throws {
    let home = try Home()
    #expect(
      try home.run("record", home.file("a.jsonl"), "--simulate", "--speed", "max", "--duration", "600").status
        == .exited(0))
    let sides = [home.file("a.jsonl") + "@0:15-2:15", home.file("a.jsonl") + "@3:30-5:30"]
    let plain = try home.start(["compare"] + sides).outcome().output
    let own = try home.start(["compare", "--baseline", "own"] + sides).outcome().output
    #expect(plain.contains("(population default)") && own.contains("of 'me')"))
    let empty = try Home()
    #expect(try empty.start(["compare"] + sides).outcome().output == plain)
    // All settings of a comparison together, and a value of the option that does not exist.
    let complete =
      ["compare", "--json", "--psd", "welch", "--detrend", "smoothness-priors", "--correction", "medium"]
      + ["--baseline", "default"]
    let settings = try JSONValue(try home.start(complete + sides).outcome().output)
    #expect(settings["provenance"]?["parameters"]?["correction"]?.text == "medium")
    #expect(
      try home.start(complete + sides).outcome().output == empty.start(complete + sides).outcome().output)
    #expect(
      try home.start(["compare", "--baseline", "default", "--raw"] + sides).outcome().status == .exited(0))
    #expect(try home.start(["compare", "--baseline", "mine"] + sides).outcome().status == .exited(64))
  }

  @Test func aTimeColumnIsSelected() throws {
    let home = try Home()
    let rows = (0..<100).map { "\($0 < 50 ? $0 : $0 + 60);\($0 % 3);1000\n" }.joined()
    let path = try home.folder.write("when;other;rr\n" + rows, to: "table.csv")
    let plain = try JSONValue(try home.run("analyze", "--json", "--column", "rr", path).output)
    #expect(plain["gaps"]?.number == 0)
    let timed = try home.run("analyze", "--json", "--time-column", "when", path)
    #expect(try JSONValue(timed.output)["gaps"]?.number == 1, "\(timed.errors)")
    let missing = try home.run("analyze", "--time-column", "time", path)
    #expect(missing.status == .exited(3) && missing.errors.contains("time"))
  }

  /// `run` reads each recording once, and reports the same problems as `check`.
  @Test func aRunReportsTheProblemsOfACheck() throws {
    let home = try home(without: "P2_task")
    let folder = "study/recordings"
    _ = try home.folder.write("800\n810\n820\n", to: "\(folder)/P5_rest.txt")
    _ = try home.folder.write("no numbers\n", to: "\(folder)/P5_task.txt")
    let check = try home.run("study", "check", home.file("study"))
    let run = try home.run("study", "run", home.file("study"))
    #expect(check.status == .exited(3) && run.status == .exited(3))
    #expect(check.output.contains("unreadable") && check.output.contains("too short"))
    #expect(run.output.hasPrefix(check.output), "\(run.output)\n\(check.output)")
  }
}
