import HRV
import HeartRate
import Platform
import TestSupport
import Testing

@testable import Formats
@testable import Reports

@Suite struct RecordingPatternTests {
  @Test func fieldsMatchPartsOfNames() throws {
    let pattern = try #require(RecordingPattern("data/{participant}_{condition}.*"))
    let match = { pattern.match($0, conditions: ["rest", "post_task"]) }
    #expect(match("data/P01_rest.txt") == [.participant: "P01", .condition: "rest"])
    #expect(match("data/P_01_post_task.csv") == [.participant: "P_01", .condition: "post_task"])
    #expect(
      match("data/P01.txt") == nil && match("P01_rest.txt") == nil && match("data/x/P01_rest.txt") == nil)
    #expect(match("data/P01_other.txt")?[.condition] == "other")
  }

  @Test(arguments: [
    "", "/a/{participant}", "{name}.txt", "{participant", "a}b", "{session}{session}", "../x",
  ])
  func malformedPatternsAreRejected(text: String) { #expect(RecordingPattern(text) == nil) }
}

@Suite struct SessionMarksTests {
  private func marks(_ texts: [(Double, String)]) -> SessionMarks {
    SessionMarks(
      texts.map {
        SessionEvent(at: SessionTime(ticks: Intervals.ticks(milliseconds: $0.0 * 1000)), .mark($0.1))
      })
  }

  private func span(_ begin: SpanPoint?, _ end: SpanPoint?) -> SessionSpan {
    .times(TimeSpan(begin: begin, end: end))
  }

  @Test func marksAreFoundByTextNoteAndNumber() throws {
    let marks = marks([
      (10, "mark 1: begin"), (20, "mark 2"), (30, "tone"), (40, "mark 3: end"), (50, "tone"),
    ])
    #expect(marks.names == ["begin", "mark 2", "tone", "end"])
    let range = try marks.range(of: span(.mark("begin"), .mark("end")), named: "a")
    #expect(range.from?.seconds == 10 && range.to?.seconds == 40)
    let second = try marks.range(
      of: span(.mark("mark 2"), .mark("tone", occurrence: 2, offset: .seconds(-5))), named: "b")
    #expect(second.from?.seconds == 20 && second.to?.seconds == 45)
    // The end is the first mark with the name after the beginning.
    let next = try marks.range(of: span(.mark("end"), .mark("tone")), named: "c")
    #expect(next.to?.seconds == 50)
  }

  @Test func missingMarksAndEmptyRangesAreErrors() throws {
    let marks = marks([(10, "begin"), (40, "end")])
    let missing = #expect(throws: ReportError.self) {
      try marks.range(of: span(.mark("start"), nil), named: "x")
    }
    #expect(missing?.description == "the session has no mark 'start', only: begin, end")
    let backwards = #expect(throws: ReportError.self) {
      try marks.range(of: span(.mark("end"), .time(.seconds(5))), named: "x")
    }
    #expect(backwards?.code == .emptyPart && backwards?.isBadData == true)
  }

  @Test func epochsAreAroundEachMark() throws {
    let events = Intervals.events(Array(repeating: 1000, count: 100))
    let all = (events + [30, 60].map { SessionEvent(at: events[$0 - 1].at, .mark("tone")) }).sorted {
      $0.at < $1.at
    }
    let analysis = SessionAnalysis(
      events: all, file: "a", started: nil, top: .raw, selection: .time)
    let windows = try AnalysisWindows(
      analysis, segments: [Segment("tone", .epochs(mark: "tone", from: .seconds(-10), to: .seconds(60)))])
    #expect(windows.windows.map(\.start.seconds) == [20, 50])
    // The second epoch ends with the session.
    #expect(windows.windows.map(\.end.seconds) == [90, 100])
    #expect(windows.windows.map(\.metrics.beats) == [70, 50])
    #expect(windows.windows.map { $0.segment?.epoch } == [1, 2])
  }
}

@Suite struct StudyTests {
  private func plan(_ pattern: String = "{participant}_{condition}.txt") throws -> StudyPlan {
    var plan = StudyPlan(title: "Test", recordings: try #require(RecordingPattern(pattern)))
    plan.conditions = ["rest", "task"]
    plan.shortest = .seconds(30)
    plan.metrics = [.meanNN, .rmssd, .lnRMSSD, .hf]
    return plan
  }

  /// Recordings whose RMSSD is that of the participant, times 0.5 in the task.
  private func folder(_ participants: [Int], without missing: Set<String> = []) throws -> Scratch {
    let scratch = try Scratch()
    for number in participants {
      for (condition, factor) in [("rest", 1.0), ("task", 0.5)]
      where !missing.contains("\(number)_\(condition)") {
        let values = Intervals.rest(900, by: Double(20 + 5 * number) * factor, count: 200)
        _ = try scratch.file(values.map { "\($0)\n" }.joined().utf8, name: "P\(number)_\(condition).txt")
      }
    }
    return scratch
  }

  private func results(_ plan: StudyPlan, _ folder: Scratch) throws -> (StudyInventory, [StudyRow]) {
    let inventory = try StudyInventory(plan, folder: folder.folder)
    return (inventory, StudyRun(plan, inventory).rows())
  }

  @Test func recordingsArePairedByParticipantAndMissingOnesAreListed() throws {
    let plan = try plan()
    let (inventory, rows) = try results(plan, folder(Array(1...8), without: ["3_rest", "6_task"]))
    #expect(inventory.findings.map(\.kind) == [.missing, .missing])
    #expect(inventory.findings.map(\.subject) == ["P3, rest", "P6, task"])
    #expect(rows.count == 16)
    let missing = rows.filter { $0.reasons(plan) == "no recording" }
    #expect(
      missing.map(\.participant) == ["P3", "P6"] && missing.allSatisfy { $0.value(.rmssd, plan) == nil })
    let comparison = StudyComparison(plan, inventory, rows)
    let row = try #require(comparison.rows.first)
    #expect(comparison.rows.count == 1 && row.a.count == 6 && row.b.count == 6)
    #expect(row.unpaired == ["P3", "P6"])
    // Each pair has exactly half the RMSSD: pairs of different participants would vary.
    #expect(isClose(row.found?.difference, -0.693147, 0.02))
    #expect(isClose(row.b.mean - row.a.mean, try #require(row.found?.difference)))
  }

  @Test func duplicatesAreReportedAndNotUsed() throws {
    let plan = try plan("*/{participant}_{condition}.txt")
    let scratch = try Scratch()
    for name in ["a", "b"] {
      try Folder.create("\(scratch.folder)/\(name)")
      _ = try scratch.file("800\n810\n".utf8, name: "\(name)/P1_rest.txt")
    }
    let inventory = try StudyInventory(plan, folder: scratch.folder)
    #expect(inventory.recordings.isEmpty)
    #expect(inventory.findings.first?.kind == .duplicate)
    #expect(inventory.findings.first?.detail == "a/P1_rest.txt, b/P1_rest.txt")
  }

  @Test func reasonsOfEmptyCellsAreStated() throws {
    var plan = try plan()
    plan.segments = [
      Segment("whole", .whole), Segment("short", .span(.times(TimeSpan(from: nil, to: .seconds(20))))),
      Segment("marked", .span(.times(TimeSpan(begin: .mark("go"), end: nil)))),
    ]
    let scratch = try folder([1])
    var (inventory, rows) = try results(plan, scratch)
    let reasons = rows.filter { $0.condition == "rest" }.map { $0.reasons(plan) }
    #expect(reasons[0].isEmpty && reasons[1] == "too short: 20.0 s, 30.0 s needed")
    #expect(reasons[2] == "the session has no mark 'go': it contains no marks")
    inventory.readRecordings(plan)
    #expect(Set(inventory.findings.map(\.kind)) == [.tooShort, .noSegment], "\(scratch.folder)")
  }

  @Test func longAndWideTablesGiveTheSameRowsAsFiles() throws {
    let (participants, conditions) = ([1, 2], [("rest", 1.0), ("task", 0.5)])
    let files = try folder(participants)
    let expected = try results(plan(), files).1
    func values(_ number: Int, _ factor: Double) -> [Double] {
      Intervals.rest(900, by: Double(20 + 5 * number) * factor, count: 200)
    }
    let long = participants.flatMap { number in
      conditions.flatMap { condition, factor -> [String] in
        var time = 0.0
        return values(number, factor).map { value in
          time += value / 1000
          return "P\(number),\(condition),\(time),\(value)\n"
        }
      }
    }
    let columns = participants.flatMap { number in conditions.map { ("P\(number)_\($0)", values(number, $1)) }
    }
    let wide = (0..<200).map { row in columns.map { "\($0.1[row])" }.joined(separator: ";") + "\n" }
    for (name, text) in [
      ("long.csv", "participant,condition,timestamp,rr_ms\n" + long.joined()),
      ("wide.csv", columns.map(\.0).joined(separator: ";") + "\n" + wide.joined()),
    ] {
      let scratch = try Scratch()
      _ = try scratch.file(text.utf8, name: name)
      let plan = try plan("*.csv")
      let rows = try results(plan, scratch).1
      #expect(rows.map(\.participant) == expected.map(\.participant), "\(name)")
      for (row, other) in zip(rows, expected) {
        for metric in plan.metrics {
          #expect(isClose(row.value(metric, plan), try #require(other.value(metric, plan)), 1e-6), "\(name)")
        }
      }
    }
  }

  @Test func unchangedRecordingsAreReusedAndChangedOnesAreNot() throws {
    let plan = try plan()
    let scratch = try folder([1, 2])
    let (inventory, rows) = try results(plan, scratch)
    // A row that only reuse can give.
    var edited = rows
    edited[0] = StudyRow(cells: rows[0].cells.map { $0 == rows[0].cells[20] ? "1.5" : $0 })
    let read = StudyTable.rows(StudyTable.text(edited, plan), plan)
    #expect(read == edited)
    #expect(StudyRun(plan, inventory, earlier: read).rows() == edited)
    _ = try scratch.file(Intervals.rest(700, count: 200).map { "\($0)\n" }.joined().utf8, name: "P1_rest.txt")
    #expect(StudyRun(plan, inventory, earlier: read).rows()[0].value(.meanNN, plan) == 699.6)
    var other = plan
    other.shortest = .seconds(40)
    #expect(other.digest != plan.digest)
  }

  @Test func incompleteRowsOfAnInterruptedRunAreOmitted() throws {
    let plan = try plan()
    let row = StudyRow(cells: StudyRow.columns(plan).map { $0 == "file" ? "a \"b\", =c\n" : "-\($0)" })
    let text = StudyTable.text([row, row], plan)
    #expect(StudyTable.rows(String(text.dropLast(20)), plan).count == 1)
    var other = plan
    other.metrics = [.rmssd]
    #expect(StudyTable.rows(text, other).isEmpty)
  }

  @Test func theReportNamesMethodsReferencesAndMissingRecordings() throws {
    let plan = try plan()
    let (inventory, rows) = try results(plan, folder(Array(1...4), without: ["2_task"]))
    let report = StudyReport(plan, inventory, rows, StudyComparison(plan, inventory, rows)).document
    for part in ["P2, task", "Holm (1979)", "Task Force of the European", "task - rest", plan.digest] {
      #expect(report.html.contains(part), "\(part)")
    }
    #expect(
      report.html.contains("<svg") && !report.html.contains("<?xml")
        && report.markdown.contains("| outcome |"))
  }
}

@Suite struct FileDigestTests {
  /// Test vectors of FIPS 180-4 and of NIST.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func vectors(text: String, digest: String) { #expect(FileDigest.hex(of: text) == digest) }

  @Test func piecesGiveTheDigestOfTheWhole() throws {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var whole = FileDigest()
    whole.update(bytes)
    var pieces = FileDigest()
    for start in stride(from: 0, to: 1000, by: 37) {
      pieces.update(Array(bytes[start..<min(1000, start + 37)]))
    }
    let expected = whole.hex()
    #expect(pieces.hex() == expected)
    let scratch = try Scratch()
    let path = try scratch.file(bytes)
    #expect(try FileDigest.hex(ofFile: path) == expected)
    #expect(try FileDigest.hex(ofFile: scratch.folder) == nil)
    #expect(try FileDigest.hex(ofFile: "-") == nil)
  }
}
