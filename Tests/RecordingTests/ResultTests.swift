import Glibc
import HRV
import HeartRate
import Testing

@testable import Recording

@Suite struct ResultTests {
  @Test("Beats as a table are exact to the last decimal")
  func beatTable() {
    let lengths: [(Int64, Verdict)] = [(78_125 * 820, .normal), (8, .short), (80_000 * 4000, .gap)]
    var end = SessionTime(ticks: -80_000_000)
    let beats = lengths.map { ticks, verdict in
      end = end + RRInterval(ticks: ticks)
      return Beat(end: end, rr: RRInterval(ticks: ticks), verdict: verdict, followsBreak: false)
    }
    #expect(
      String(decoding: BeatCSV(beats).bytes, as: UTF8.self) == """
        index,time_s,rr_ms,verdict
        0,-0.19921875,800.78125,normal
        1,-0.19921865,0.0001,short
        2,3.80078135,4000,gap

        """)
    #expect(BeatCSV([]).bytes == Array("index,time_s,rr_ms,verdict\n".utf8))
  }

  @Test("A file that somebody else made meanwhile is left alone")
  func placedFile() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.csv")
    let file = try OutputFile(path: path, replacing: false)
    try file.append([65])
    #expect(access(path, F_OK) != 0)
    _ = try scratch.file([66], name: "a.csv")
    #expect(throws: RecordingError(.exists, path: path)) { try file.finish() }
    #expect(try contents(of: path) == [66])
    let next = try OutputFile(path: scratch.path("b.csv"), replacing: false)
    try next.append([65])
    try next.append([66])
    try next.finish()
    #expect(try contents(of: scratch.path("b.csv")) == [65, 66])
    #expect(throws: RecordingError(.notRegular, path: "/dev/null")) {
      try OutputFile(path: "/dev/null", replacing: false)
    }
  }

  @Test("A result comes whole, for its owner alone, and replaces nothing unasked")
  func outputFile() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.csv")
    let large = [UInt8](repeating: 65, count: 3_000_000)
    try OutputFile(path: path, replacing: false).write(large)
    #expect(try contents(of: path) == large)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(throws: RecordingError(.exists, path: path)) { try OutputFile(path: path, replacing: false) }
    // What is taken back leaves the old one.
    try OutputFile(path: path, replacing: true).discard()
    #expect(try contents(of: path) == large)
    try OutputFile(path: path, replacing: true).write([66])
    #expect(try contents(of: path) == [66])
    try OutputFile(path: scratch.path("b.csv"), replacing: false).discard()
    #expect(access(scratch.path("b.csv"), F_OK) != 0)
    #expect(throws: RecordingError.self) { try OutputFile(path: scratch.path("none/c"), replacing: false) }
    #expect(throws: RecordingError(.isDirectory, path: scratch.folder)) {
      try OutputFile(path: scratch.folder, replacing: true)
    }
  }
}
