import Formats
import Foundation
import Glibc
import HeartRate
import Platform
import Recording
import TestSupport
import Testing

@testable import Formats
@testable import Platform
@testable import Recording
@testable import Reports

@Suite struct SessionFileTests {
  @Test func formatIsDetectedFromTheContent() throws {
    let scratch = try Scratch()
    guard case .recording = try SessionFile(path: recording) else {
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
    ("# nothing\n", FormatError.Code.noIntervals), ("\u{0}\u{1}\u{2}", .binary),
    ("800\nx\n", .badLine(RRText.BadLine(line: 2, text: "x"))), ("SQLite format 3\u{0}", .wholeHistory),
  ]) func aFileWithoutReadableContentThrowsTheReason(content: String, code: FormatError.Code) throws {
    let scratch = try Scratch()
    let path = try scratch.file(content.utf8)
    #expect(throws: FormatError(code, path: path)) {
      if case .rrText(let file) = try SessionFile(path: path) { _ = try file.text() }
    }
  }

  @Test func anEmptyFileAndAnUnknownJSONFileThrowTheReason() throws {
    let scratch = try Scratch()
    let empty = try scratch.file([], name: "empty")
    #expect(throws: FileError(.empty, path: empty)) { try SessionFile(path: empty) }
    let json = try scratch.file("{\"a\":1}\n".utf8, name: "json")
    #expect(throws: RecordingError(.notARecording, path: json)) { try SessionFile(path: json) }
  }

  @Test func missingFilesAndFoldersAreDistinguished() throws {
    let scratch = try Scratch()
    let missing = scratch.path("none")
    #expect(throws: FileError(.notFound, path: missing)) { try SessionFile(path: missing) }
    #expect(throws: FileError(.isDirectory, path: scratch.folder)) {
      try SessionFile(path: scratch.folder)
    }
  }

  @Test func unreadableFilesAreAnError() throws {
    let scratch = try Scratch()
    let path = try scratch.file("800\n".utf8)
    chmod(path, 0)
    // The superuser can read every file.
    if geteuid() != 0 {
      #expect(throws: FileError(.notPermitted, path: path)) { try SessionFile(path: path) }
    } else {
      #expect(throws: Never.self) { try SessionFile(path: path) }
    }
  }

  @Test(arguments: ["800\n810\n", "{"]) func namedPipesAreReadOnce(first: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let whole = try contents(of: recording)
    let bytes = first == "{" ? whole : Array(repeating: Array(first.utf8), count: 20_000).flatMap { $0 }
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

  @Test func everyErrorNamesTheFile() {
    let path = "/some/file"
    let files: [FileError.Code] = [
      .exists, .notFound, .isDirectory, .notRegular, .notPermitted, .readOnlyFileSystem, .diskFull, .empty,
      .system(errno: EIO),
    ]
    let recordings: [RecordingError.Code] = [
      .notARecording, .newerVersion(9), .badHeader("x"), .badLine(2, "x"),
    ]
    let formats: [FormatError.Code] = [
      .binary, .badLine(.init(line: 3, text: "x")), .noIntervals, .tooLarge(limit: 1 << 20),
      .malformed(.fit, .byte(7), "x"), .noBeats(.csv), .severalSessions(.fit, 2), .wholeHistory,
    ]
    for code in files { #expect("\(FileError(code, path: path))".contains(path)) }
    for code in recordings { #expect("\(RecordingError(code, path: path))".contains(path)) }
    for code in formats { #expect("\(FormatError(code, path: path))".contains(path)) }
  }

  private let recording =
    (#filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    + ["RecordingTests", "Fixtures", "synthetic_session.jsonl"]).joined(separator: "/")
}
