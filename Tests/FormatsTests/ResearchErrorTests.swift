import FoundationEssentials
import HeartRate
import SessionData
import TestSupport
import Testing

@testable import Formats
@testable import Platform

/// Damaged and foreign files in research formats are rejected with their place, and never read as something else.
@Suite struct ResearchErrorTests {
  private func error(_ bytes: [UInt8], _ format: FileFormat, name: String = "file") throws -> FormatError? {
    let scratch = try Scratch()
    let source = try ByteSource(path: try scratch.file(bytes, name: name))
    do {
      try FormattedFile(source, format).sessions { _ in }
      return nil
    } catch let error as FormatError {
      return error
    }
  }

  private func place(_ error: FormatError?) -> FilePlace? {
    if case .malformed(_, let place, _)? = error?.code { place } else { nil }
  }

  @Test("A truncated EDF+ file is rejected with the record") func truncatedEDF() throws {
    let bytes = try ResearchSample(seed: 2).edf()
    let found = try #require(try error(bytes.dropLast(100), .edf))
    #expect(place(found) == .byte(bytes.count - 100) && "\(found)".contains("data record"))
    #expect(place(try error(Array(bytes.prefix(300)), .edf)) == .byte(300))
    var without = bytes
    without.replaceSubrange(252..<256, with: Array("0   ".utf8))
    #expect(place(try error(without, .edf)) == .byte(252))
  }

  @Test("EDF+ without annotations has no beats") func plainEDF() throws {
    var bytes = try ResearchSample(seed: 2).edf()
    let text = Array("EDF Annotations ".utf8)
    let start = try #require((256..<900).first { bytes[$0..<($0 + 16)].elementsEqual(text) })
    bytes.replaceSubrange(start..<(start + 16), with: Array("Other           ".utf8))
    #expect(place(try error(bytes, .edf)) == .byte(256))
  }

  @Test("Annotations without a header or a time resolution have no times") func missingHeader() throws {
    let found = try #require(try error([0x64, 0x04, 0x64, 0x04, 0, 0], .wfdb, name: "rest.atr"))
    #expect("\(found)".contains(".hea"))
    let truncated = try #require(try error([0x64, 0x04, 0x64], .wfdb, name: "rest.atr"))
    #expect("\(truncated)".contains("ends"))
  }

  /// Security finding I2: 1.2 MB of gzip needed 3.9 GB.
  @Test("A decompression bomb is rejected before it fills the memory") func bomb() throws {
    let encoder = GzipEncoder()
    var bytes: [UInt8] = []
    let rows = Array(String(repeating: "1\t0\tbeat\t800\tnormal\n", count: 50_000).utf8)
    for _ in 0..<40 { try encoder.write(rows) { bytes += $0 } }
    try encoder.finish { bytes += $0 }
    #expect(bytes.count < 1 << 18, "\(bytes.count)")
    let scratch = try Scratch()
    let source = try ByteSource(path: try scratch.file(bytes))
    var lines = ChunkLines(try GzipChunks(source, .bids))
    var count = 0
    let found = #expect(throws: FormatError.self) {
      while try lines.next(.bids, "file") != nil { count += 1 }
    }
    #expect("\(try #require(found))".contains("times as long") && count < 1_000_000)
  }

  @Test("A header without annotations names the files that are missing") func missingAnnotations() throws {
    let found = try #require(
      try error(Array("rest 0 1024 9 07:30:00 01/06/2026\n".utf8), .wfdb, name: "rest.hea"))
    #expect("\(found)".contains(".qrs, .atr, .ecg"))
  }

  @Test(
    "Damaged data points are rejected with their byte",
    arguments: [
      ("[{\"rr_interval\":{\"value\":0,\"unit\":\"ms\"}}]", 1), ("[{\"rr_interval\":7}]", 1),
      ("[{\"rr_interval\":{\"value\":800,\"unit\":\"ms\"}}]", 1), ("{\"rr_interval\"", 14),
      ("  {\"a\":}", 7), ("x", 1),
    ])
  func dataPoints(text: String, offset: Int) throws {
    #expect(place(try error(Array(text.utf8), .openMHealth)) == .byte(offset))
  }

  @Test("Lengths beyond the end of an XDF file are errors, without allocating them") func hugeChunks() throws
  {
    func chunk(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
      [1, UInt8(content.count + 2), tag, 0] + content
    }
    let magic = Array("XDF:".utf8)
    let huge: [UInt8] = [8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]
    #expect(place(try error(magic + huge + [6, 0], .xdf)) == .byte(15))
    #expect("\(try #require(try error(magic + huge + [2, 0, 1, 0, 0, 0], .xdf)))".contains("limit"))
    let unknown = chunk(3, [9, 0, 0, 0, 1, 1, 0])
    #expect("\(try #require(try error(magic + unknown, .xdf)))".contains("no header"))
    #expect(try error(magic + [3, 1], .xdf) != nil)
    #expect(try error(magic, .xdf)?.code == .noBeats(.xdf))
  }

  @Test("A gzip bomb is read in constant memory, and a damaged file is rejected") func gzip() throws {
    let encoder = GzipEncoder()
    var bytes: [UInt8] = []
    try encoder.write(Array(repeating: UInt8(ascii: "1"), count: 3 << 20)) { bytes += $0 }
    try encoder.finish { bytes += $0 }
    let scratch = try Scratch()
    func lines(_ bytes: [UInt8]) throws {
      var lines = ChunkLines(try GzipChunks(try ByteSource(path: try scratch.file(bytes)), .bids))
      while try lines.next(.bids, "file") != nil {}
    }
    // One line of 3 MiB is above the limit.
    #expect(throws: FormatError.self) { try lines(bytes) }
    bytes = []
    let short = GzipEncoder()
    try short.write(Array("1\t0\tbeat\n".utf8)) { bytes += $0 }
    try short.finish { bytes += $0 }
    try lines(bytes + bytes)
    #expect(throws: FormatError.self) { try lines(bytes.dropLast(3)) }
    bytes[bytes.count - 6] ^= 1
    #expect(throws: FormatError.self) { try lines(bytes) }
  }

  @Test(
    "Files of other formats are not taken for research formats",
    arguments: [
      ("812 790 805\n", FileFormat.rr), ("800 1\n810 2\n", .rr), ("[800, 810]\n", .rr),
      ("{\"type\":\"header\",\"format\":\"stressmon-recording\",\"BIDSVersion\":1}\n", .recording),
      ("rest 0 1024 9 07:30:00 01/06/2026\n", .wfdb), ("100 2 360 650000\n100.dat 212 200 11\n", .wfdb),
      ("[\n{\"body\":{\"rr_interval\":{}}}]", .openMHealth), ("{\"BIDSVersion\":\"1.11.1\"}", .bids),
      ("XDF:", .xdf),
    ])
  func detection(text: String, format: FileFormat) {
    #expect(FileFormat(head: Array(text.utf8)) == format)
  }
}
