import Glibc
import TestSupport
import Testing

/// A replay states that the engine version differs from the one that computed the live values.
@Suite(.ownThreads) struct EngineVersionTests {
  @Test("A recording states its engine version, and its replay with the same version adds no line")
  func sameVersion() throws {
    let recorded = try Recorded()
    #expect(recorded.text.contains(#","engine":4,"settings":{"#))
    #expect(try recorded.replayed(as: recorded.text).output == recorded.live)
  }

  @Test(
    "A recording of another engine version, or without one, is replayed with the current engine, which is stated",
    arguments: [(member: "", value: "null"), (#""engine":1,"#, "1"), (#""engine":9,"#, "9")])
  func otherVersion(member: String, value: String) throws {
    let recorded = try Recorded()
    let text = recorded.text.split(separator: #""engine":4,"#).joined(separator: member)
    let replay = try recorded.replayed(as: text)
    let (first, rest) = replay.output.splitFirstLine
    #expect(first.hasPrefix(#"{"type":"replay","engine":4,"recorded_engine":\#(value),"session":"01"#))
    #expect(rest == recorded.live)
    let plain = try recorded.replayed(as: text, "--plain").output.splitFirstLine.first
    #expect(plain.contains("engine 4") && plain.contains("can differ"), "\(plain)")
  }

  @Test("An imported session keeps the engine version of its file, and its replay states it")
  func importedSession() throws {
    let recorded = try Recorded()
    let file = try recorded.home.folder.write(
      recorded.text.split(separator: #""engine":4,"#).joined(separator: #""engine":1,"#), to: "old.jsonl")
    let other = try Home()
    #expect(try other.run("import", file).status == .exited(0))
    let session = try #require(
      try other.run("history", "--sessions", "--json").json().first?["session"]?.text)
    let replay = try other.run("replay", "--session", session, "--speed", "max", "--json")
    #expect(replay.output.hasPrefix(#"{"type":"replay","engine":4,"recorded_engine":1,"#))
    #expect(replay.output.splitFirstLine.rest == recorded.live)
    #expect(try other.run("export", "--format", "jsonl", "-o", "-").output.contains(#""engine":1,"#))
  }

  @Test("A plain list of RR intervals has no engine version to state")
  func plainIntervals() throws {
    let home = try Home()
    let path = try home.folder.write(Array(repeating: "812\n", count: 40).joined(), to: "rr.txt")
    let replay = try home.run("replay", path, "--speed", "max", "--json")
    #expect(!replay.output.contains(#""type":"replay""#) && replay.status == .exited(0))
  }
}

/// A simulated session, recorded to a file.
private struct Recorded {
  let home: Home
  let text: String
  let live: String

  init() throws {
    home = try Home()
    let path = home.file("session.jsonl")
    live = try home.start([
      "live", "--json", "--record", path, "--simulate", "--speed", "max", "--duration", "45",
    ]).outcome().output
    text = try #require(home.contents("session.jsonl"))
  }

  func replayed(as text: String, _ format: String = "--json") throws -> Outcome {
    let path = try home.folder.write(text, to: "changed.jsonl")
    return try home.run("replay", path, "--speed", "max", format)
  }
}

extension String {
  fileprivate var splitFirstLine: (first: String, rest: String) {
    let end = firstIndex(of: "\n") ?? endIndex
    return (String(self[..<end]), String(self[end...].dropFirst()))
  }
}
