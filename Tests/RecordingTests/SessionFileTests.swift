import Foundation
import Glibc
import HeartRate
import Testing

@testable import Recording

@Suite struct SessionFileTests {
  @Test func kindIsToldByContent() throws {
    let scratch = try Scratch()
    guard case .recording = try SessionFile(path: fixture("synthetic_session.jsonl")) else {
      Issue.record("a recording")
      return
    }
    guard case .rrText(let file) = try SessionFile(path: scratch.file("800\n810\n".utf8)) else {
      Issue.record("RR text")
      return
    }
    #expect(try file.text().intervals.count == 2)
  }

  @Test(arguments: [
    ("", RecordingError.Code.empty), ("# nothing\n", .noIntervals), ("{\"a\":1}\n", .notARecording),
    ("800\nx\n", .badLine(RRText.BadLine(line: 2, text: "x"))), ("\u{0}\u{1}\u{2}", .binary),
    ("SQLite format 3\u{0}", .wholeHistory),
  ]) func refusalsSayWhy(content: String, code: RecordingError.Code) throws {
    let scratch = try Scratch()
    let path = try scratch.file(content.utf8)
    #expect(throws: RecordingError(code, path: path)) {
      if case .rrText(let file) = try SessionFile(path: path) { _ = try file.text() }
    }
  }

  @Test func missingFileAndFolderAreToldApart() throws {
    let scratch = try Scratch()
    let missing = scratch.path("none")
    #expect(throws: RecordingError(.notFound, path: missing)) { try SessionFile(path: missing) }
    #expect(throws: RecordingError(.isDirectory, path: scratch.folder)) {
      try SessionFile(path: scratch.folder)
    }
  }

  @Test func unreadableFileSaysSo() throws {
    let scratch = try Scratch()
    let path = try scratch.file("800\n".utf8)
    chmod(path, 0)
    // Root may read everything.
    if geteuid() != 0 {
      #expect(throws: RecordingError(.notPermitted, path: path)) { try SessionFile(path: path) }
    } else {
      #expect(throws: Never.self) { try SessionFile(path: path) }
    }
  }

  @Test(arguments: ["800\n810\n", "{"]) func namedPipeIsReadInOneGo(first: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let recording = try contents(of: fixture("synthetic_session.jsonl"))
    let bytes = first == "{" ? recording : Array(repeating: Array(first.utf8), count: 20_000).flatMap { $0 }
    // A thread of its own: opening a pipe blocks until the other side opens it too.
    Thread.detachNewThread {
      let descriptor = open(path, O_WRONLY)
      defer { close(descriptor) }
      var rest = bytes[...]
      while !rest.isEmpty {
        rest = rest.dropFirst(rest.withUnsafeBytes { max(1, write(descriptor, $0.baseAddress, $0.count)) })
      }
    }
    switch try SessionFile(path: path) {
    case .rrText(let file): #expect(try file.text().intervals.count == 40_000)
    case .recording(let reader): #expect(reader.events().map { $0 }.count == 8)
    case .other(let file): Issue.record("\(file.format)")
    }
  }

  @Test func everyErrorSaysWhatToDo() {
    let codes: [RecordingError.Code] = [
      .exists, .notFound, .isDirectory, .notPermitted, .readOnlyFileSystem, .diskFull, .empty, .binary,
      .notARecording,
      .newerVersion(9), .badHeader("x"), .badLine(.init(line: 3, text: "x")), .noIntervals,
      .tooLarge(limit: 1 << 20), .malformed(.fit, .byte(7), "x"), .noBeats(.csv), .severalSessions(.fit, 2),
      .wholeHistory,
      .system(errno: EIO),
    ]
    for code in codes { #expect("\(RecordingError(code, path: "/some/file"))".contains("/some/file")) }
  }
}
