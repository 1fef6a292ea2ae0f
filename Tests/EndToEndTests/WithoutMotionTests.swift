import FakeBlueZ
import FoundationEssentials
import Glibc
import Simulator
import TestSupport
import Testing

/// Recordings and results of sessions without acceleration are compared with golden files, so that a change of the
/// sensor streams that alters them is found.
///
/// After an intended change of the format or of the engine, run
/// `STRESSMON_REWRITE_GOLDEN=1 swift test --filter WithoutMotionTests` and review the difference.
@Suite(.ownThreads, .serialized) struct WithoutMotionTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
  private static let recording = folder.appending(path: "without-motion.jsonl")
  private static let replay = folder.appending(path: "without-motion.replay.jsonl")

  private static func text(_ file: URL) throws -> String {
    String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  /// The content of a golden file; with STRESSMON_REWRITE_GOLDEN, the file is replaced.
  private static func golden(_ file: URL, replacing content: String) throws -> String {
    if ProcessInfo.processInfo.environment["STRESSMON_REWRITE_GOLDEN"] != nil {
      try Data(content.utf8).write(to: file, options: .atomic)
    }
    return try text(file)
  }

  /// The lines without wall-clock times and the ID of the session, which differ between runs.
  private static func timeless(_ text: String) -> [String] {
    text.split(separator: "\n").map { String($0).replacing(/"(time|session)":"[^"]*",?/, with: "") }
  }

  @Test(arguments: [[], ["--no-motion"]])
  func simulatedRecordingHasTheBytesOfTheGoldenFile(_ options: [String]) throws {
    let home = try Home()
    let path = home.file("session.jsonl")
    let arguments = ["record", path, "--simulate", "--seed", "5", "--speed", "max", "--duration", "60"]
    #expect(try home.start(arguments + options).outcome().status == .exited(0))
    let recorded = try Self.text(URL(filePath: path))
    #expect(Self.timeless(recorded) == Self.timeless(try Self.golden(Self.recording, replacing: recorded)))
  }

  @Test func replayOfTheGoldenRecordingHasTheBytesOfTheGoldenFile() throws {
    let replay = try Home().run("replay", Self.recording.path, "--speed", "max", "--json")
    #expect(replay.status == .exited(0))
    #expect(replay.output == (try Self.golden(Self.replay, replacing: replay.output)))
  }

  /// Payloads as they are sent are the only content of a recording that depends on the strap.
  @Test(arguments: [false, true])
  func recordingOfAStrapHasNoSensorLines(_ hasSensors: Bool) throws {
    let air = try Air()
    let strap = air.strap { if hasSensors { $0.sensors = FakeSensors(script: MotionScript("walking")!) } }
    strap.stream(beats([700, 720, 710]), rate: 10)
    let path = air.home.file("session.jsonl")
    let program = try air.live(strap, ["--record", path] + (hasSensors ? ["--no-motion"] : []))
    try program.wait(for: 20, "notification")
    program.signal(SIGINT)
    _ = try program.outcome()
    let lines = try Self.text(URL(filePath: path)).split(separator: "\n").map { try JSONValue(String($0)) }
    let types = Set(lines.compactMap { $0["type"]?.text })
    #expect(types.subtracting(["header", "link", "battery", "notification", "end"]) == [])
    let notifications = lines.of(type: "notification")
    let keys = Set(notifications.map { $0.members.keys.sorted() })
    #expect(keys == [["hex", "monotonic_s", "time", "type"]])
    #expect(notifications.count >= 20)
  }
}
