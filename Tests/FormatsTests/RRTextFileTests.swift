import Glibc
import HRV
import HeartRate
import JSONLines
import SessionData
import TestSupport
import Testing

@testable import Formats
@testable import Platform
@testable import Recording

@Suite struct RRTextFileTests {
  private func open(_ path: String, _ options: RRText.Options = .init()) throws -> RRTextFile {
    RRTextFile(source: try ByteSource(path: path), options: options)
  }

  /// Longer than some chunks, so that lines are cut where they happen to be.
  @Test(arguments: ["ms", "s"]) func sumsEqualThoseOfTheList(unit: String) throws {
    let scratch = try Scratch()
    var random = SeededGenerator(seed: 7)
    let text = (0..<20_000).map { _ in
      let milliseconds = Int.random(in: 300...2000, using: &random)
      return unit == "s" ? "\(Double(milliseconds) / 1000)\n" : "\(milliseconds).\(milliseconds % 10)\n"
    }.joined()
    let path = try scratch.file(text.utf8)
    let list = try open(path).text()
    let sums = try open(path).read(NNSeries.self)
    #expect(list == (try RRText(Array(text.utf8))))
    #expect(list.unit.rawValue == unit && sums.unit == list.unit)
    #expect(sums.series == NNSeries(raw: list.intervals))
    #expect(sums.count == 20_000 && sums.series.sums.count == 20_000)
    #expect(sums.series.sums.totalTicks == list.intervals.reduce(0) { $0 + $1.ticks })
  }

  @Test func badLineBeyondTheFirstChunkIsReportedWithItsNumber() throws {
    let scratch = try Scratch()
    let path = try scratch.file((String(repeating: "800\n", count: 9999) + "oops\n800\n").utf8)
    #expect(throws: FormatError(.badLine(.init(line: 10_000, text: "oops")), path: path)) {
      try open(path).read(NNSeries.self)
    }
    let lenient = try open(path, .init(skipsBadLines: true)).read(NNSeries.self)
    #expect(lenient.count == 10_000 && lenient.skippedLines == 1)
  }

  @Test func lineLongerThanManyChunksIsOneLine() throws {
    let scratch = try Scratch()
    let spaces = String(repeating: " ", count: 200_000)
    let path = try scratch.file("800\n\(spaces)810\(spaces)\n# \(spaces)\n820".utf8)
    #expect(try open(path).text().intervals.map(\.milliseconds) == [800, 810, 820])
  }

  @Test func fileWithOnlyBadLinesHasNoInterval() throws {
    let scratch = try Scratch()
    let path = try scratch.file("x\ny\n".utf8)
    #expect(throws: FormatError(.noIntervals, path: path)) {
      try open(path, .init(skipsBadLines: true)).text()
    }
  }

  @Test func fileAboveTheSizeLimitIsRejected() throws {
    let scratch = try Scratch()
    let path = try scratch.file("800\n".utf8)
    #expect(truncate(path, RRTextFile.largest * 1000) == 0, "with a hole")
    #expect(throws: FormatError(.tooLarge(limit: RRTextFile.largest), path: path)) {
      try open(path).text()
    }
  }
}
