import HeartRate
import JSONLines
import SessionData
import TestSupport
import Testing

@testable import Formats
@testable import Platform
@testable import Recording

@Suite struct RRTextTests {
  private func parse(_ text: String, _ options: RRText.Options = .init()) throws -> RRText {
    try RRText(Array(text.utf8), options: options)
  }

  @Test(arguments: [
    "812.3\n790\n801.25\n", "812.3\r\n790\r\n801.25\r\n", "812,3\n790\n801,25",
    "\u{FEFF}812.3\n790\n801.25\n",
    "# comment\n\n812.3  \n\t790\n\n801.25\n\n", "RR (ms)\n812.3\n790\n801.25\n",
    "\"RR\"\r\n812.3\n790\n801.25\n",
    "8.123e+02\n7.9e2\n801.250000\n", "0.8123\n0.79\n0.80125\n", "0,8123\n0,79\n0,80125",
    "8.123000000000000000e-01\n.79\n00.80125\n",
  ]) func equivalentNotationsGiveEqualIntervals(text: String) throws {
    let expected = [64_984_000, 63_200_000, 64_100_000].map { RRInterval(ticks: $0) }
    #expect(try parse(text).intervals == expected)
  }

  @Test func unitIsThatOfMostNumbers() throws {
    #expect(try parse("0.8\n0.9\n").unit == .seconds)
    #expect(try parse("800\n900\n").unit == .milliseconds)
    #expect(try parse("0.8\n12.5\n0.9\n").unit == .seconds, "a gap of 12.5 s among seconds")
    #expect(try parse("800\n9\n900\n").unit == .milliseconds, "a false detection among ms")
    #expect(try parse("0.8\n0.9\n", .init(unit: .milliseconds)).intervals[0] == RRInterval(ticks: 64_000))
    #expect(try parse("12\n13\n", .init(unit: .seconds)).intervals[0].milliseconds == 12_000)
  }

  @Test(arguments: [
    ("800\nabc\n", 2, "abc"), ("800\n0\n", 2, "0"), ("800\n-5\n", 2, "-5"), ("800\nnan\n", 2, "nan"),
    ("nan\n800\n", 1, "nan"), ("800\n86400000\n", 2, "86400000"), ("800\n1e300\n", 2, "1e300"),
    ("800\n1.2.3\n", 2, "1.2.3"), ("800\n;\n", 2, ";"), ("RR\nRR\n", 2, "RR"),
    ("# c\n\nRR\n800\nx\n", 5, "x"), ("800\n12,5,7", 2, "12,5,7"), ("0.8\n0.9\n0.7\nx\n", 4, "x"),
    ("0.8\n0.9\n86400\n", 3, "86400"),
  ]) func badLineIsReportedWithItsNumber(text: String, line: Int, content: String) {
    #expect(throws: RRText.BadLine(line: line, text: content)) { try parse(text) }
  }

  /// Too short for ms, long enough for seconds: the lines after it count too.
  @Test func aLineTooShortForMillisecondsDoesNotDecideTheUnit() throws {
    #expect(throws: RRText.BadLine(line: 2, text: "0.000001")) {
      try parse("0.8\n0.000001\n800\n810\n820\n")
    }
    #expect(try parse("0.8\n0.000001\n0.9\n").unit == .seconds)
  }

  @Test func badLinesAreSkippedAndCounted() throws {
    let text = try parse("x\n800\n?\n\n810\n-1\n# c\n", .init(skipsBadLines: true))
    #expect(text.intervals.map(\.milliseconds) == [800, 810])
    #expect(text.skippedLines == 2, "the first line is a heading")
  }

  @Test func messageShortensALongLineAndEscapesControlCharacters() {
    let bad = #expect(throws: RRText.BadLine.self) {
      try parse("800\n\u{1B}[2J" + String(repeating: "é", count: 500) + "\n")
    }
    #expect(bad.map { $0.text.utf8.count <= 64 && !$0.description.contains("\u{1B}") } == true)
  }

  @Test(arguments: 0..<6 as Range<UInt64>) func fastAndGeneralParsersGiveEqualIntervals(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var text = ""
    var expected: [RRInterval] = []
    for _ in 0..<4000 {
      let places = Int.random(in: 0...4, using: &random)
      let power = (0..<places).reduce(Int64(1)) { product, _ in product * 10 }
      let number = Int64.random(in: 300 * power...2000 * power, using: &random)
      let digits = String(number % power + power).dropFirst()
      text += "\(number / power)" + (places > 0 ? ".\(digits)" : "")
      // What makes the slow way: a space, a carriage return, a plus.
      text += ["\n", "\n", " \n", "\r\n"].randomElement(using: &random) ?? "\n"
      expected.append(RRInterval(ticks: number * (80_000 / power)))
    }
    #expect(try parse(text).intervals == expected)
    let slow = text.split(separator: "\n").map { $0 + " \n" }.joined()
    #expect(try parse(slow).intervals == expected)
  }

  @Test(arguments: 0..<4 as Range<UInt64>) func anyBytesParseOrThrow(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = Array("0123456789.,\n\r\t #-+eEx\"\u{0}".utf8) + [0xEF, 0xBB, 0xBF, 0xFF]
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? 0
      }
      if let strict = try? RRText(bytes) {
        #expect(strict.intervals.allSatisfy { $0.ticks > 0 && $0.ticks <= RRText.longestTicks })
      }
      #expect(throws: Never.self) { try RRText(bytes, options: .init(skipsBadLines: true)) }
    }
  }

  /// Lines of all kinds, of which chunks of any length may cut any.
  @Test(arguments: 0..<6 as Range<UInt64>) func chunkSizeDoesNotChangeTheResult(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let lines = [
      "812", "790.25", "0.8123", "0,79", "9", "12.5", " 801 ", "# comment", "", "RR (ms)", "x", "nan", "-3",
      "\0", "8e2",
      "86400000", "0.00000001", "1234567.8901", "12345678.90123", "800 \u{FEFF}",
      String(repeating: "7", count: 70),
      String(repeating: " ", count: 50) + "803",
    ]
    let ends = ["\n", "\n", "\n", "\r\n", "\n\n", "\r"]
    for _ in 0..<150 {
      var text = Bool.random(using: &random) ? "\u{FEFF}" : ""
      for _ in 0..<Int.random(in: 0..<30, using: &random) {
        // Mostly one kind of number, so that each unit has its turn.
        text += (Bool.random(using: &random) ? lines[0] : lines.randomElement(using: &random)) ?? ""
        text += ends.randomElement(using: &random) ?? ""
      }
      if Bool.random(using: &random) { text.append("801") }
      let bytes = Array((Bool.random(using: &random) ? text : text.replacing("812", with: "0.8")).utf8)
      for options in [RRText.Options(), .init(unit: .seconds), .init(skipsBadLines: true)] {
        let whole = Result { () throws(RRText.BadLine) in try RRText(bytes, options: options) }
        for length in [1, 2, 3, 7, 16, 17, 64, Int.random(in: 1...200, using: &random)] {
          #expect(Self.read(bytes, inChunksOf: length, options) == whole)
        }
      }
    }
  }

  private static func read(
    _ text: [UInt8], inChunksOf length: Int, _ options: RRText.Options
  ) -> Result<RRText, RRText.BadLine> {
    let reading: Result<RRText.Reading<[RRInterval]>, RRText.BadLine> = RRText.read(options, length: 0) {
      take in
      for start in stride(from: 0, to: text.count, by: length) {
        take(Array(text[start..<min(start + length, text.count)]))
      }
    }
    return reading.map { RRText($0) }
  }

  @Test func eventTimesEqualTheRunningSum() throws {
    let text = try parse("800.0001\n700\n")
    #expect(
      Array(text.events) == [
        SessionEvent(at: SessionTime(ticks: 64_000_008), .interval(RRInterval(ticks: 64_000_008))),
        SessionEvent(at: SessionTime(ticks: 120_000_008), .interval(RRInterval(ticks: 56_000_000))),
        SessionEvent(at: SessionTime(ticks: 120_000_008), .end),
      ])
    #expect(text.events.underestimatedCount == 3)
    let folder = try TemporaryFolder(prefix: "rr")
    let path = try folder.write("800.0001\n700\n", to: "x.txt")
    guard case .rrText(let file) = try OpenedFile(path: path) else {
      Issue.record("not RR text")
      return
    }
    #expect(try file.session().events == Array(text.events))
  }

  @Test(
    .enabled(if: testData != nil, "STRESSMON_TEST_DATA names no folder"),
    arguments: [
      ("rest_supine", 910), ("exercise_ectopics", 3581), ("h10_walk_run", 11_463), ("nsr001_24h", 106_459),
      ("mitdb100_apc", 2272), ("afdb03665_af", 52_764),
    ]) func realRecordingsAreReadExactly(name: String, beats: Int) throws
  {
    let path = try #require(testData) + "/rr/\(name).txt"
    guard case .rrText(let file) = try OpenedFile(path: path) else {
      Issue.record("\(name) is RR text")
      return
    }
    let text = try file.text()
    let lines = String(decoding: try contents(of: path), as: UTF8.self).split(whereSeparator: \.isNewline)
    #expect(text.intervals == lines.compactMap { Double($0).flatMap(RRInterval.init(milliseconds:)) })
    #expect(text.intervals.count == beats && text.unit == .milliseconds)
  }
}
