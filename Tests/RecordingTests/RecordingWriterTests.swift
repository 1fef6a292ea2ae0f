import Glibc
import HeartRate
import JSONLines
import SessionData
import Stress
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Platform
@testable import Recording

@Suite struct RecordingWriterTests {
  private let header = RecordingHeader(session: "s", profile: "me", baseline: .populationDefault)

  private func mark(_ number: Int) -> SessionEvent {
    SessionEvent(at: SessionTime(ticks: Int64(number) * 1000), .mark("\(number)"))
  }

  @Test func appendedEventsAreReadBack() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.jsonl")
    let writer = try RecordingWriter(path: path, header: header)
    for number in 0..<1000 { writer.append(mark(number)) }
    try writer.close(at: SessionTime(ticks: 1_000_000))
    let reading = try Reading(path)
    #expect(reading.header == header)
    #expect(reading.events == (0..<1000).map(mark) + [SessionEvent(at: SessionTime(ticks: 1_000_000), .end)])
    #expect(reading.damage.isEmpty)
  }

  @Test func theHeaderIsWrittenImmediatelyAndTheFileIsPrivate() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.jsonl")
    let writer = try RecordingWriter(path: path, header: header)
    #expect(try RecordingReader(path: path).header == header)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    withExtendedLifetime(writer) {}
  }

  @Test func linesAreWrittenWithoutSync() async throws {
    let scratch = try Scratch()
    let path = scratch.path("a.jsonl")
    let writer = try RecordingWriter(path: path, header: header)
    writer.append(mark(1))
    while try Reading(path).events.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    withExtendedLifetime(writer) {}
  }

  @Test func anExistingFileIsReplacedOnlyOnRequest() throws {
    let scratch = try Scratch()
    let path = try scratch.file("precious".utf8)
    #expect(throws: FileError(.exists, path: path)) { try RecordingWriter(path: path, header: header) }
    #expect(try contents(of: path) == Array("precious".utf8))
    let writer = try RecordingWriter(path: path, header: header, replacing: true)
    try writer.close(at: .zero)
    #expect(try Reading(path).events.map(\.kind) == [.end])
  }

  @Test(arguments: [true, false])
  func foldersAndDevicesAreNeverReplaced(replacing: Bool) throws {
    let scratch = try Scratch()
    #expect(throws: FileError(.isDirectory, path: scratch.folder)) {
      try RecordingWriter(path: scratch.folder, header: header, replacing: replacing)
    }
    #expect(throws: FileError(.notRegular, path: "/dev/null")) {
      try RecordingWriter(path: "/dev/null", header: header, replacing: replacing)
    }
  }

  @Test func aMissingFolderIsAnError() throws {
    let scratch = try Scratch()
    let path = scratch.path("none/a.jsonl")
    #expect(throws: FileError(.notFound, path: path)) { try RecordingWriter(path: path, header: header) }
  }

  @Test func releasingTheWriterWritesAllLinesButNoEnd() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.jsonl")
    do {
      let writer = try RecordingWriter(path: path, header: header)
      writer.append(mark(1))
    }
    #expect(try Reading(path).events == [mark(1)])
  }

  @Test func theEndIsWrittenOnceAsTheLastLine() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.jsonl")
    let writer = try RecordingWriter(path: path, header: header)
    writer.append(SessionEvent(at: .zero, .end))
    writer.append(mark(1))
    try writer.close(at: SessionTime(ticks: 8))
    try writer.close(at: SessionTime(ticks: 9))
    writer.append(mark(2))
    let reading = try Reading(path)
    #expect(reading.events == [SessionEvent(at: .zero, .end)] && reading.damage.isEmpty)
  }

  @Test func linesOfSeveralThreadsAreNotInterleaved() async throws {
    let scratch = try Scratch()
    let path = scratch.path("a.jsonl")
    let writer = try RecordingWriter(path: path, header: header)
    await withTaskGroup { group in
      for thread in 0..<4 {
        group.addTask {
          for number in 0..<500 { writer.append(SessionEvent(at: .zero, .mark("\(thread) \(number)"))) }
        }
      }
    }
    try writer.close(at: .zero)
    let reading = try Reading(path)
    #expect(reading.events.count == 2001 && reading.damage.isEmpty)
    for thread in 0..<4 {
      let own = reading.events.compactMap { event -> String? in
        if case .mark(let text) = event.kind, text.hasPrefix("\(thread) ") { text } else { nil }
      }
      #expect(own == (0..<500).map { "\(thread) \($0)" }, "in the order of the calls")
    }
  }

  // MARK: Failing disks

  private func append(_ key: String, _ value: Int, to bytes: inout [UInt8]) {
    JSONLine.append(to: &bytes) { line in line.line { $0.put(key, value) } }
  }

  @Test func aFullDiskIsReportedAndDoesNotBlockTheCaller() throws {
    let heard = Heard()
    let file = BackgroundFileWriter(
      descriptor: FileDescriptor(rawValue: open("/dev/full", O_WRONLY)), path: "/dev/full"
    ) {
      heard.append($0)
    }
    file.append { append("a", 1, to: &$0) }
    let full = FileError(.diskFull, path: "/dev/full")
    #expect(throws: full) { try file.sync() }
    #expect(file.failure == full)
    file.append { append("a", 2, to: &$0) }
    #expect(throws: full) { try file.finish() }
    #expect(heard.all.withLock { $0 } == [full])
  }

  /// A full pipe simulates a full disk; reading from it frees space.
  @Test func aRetryContinuesAtTheFirstUnwrittenByte() throws {
    var ends: [CInt] = [0, 0]
    #expect(pipe(&ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    defer { close(ends[0]) }
    let heard = Heard()
    let file = BackgroundFileWriter(descriptor: FileDescriptor(rawValue: ends[1]), path: "pipe") {
      heard.append($0)
    }
    var expected = JSONLine()
    for number in 0..<20_000 {
      file.append { append("number", number, to: &$0) }
      expected.line { $0.put("number", number) }
    }
    var received: [UInt8] = []
    var failures = 0
    while received.count < expected.bytes.count {
      do { try file.sync() } catch { failures += 1 }
      received += drain(ends[0])
    }
    #expect(failures > 0 && received == expected.bytes)
    try file.finish()
    #expect(file.failure == nil && heard.all.withLock { $0.last } == .some(nil))
  }

  private func drain(_ descriptor: CInt) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return bytes
  }

  private final class Heard: Sendable {
    let all = Mutex<[FileError?]>([])
    func append(_ error: FileError?) { all.withLock { $0.append(error) } }
  }
}

@Suite struct CrashTests {
  /// A child process records, logs the time of each event, and is killed. Events from more than one second before the kill
  /// must be in the file, and only the last line can be damaged.
  ///
  /// One of five attempts must succeed, because syncs take longer on a busy disk.
  @Test(arguments: [100, 400, 1300, 2100]) func aKilledProcessLosesAtMostTheLastSecond(milliseconds: Int)
    async throws
  {
    var lost = Int.max
    for _ in 0..<5 where lost > 0 {
      lost = try await lostBeforeTheLastSecond(ofRecording: milliseconds)
    }
    #expect(lost <= 0)
  }

  private func lostBeforeTheLastSecond(ofRecording milliseconds: Int) async throws -> Int {
    let scratch = try Scratch()
    let (path, notes) = (scratch.path("a.jsonl"), scratch.path("notes"))
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, notes = notes as String, milliseconds = milliseconds as Int] in
      let writer = try RecordingWriter(path: path, header: RecordingHeader(session: "s", profile: "me"))
      let log = open(notes, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      let clock = ContinuousClock()
      let start = clock.now
      var number = 0
      while clock.now - start < .milliseconds(milliseconds) {
        writer.append(SessionEvent(at: SessionTime(ticks: Int64(number)), .mark("\(number)")))
        let note = Array("\((clock.now - start).ticks / 80_000)\n".utf8)
        _ = note.withUnsafeBytes { write(log, $0.baseAddress, $0.count) }
        number += 1
        usleep(1000)
      }
      kill(getpid(), SIGKILL)
    }
    let times = String(decoding: try contents(of: notes), as: UTF8.self).split(separator: "\n").compactMap {
      Int($0)
    }
    let reading = try Reading(path)
    #expect(!times.isEmpty)
    let last = try #require(times.last)
    #expect(
      reading.events
        == reading.events.indices.map { SessionEvent(at: SessionTime(ticks: Int64($0)), .mark("\($0)")) })
    #expect(reading.damage.allSatisfy { $0.reason == .tornLastLine })
    return times.count { $0 < last - 1000 } - reading.events.count
  }
}
