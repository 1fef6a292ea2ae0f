import FoundationEssentials
import HeartRate
import JSONLines
import SessionData
import TestSupport
import Testing

@testable import Formats
@testable import Platform

/// Security finding I2: one session has at most ten million beats. The tests read with a lower limit.
@Suite struct BeatLimitTests {
  private static let limit = 40
  private static let started = WallTime(rfc3339: "2026-06-01T07:30:00Z") ?? WallTime(microseconds: 0)

  private static func events(_ beats: Int) -> [SessionEvent] {
    (1...beats).map {
      let rr = RRInterval(ticks: 800 * RRInterval.ticksPerMillisecond)
      return SessionEvent(at: SessionTime(ticks: Int64($0) * rr.ticks), .interval(rr))
    }
  }

  private static func rows(_ beats: Int, _ heading: String, _ row: (Double) -> String) -> [UInt8] {
    Array((heading + "\n" + (1...beats).map { row(Double($0) * 0.8) + "\n" }.joined()).utf8)
  }

  /// A stream of RR intervals of one byte, and the same heart rates, as LabRecorder writes them.
  static func xdf(_ samples: Int, type: String = "RR") -> [UInt8] {
    func chunk(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
      let length = UInt32(content.count + 2)
      return [4] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + [tag, 0] + content
    }
    let header =
      "<info><name>s</name><type>\(type)</type><channel_count>1</channel_count><nominal_srate>0</nominal_srate>"
      + "<channel_format>int8</channel_format></info>"
    let count = (0..<4).map { UInt8(truncatingIfNeeded: UInt32(samples) >> (8 * $0)) }
    let content = [1, 0, 0, 0, 4] + count + Array(repeating: [0, 100] as [UInt8], count: samples).joined()
    return Array("XDF:".utf8) + chunk(1, Array("<info/>".utf8)) + chunk(2, [1, 0, 0, 0] + Array(header.utf8))
      + chunk(3, content)
  }

  /// A file with this number of beats.
  private static func write(_ format: FileFormat, _ beats: Int, _ scratch: Scratch) throws -> String {
    let events = events(beats)
    let series = RRSeries(events, longest: RRSeries.longestInFile)
    switch format {
    case .fit: return try scratch.file(series.fit(started: started, utcOffset: 0))
    case .hrm: return try scratch.file(series.hrm(started: started, utcOffset: 0))
    case .xdf: return try scratch.file(xdf(beats))
    case .csv: return try scratch.file(rows(beats, BeatTable.heading) { "a,me,,\($0),800,normal" })
    case .hrvLogger:
      return try scratch.file(
        rows(beats, "date,rr,since start") { "2026-06-01 07:30:\(10 + Int($0)) +0000,800,0" })
    case .polarLogger:
      return try scratch.file(
        rows(beats, "Phone timestamp;RR-interval [ms]") {
          "\(started.advanced(ticks: Int64($0 * 8e7)).rfc3339.dropLast());800"
        })
    default: return try ResearchSample(events: events).write(format, in: scratch.path("out"))
    }
  }

  @Test(
    "A session of as many beats as the limit is read, and one beat more is an error that names the limit",
    arguments: [
      FileFormat.fit, .hrm, .xdf, .csv, .hrvLogger, .polarLogger, .edf, .wfdb, .bids, .openMHealth,
    ])
  func formats(format: FileFormat) throws {
    func read(_ beats: Int) throws -> Int {
      let scratch = try Scratch()
      defer { try? FileManager.default.removeItem(atPath: scratch.path("out")) }
      let path = try Self.write(format, beats, scratch)
      var options = RRText.Options()
      options.mostBeats = Self.limit
      guard case .other(let file) = try OpenedFile(path: path, options: options), file.format == format else {
        throw FormatError(.binary, path: path)
      }
      return try file.onlySession().beats
    }
    #expect(try read(Self.limit) == Self.limit)
    let error = #expect(throws: FormatError.self) { try read(Self.limit + 1) }
    #expect(
      error?.code == .tooManyBeats(limit: Self.limit) && error?.description.contains("40 beats") == true)
  }

  @Test("Text and tables have the same limit", arguments: ["lines", "table", "list", "seconds"])
  func text(layout: String) throws {
    func read(_ beats: Int) throws -> Int {
      let text =
        switch layout {
        case "lines": String(repeating: "800\n", count: beats)
        case "seconds": String(repeating: "0.8\n", count: beats)
        case "list": Array(repeating: "800", count: beats).joined(separator: " ")
        default: "index,rr_ms\n" + (1...beats).map { "\($0),\(800 + $0 % 7)\n" }.joined()
        }
      var options = RRText.Options()
      options.mostBeats = Self.limit
      let scratch = try Scratch()
      let source = try ByteSource(path: try scratch.file(text.utf8))
      return try RRTextFile(source: source, options: options).text().intervals.count
    }
    #expect(try read(Self.limit) == Self.limit)
    let error = #expect(throws: FormatError.self) { try read(Self.limit + 1) }
    #expect(error?.code == .tooManyBeats(limit: Self.limit))
  }

  @Test("A stream of heart rates has the limit too") func heartRates() throws {
    let scratch = try Scratch()
    let source = try ByteSource(path: try scratch.file(Self.xdf(Self.limit + 1, type: "HR")))
    var options = RRText.Options()
    options.mostBeats = Self.limit
    let error = #expect(throws: FormatError.self) { try FormattedFile(source, .xdf, options).onlySession() }
    #expect(error?.code == .tooManyBeats(limit: Self.limit))
  }

  @Test("Events are counted without being kept") func counting() throws {
    var events = SessionEvents(.counting(mostBeats: 2))
    let notification = SessionEvent(at: .zero, .notification(payload: [0x10, 60, 0, 4, 0, 4]))
    try events.append(notification)
    #expect(events.all.isEmpty && events.last == notification && events.beats == 2)
    #expect(throws: TooManyBeats(limit: 2)) { try events.append(notification) }
  }

  @Test("A line of 5 MiB is an error that names the limit, from a file and from a pipe")
  func longLine() throws {
    let scratch = try Scratch()
    let line = "800\n" + String(repeating: "8", count: 5 << 20)
    let source = try ByteSource(path: try scratch.file(line.utf8))
    let error = #expect(throws: FormatError.self) {
      try RRTextFile(source: source, options: RRText.Options(skipsBadLines: true)).text()
    }
    guard case .badLine(let bad)? = error?.code else { return }
    #expect(bad.line == 2 && bad.reason == .tooLong(limit: 4 << 20) && bad.text.utf8.count == 60)
    #expect("\(bad); \(bad.remedy(path: ""))".contains("longer than 4 MiB"))
  }
}
