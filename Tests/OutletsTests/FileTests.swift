import Glibc
import LiveSession
import TestSupport
import Testing

@testable import Outlets

@Suite struct FileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func event(_ values: LiveValues) -> TimedEvent { TimedEvent(.values(values), at: 0) }

  @Test(arguments: [
    (ValueName.hr, "102"), (.stress, "25"), (.rmssd, "50"), (.battery, "95"), (.category, "mild"),
    (.icon, "●"),
  ])
  func theTextIsOnlyTheNumber(value: ValueName, text: String) {
    var encoder = FileEncoder(.value(value))
    #expect(encoder.connected(at: 0) == [""])
    #expect(encoder.encode(event(.example), at: 0) == [text])
    #expect(encoder.encode(event(.example), at: 1) == [])
    #expect(encoder.connected(at: 2) == [text])
    #expect(encoder.encode(event(.withdrawn), at: 3) == [""])
  }

  @Test func aTextContainsValues() throws {
    var encoder = FileEncoder(.text(try ValueTemplate("{hr} bpm {{{stress}}} {sdnn}% {confidence}")))
    #expect(encoder.connected(at: 0) == [""])
    #expect(encoder.encode(event(.example), at: 0) == ["102 bpm {25} 40% 50"])
    var values = LiveValues.example
    values.stress = nil
    #expect(encoder.encode(event(values), at: 1) == ["102 bpm {-} 40% 50"])
    #expect(encoder.encode(event(.withdrawn), at: 2) == [""])
  }

  @Test(arguments: ["{", "}", "{hr", "{x}", "{hr}}"])
  func invalidTemplates(text: String) {
    #expect(throws: ValueTemplate.Invalid.self) { _ = try ValueTemplate(text) }
  }

  @Test func metricsAreWrittenAlsoWithoutASession() {
    var encoder = FileEncoder(.metrics)
    #expect(encoder.connected(at: 0)[0].contains("stressmon_live_sessions 0\n"))
  }

  @Test func theFileIsReplacedNotChanged() throws {
    let path = try folder.write("old", to: "hr")
    let old = open(path, O_RDONLY)
    defer { close(old) }
    let transport = FileTransport(path: path)
    #expect(try transport.open())
    #expect(try transport.send("72") == .delivered)
    #expect(try contents(of: path) == Array("72".utf8))
    var buffer = [UInt8](repeating: 0, count: 8)
    #expect(read(old, &buffer, 8) == 3)
    #expect(try transport.send("") == .delivered)
    #expect(try contents(of: path) == [])
  }

  @Test func aMissingFolderIsNamed() throws {
    let transport = FileTransport(path: folder.file("missing/hr"))
    let error = try #require(throws: OutletError.self) { _ = try transport.open() }
    #expect(error.description.contains("missing/hr") && error.description.contains("ls -ld"))
  }

  @Test func aFIFOWithoutReaderDropsAndOneWithReaderReceivesLines() throws {
    let path = folder.file("fifo")
    #expect(mkfifo(path, 0o600) == 0)
    let transport = FileTransport(path: path)
    #expect(try transport.open())
    guard case .dropped = try transport.send("70") else { throw Unexpected() }
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    #expect(try transport.send("71") == .delivered)
    #expect(try transport.send("") == .delivered)
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(reader, &buffer, 64)
    #expect(String(decoding: buffer.prefix(count), as: UTF8.self) == "71\n\n")
    // A full FIFO drops lines and does not block.
    var dropped = 0
    for _ in 0..<100_000 where try transport.send("72") != .delivered { dropped += 1 }
    #expect(dropped > 0)
    close(reader)
    signal(SIGPIPE, SIG_IGN)
    guard case .dropped = try transport.send("73") else { throw Unexpected() }
  }

  private struct Unexpected: Error {}
}
